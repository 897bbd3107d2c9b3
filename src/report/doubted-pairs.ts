import { oneLine } from "../foundation/text/index.js";
import type { ScoreComparison } from "../records/index.js";

/** Of which pairs of runs nothing follows, as a sentence; empty where there are none. */
export function doubtedPairs(pairs: NonNullable<ScoreComparison["all_pairs"]>): string {
  const doubted = pairs.filter(({ undecided }) => undecided !== undefined);
  const names = doubted.map(({ run_a, run_b }) => `${oneLine(run_a)} and ${oneLine(run_b)}`);
  return names.length === 0 ? "" : `Nothing follows from the difference of ${names.join(", or of ")}.`;
}
