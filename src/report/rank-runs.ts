import { oneLine } from "../foundation/text/index.js";
import { ascending, formatChange, formatShare, formatP } from "../foundation/numbers/index.js";
import { gainOf, type ScoreComparison } from "../records/index.js";
import { formatScoreOf, formatVerdict } from "./printed-statistics.js";
import { formatSpan } from "./run-report-rows.js";

type RankedScore = NonNullable<ScoreComparison["leaderboard"]>[number]["scores"][number];

/**
 * The baseline and the runs against it, the best mean of the primary metric first: mean, its interval,
 * letters of groups that do not differ, difference, adjusted p value and verdict.
 */
export function rankRuns(
  comparison: Pick<ScoreComparison, "runs" | "comparisons" | "settings" | "metric_cards" | "leaderboard">,
): { readonly run: string; readonly cells: readonly string[] }[] {
  const { runs, comparisons, settings, leaderboard } = comparison;
  const primary = settings.primary ?? "";
  const sign = gainOf(comparison, primary);
  const scoreOf = (index: number): RankedScore | undefined =>
    leaderboard?.[index]?.scores.find(({ metric }) => metric === primary);
  // Each over its own queries, as its interval is; over those that two have only where there are two.
  const mean = (index: number): number | null =>
    leaderboard != null
      ? (scoreOf(index)?.mean ?? null)
      : index === 0
        ? (comparisons[0]?.metrics.find(({ metric }) => metric === primary)?.mean_a ?? null)
        : (comparisons[index - 1]?.metrics.find(({ metric }) => metric === primary)?.mean_b ?? null);
  const rows = runs.map(({ run }, index) => {
    const comparison = comparisons[index - 1];
    const difference = comparison?.metrics.find(({ metric }) => metric === primary);
    const cells =
      index === 0
        ? ["", "", "baseline"]
        : [
            formatChange(difference?.difference ?? null),
            formatP(difference?.p_adjusted ?? null),
            comparison === undefined ? "" : formatVerdict(comparison.verdict.kind),
          ];
    const score = scoreOf(index);
    const ofBoard =
      leaderboard == null ? [] : [formatSpan(score?.interval ?? null), score?.groups?.join("") ?? ""];
    return { run, mean: mean(index), cells: [formatScoreOf(mean(index)), ...ofBoard, ...cells] };
  });
  const worth = (value: number | null): number => (value === null ? -Infinity : sign * value);
  return rows.sort((x, y) => ascending(worth(y.mean), worth(x.mean)));
}

/** The heads of these cells. */
export function listRankedHeads({
  settings,
  leaderboard,
}: Pick<ScoreComparison, "settings" | "leaderboard">): string[] {
  return [
    "run",
    oneLine(settings.primary ?? ""),
    ...(leaderboard == null ? [] : [`${formatShare(settings.confidence)} interval`, "group"]),
    "difference",
    "p, adjusted",
    "verdict",
  ];
}
