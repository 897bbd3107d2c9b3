import { sameEverywhere } from "../foundation/numbers/index.js";
import type { ComparisonSettings, ScoreComparison } from "../records/index.js";
import { randomizedTukey } from "../stats/index.js";
import { tukeyTests } from "../stats/internal.js";
import type { AlignedScores } from "./aligned-scores.js";
import { adjustWithin, metricDifferences } from "./metric-differences.js";

/** A shuffle of all runs costs more than a flip of two. */
const SHUFFLE_SHARE = 10;

/**
 * Every run that has the primary metric against every other by it, over the queries that all have a score
 * for.
 */
export function allPairs(
  { columns, exact, metrics, ...rest }: AlignedScores,
  names: readonly string[],
  settings: ComparisonSettings,
): NonNullable<ScoreComparison["all_pairs"]> {
  const column = metrics.findIndex(({ name }) => name === settings.primary);
  const metric = metrics[column];
  if (metric === undefined) return [];
  const measured = columns.map((run) => run[column] as Float64Array);
  const runs = [...names.keys()].filter((run) => measured[run]?.some((score) => !Number.isNaN(score)));
  const complete = [...rest.queryIds.keys()].filter((row) =>
    runs.every((run) => !Number.isNaN(measured[run]?.[row])),
  );
  const scores = runs.map((run) => Float64Array.from(complete, (row) => measured[run]?.[row] as number));
  const tests = runs.flatMap((_, first) =>
    metricDifferences(
      {
        ...rest,
        metrics: [metric],
        columns: scores.slice(first).map((score) => [score]),
        exact: runs.slice(first).map((run) => [exact[run]?.[column] ?? null]),
      },
      settings,
      "slice",
    ).map(([difference]) => difference as NonNullable<typeof difference>),
  );
  const adjusted = adjustWithin(tests, settings);
  const lists = scores.map((score) => Array.from(score));
  const tukey = tukeyTests(lists).pairs;
  const shuffled = randomizedTukey(lists, {
    seed: settings.seed,
    permutations: Math.ceil(settings.permutations / SHUFFLE_SHARE),
  }).pairs;
  const pairs = runs.flatMap((a, first) =>
    runs.slice(first + 1).map((b) => ({ run_a: names[a] as string, run_b: names[b] as string })),
  );
  return pairs.map((pair, at) => {
    const { difference = null, p = null, p_adjusted = null } = adjusted[at] ?? {};
    const together = tukey[at]?.p ?? null;
    return {
      ...pair,
      difference,
      p,
      p_adjusted,
      // Its quadrature sums thousands of exponentials.
      p_tukey: together === null ? null : sameEverywhere(together),
      p_randomized_tukey: shuffled[at]?.p ?? null,
    };
  });
}
