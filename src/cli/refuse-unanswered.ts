import { InputError } from "../index.js";
import { plainLine } from "./terminal.js";

/** A run's query ids, and those that it is held against. */
export interface Asked {
  /** What the user called the run, and what has the queries. */
  readonly run: string;
  readonly source: string;
  /** A query of the run; undefined where it has none. */
  readonly answered: string | undefined;
  /** One of the queries that should be answered. */
  readonly wanted: string;
}

/**
 * Zeros of a run that was never asked these queries look like a bad ranking; a script that reads the exit
 * code must not take them for scores.
 *
 * @throws InputError `RUN_EMPTY` where there is nothing in the run, `RUN_OUTSIDE_GOLDEN_SET` where it answers
 * none of the queries.
 */
export function refuseUnanswered({ run, source, answered, wanted }: Asked): never {
  const goOn = "--allow-empty goes on all the same";
  if (answered === undefined)
    throw new InputError(
      "RUN_EMPTY",
      `${run}: has no results at all, so that scores would say nothing; ${goOn}`,
    );
  throw new InputError(
    "RUN_OUTSIDE_GOLDEN_SET",
    `${run}: answers none of the queries of ${source}; it has queries such as \`${plainLine(answered)}\`, ` +
      `there they are called as \`${plainLine(wanted)}\`: do both name them the same way? ${goOn}`,
  );
}

/** @throws InputError `QRELS_SYNTAX` for a file without judgments, by which every score would be 0. */
export function refuseUnjudged(source: string, queries: number): void {
  if (queries === 0)
    throw new InputError("QRELS_SYNTAX", `${source}: has no judgments; --allow-empty goes on all the same`);
}
