import type { ComparisonSettings, ScoreComparison } from "../records/index.js";
import type { AlignedScores } from "./aligned-scores.js";
import { compareAllPairs } from "./all-pairs.js";
import { leaderboard } from "./leaderboard.js";
import type { DoubtOfRuns } from "./other-depths.js";

/** What more than two runs have: every run against every other, and all of them beside each other. */
export function severalRuns(
  aligned: AlignedScores,
  names: readonly string[],
  settings: ComparisonSettings,
  undecided?: DoubtOfRuns,
): Pick<ScoreComparison, "all_pairs" | "leaderboard"> {
  const pairs = compareAllPairs(aligned, names, settings, undecided);
  return { all_pairs: pairs, leaderboard: leaderboard(aligned, names, settings, { pairs, undecided }) };
}

/** {@link severalRuns}, to be handed in. */
export type SeveralRuns = typeof severalRuns;
