import { ascending } from "../foundation/numbers/index.js";
import type { ComparisonSettings, ScoreComparison } from "../records/schema/index.js";
import { compactLetters, differenceIntervals } from "../stats/index.js";
import type { AlignedScores } from "./aligned-scores.js";
import { adjustWithin, pairOf, roundedMean } from "./metric-differences.js";
import { pairedTests } from "./paired-tests.js";
import type { ScoredMetric } from "./score-table.js";
import { FEWEST_PAIRS } from "./verdict.js";

/** Of metrics that do not decide; 1 in 10,000 is small enough for the pairs of a hundred runs. */
const FLIPS_SHARE = 10;

/**
 * Every run by every metric: the mean with its interval, and letters for groups that do not differ. The pairs
 * of one metric are one family; groups are over the queries that all runs have a score for.
 *
 * @param allPairs the tests of the primary metric, which are not made twice.
 */
export function leaderboard(
  aligned: AlignedScores,
  names: readonly string[],
  settings: ComparisonSettings,
  allPairs: ScoreComparison["all_pairs"],
): NonNullable<ScoreComparison["leaderboard"]> {
  const columns = aligned.metrics.map((metric, column) =>
    scoresOf(aligned, column, metric, { names, settings, allPairs }),
  );
  return names.map((run, at) => ({
    run,
    scores: columns.map((scores) => scores[at] as (typeof scores)[number]),
  }));
}

/** What puts several runs beside each other. */
export type Leaderboard = typeof leaderboard;

type Score = NonNullable<ScoreComparison["leaderboard"]>[number]["scores"][number];

function scoresOf(
  aligned: AlignedScores,
  column: number,
  metric: ScoredMetric,
  {
    names,
    settings,
    allPairs,
  }: {
    readonly names: readonly string[];
    readonly settings: ComparisonSettings;
    readonly allPairs: ScoreComparison["all_pairs"];
  },
): Score[] {
  const { columns, exact } = aligned;
  const scores = columns.map((run) => (run[column] as Float64Array).filter((score) => !Number.isNaN(score)));
  const intervals = differenceIntervals(scores, {
    ...settings,
    least: scores.map(() => metric.card.range[0] ?? -Infinity),
    most: scores.map(() => metric.card.range[1] ?? Infinity),
  });
  const means = scores.map((score, run) => exact[run]?.[column]?.mean ?? roundedMean(score));
  const measured = [...names.keys()].filter((run) => means[run] !== null);
  const sign = metric.card.higher_is_better ? -1 : 1;
  const byMean = measured.sort((x, y) => ascending(sign * (means[x] as number), sign * (means[y] as number)));
  const differs =
    metric.name === settings.primary && allPairs !== null
      ? pairsOf(allPairs, names, settings)
      : testedPairs(aligned, column, settings);
  const letters = compactLetters(byMean.length, (x, y) => differs(byMean[x] as number, byMean[y] as number));
  return names.map((_, run) => ({
    metric: metric.name,
    mean: means[run] ?? null,
    interval: (scores[run] as Float64Array).length < FEWEST_PAIRS ? null : (intervals[run]?.interval ?? null),
    groups: letters[byMean.indexOf(run)] ?? [],
  }));
}

type Differs = (x: number, y: number) => boolean;

/** From the tests that the comparison has already. */
function pairsOf(
  pairs: NonNullable<ScoreComparison["all_pairs"]>,
  names: readonly string[],
  { alpha }: ComparisonSettings,
): Differs {
  const different = new Set(
    pairs
      .filter(({ p_adjusted }) => p_adjusted !== null && p_adjusted < alpha)
      .flatMap(({ run_a, run_b }) => {
        const [a, b] = [names.indexOf(run_a), names.indexOf(run_b)];
        return [`${a} ${b}`, `${b} ${a}`];
      }),
  );
  return (x, y) => different.has(`${x} ${y}`);
}

function testedPairs(
  { columns, queryIds }: AlignedScores,
  column: number,
  settings: ComparisonSettings,
): Differs {
  const measured = columns.map((run) => run[column] as Float64Array);
  const complete = [...queryIds.keys()].filter((row) => measured.every((run) => !Number.isNaN(run[row])));
  const scores = measured.map((run) => Float64Array.from(complete, (row) => run[row] as number));
  const pairs = scores.flatMap((a, x) =>
    scores.slice(x + 1).map((b, at) => ({ x, y: x + 1 + at, differences: pairOf(a, b) })),
  );
  const tests = pairedTests[settings.test](
    pairs.map(({ differences }) => differences),
    { ...settings, permutations: Math.ceil(settings.permutations / FLIPS_SHARE) },
  );
  const different = new Set(
    adjustWithin(
      tests.map(({ p }) => ({ p: complete.length === 0 ? null : p, p_adjusted: null })),
      settings,
    ).flatMap(({ p_adjusted }, at) => {
      const { x, y } = pairs[at] as (typeof pairs)[number];
      return p_adjusted !== null && p_adjusted < settings.alpha ? [`${x} ${y}`, `${y} ${x}`] : [];
    }),
  );
  return (x, y) => different.has(`${x} ${y}`);
}
