import type { ComparisonSettings, ScoreComparison } from "../schema/index.js";
import { randomizedTukey, tukeyHsd } from "../stats/index.js";
import type { AlignedScores } from "./aligned-scores.js";
import { adjustWithin, metricDifferences } from "./metric-differences.js";
import { storedP } from "./paired-tests.js";

/** A shuffle of all runs costs more than a flip of two. */
const SHUFFLE_SHARE = 10;

/** Every run against every other by the primary metric, over the queries that all have a score for. */
export function allPairs({ columns, exact, metrics, ...rest }: AlignedScores, runs: readonly string[], settings: ComparisonSettings): NonNullable<ScoreComparison["all_pairs"]> {
  const column = metrics.findIndex(({ name }) => name === settings.primary);
  const metric = metrics[column];
  if (metric === undefined) return [];
  const complete = [...rest.queryIds.keys()].filter((row) => columns.every((run) => !Number.isNaN(run[column]?.[row])));
  const scores = columns.map((run) => Float64Array.from(complete, (row) => run[column]?.[row] as number));
  const tests = runs.flatMap((_, first) => metricDifferences({ ...rest, metrics: [metric], columns: scores.slice(first).map((score) => [score]), exact: exact.slice(first).map((run) => [run[column] ?? null]) }, settings, "slice").map(([difference]) => difference as NonNullable<typeof difference>));
  const adjusted = adjustWithin(tests, settings);
  const lists = scores.map((score) => Array.from(score));
  const tukey = tukeyHsd(lists).pairs;
  const shuffled = randomizedTukey(lists, { seed: settings.seed, permutations: Math.ceil(settings.permutations / SHUFFLE_SHARE) }).pairs;
  const names = runs.flatMap((run_a, first) => runs.slice(first + 1).map((run_b) => ({ run_a, run_b })));
  return names.map((pair, at) => {
    const { difference = null, p = null, p_adjusted = null } = adjusted[at] ?? {};
    return { ...pair, difference, p, p_adjusted, p_tukey: storedP(tukey[at]?.p ?? null), p_randomized_tukey: storedP(shuffled[at]?.p ?? null) };
  });
}
