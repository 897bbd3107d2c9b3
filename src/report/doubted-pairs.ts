import { firstOf, oneLine } from "../foundation/text/index.js";
import { doesFollow, metricCardOf, type ScoreComparison } from "../records/index.js";

type Pair = NonNullable<ScoreComparison["all_pairs"]>[number];

const MOST_NAMED = 5;

/** Whether what a pair of runs differs by follows from the numbers. */
export function isFollowing({ difference, undecided }: Pair, comparison: ScoreComparison): boolean {
  const sign = metricCardOf(comparison, comparison.settings.primary ?? "").higher_is_better ? 1 : -1;
  return doesFollow(undecided, sign * (difference ?? 0) > 0 ? "better" : "worse");
}

/** Of which pairs of runs nothing follows, as a sentence; empty where there are none. */
export function formatDoubtedPairs(comparison: ScoreComparison): string {
  const doubted = (comparison.all_pairs ?? []).filter((pair) => !isFollowing(pair, comparison));
  const names = doubted.map(({ run_a, run_b }) => `${oneLine(run_a)} → ${oneLine(run_b)}`);
  return names.length === 0 ? "" : `Nothing follows from the difference of ${firstOf(names, MOST_NAMED)}.`;
}
