import { asScoredRun } from "../formats/index.js";
import { countOf } from "../foundation/numbers/index.js";
import type { ScoredRun } from "../fusion/index.js";
import { InputError } from "../index.js";
import type { NamedRun } from "../node/evaluate/index.js";
import { plainLine, type Terminal } from "./terminal.js";

/** What is fused, and how it is read. */
export interface RunsToFuse {
  readonly named: readonly NamedRun[];
  readonly unit: "chunk" | "doc";
  /** Whether a normalizer turns lists round, as distances want. */
  readonly readsDistances: boolean;
  /** Whether a method reads scores, and not ranks alone. */
  readonly readsScores: boolean;
}

/** Runs of any format with their scores; tells where ranks have to stand for them. */
export function runsToFuse(
  { named, unit, readsDistances, readsScores }: RunsToFuse,
  terminal: Terminal,
): ScoredRun[] {
  return named.map(({ name, run }) => {
    const ranked: string[] = [];
    const scored = asScoredRun(run, unit, readsDistances ? "distances" : "level", (id) => ranked.push(id));
    if (readsScores && ranked.length > 0)
      terminal.warn(
        `${plainLine(name)}: ${countOf(ranked.length, "query")} with hits that have no score, or scores ` +
          `that rise: their ranks count in place of scores (${ranked.slice(0, 5).map(plainLine).join(", ")}` +
          `${ranked.length > 5 ? ", …" : ""})`,
      );
    return scored;
  });
}

/**
 * For settings of which some read distances and others do not: of a recorded list each would be the other's
 * list turned round.
 *
 * @throws InputError `ARGUMENT` for recorded runs whose scores rise, or are lacking.
 */
export function refuseDistances({ named, unit }: Pick<RunsToFuse, "named" | "unit">): void {
  for (const { name, run } of named) {
    const ranked: string[] = [];
    asScoredRun(run, unit, "level", (id) => ranked.push(id));
    if (ranked.length > 0)
      throw new InputError(
        "ARGUMENT",
        `${plainLine(name)}: its scores rise from hit to hit, as distances do, and only some of the ` +
          "settings read distances; give the same kind of `--normalize` to all, and `--current-normalize`",
      );
  }
}

/** Does work on runs; an error that numbers a run names it. */
export function withRunNames<T>(named: readonly NamedRun[], work: () => T): T {
  try {
    return work();
  } catch (error) {
    const name = error instanceof InputError ? named[Number(error.details["run"] ?? NaN)]?.name : undefined;
    if (!(error instanceof InputError) || name === undefined) throw error;
    throw new InputError(
      error.code,
      error.message.replace(/^runs\[\d+\]/, () => plainLine(name)),
      error.details,
      error,
    );
  }
}
