import { InputError, type Evaluation } from "../index.js";
import { plainLine } from "./terminal.js";

/** What the user called a run, and what it is held against. */
interface Names {
  readonly run: string;
  readonly source: string;
}

/**
 * Refuses a run that answers none of the queries that it should: zeros of one that was never asked them look
 * like a bad ranking, and a script that reads the exit code must not take them for scores.
 *
 * @param ids of the run's queries.
 * @throws InputError `RUN_EMPTY` where there is nothing in the run, `RUN_OUTSIDE_GOLDEN_SET` where it answers
 * none of the queries.
 */
export function refuseUnanswered(
  names: Names,
  ids: readonly string[],
  queries: Pick<ReadonlyMap<string, unknown>, "has" | "keys">,
): void {
  const [wanted] = queries.keys();
  if (wanted !== undefined && !ids.some((id) => queries.has(id)))
    throw unansweredError(names, ids[0], wanted);
}

/** {@link refuseUnanswered} of a run that was scored. */
export function refuseUnansweredEvaluation(
  names: Names,
  { answered, missingQueries, firstUnjudgedQuery }: Evaluation,
): void {
  const [wanted] = missingQueries;
  if (answered === 0 && wanted !== undefined)
    throw unansweredError(names, firstUnjudgedQuery ?? undefined, wanted);
}

function unansweredError({ run, source }: Names, answered: string | undefined, wanted: string): InputError {
  const goOn = "--allow-empty goes on all the same";
  if (answered === undefined)
    return new InputError(
      "RUN_EMPTY",
      `${run}: has no results at all, so that scores would say nothing; ${goOn}`,
    );
  return new InputError(
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
