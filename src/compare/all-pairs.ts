import { roundTo4, sameEverywhere } from "../foundation/numbers/index.js";
import type { ComparisonSettings, ScoreComparison } from "../records/index.js";
import { pairedTests, randomizedTukey } from "../stats/index.js";
import { pairsOf, randomizationTestsOfPairs, tukeyTests } from "../stats/internal.js";
import type { AlignedScores } from "./aligned-scores.js";
import { asIntents, lessSureP } from "./wordings.js";
import type { DoubtOfRuns } from "./other-depths.js";
import { adjustWithin, finite, pairOf, roundExactMean } from "./metric-differences.js";

/** A shuffle of all runs costs more than a flip of two. */
const SHUFFLE_SHARE = 10;

/**
 * Every run that has the primary metric against every other by it, over the queries that all have a score
 * for; also with all wordings of an intent as one.
 */
export function compareAllPairs(
  { columns, exact, metrics, ...rest }: AlignedScores,
  names: readonly string[],
  settings: ComparisonSettings,
  undecided?: DoubtOfRuns,
): NonNullable<ScoreComparison["all_pairs"]> {
  const column = metrics.findIndex(({ name }) => name === settings.primary);
  const metric = metrics[column];
  if (metric === undefined) return [];
  const measured = columns.map((run) => run[column] as Float64Array);
  const runs = [...names.keys()].filter((run) => measured[run]?.some((score) => !Number.isNaN(score)));
  const complete = [...rest.queryIds.keys()].filter((row) =>
    runs.every((run) => !Number.isNaN(measured[run]?.[row])),
  );
  const byQuery = runs.map((run) => Float64Array.from(complete, (row) => measured[run]?.[row] as number));
  const means = runs.map((run, at) => roundExactMean(byQuery[at] as Float64Array, exact[run]?.[column]));
  const byIntent = asIntents(byQuery, complete, rest.wordings);
  const pairs = pairsOf(runs.length);
  const tests = testsOfPairs(byQuery, pairs, settings);
  const ofIntents = byIntent === null ? null : testsOfPairs(byIntent.scores, pairs, settings);
  const adjusted = adjustWithin(
    tests.map(({ p }, at) => ({
      p: complete.length === 0 ? null : lessSureP(p, byIntent, ofIntents?.[at]?.p ?? null),
      p_adjusted: null,
    })),
    settings,
  );
  const [together, ofTogether = []] = [byQuery, ...(byIntent === null ? [] : [byIntent.scores])].map(
    (scores) => testsTogether(scores, settings),
  ) as [TogetherTests[], TogetherTests[]?];
  return pairs.map(([first, second], at) => {
    const { p: own = null, p_adjusted = null } = adjusted[at] ?? {};
    const [meanA, meanB] = [means[first] ?? null, means[second] ?? null];
    const difference = meanA === null || meanB === null ? null : roundTo4(meanB - meanA);
    const lessSure = (name: keyof TogetherTests): number | null =>
      lessSureP(together[at]?.[name] ?? null, byIntent, ofTogether[at]?.[name] ?? null);
    const doubt = undecided?.(metric.name, runs[first] as number, runs[second] as number);
    const ways = [tests[at]?.way ?? 0, ofIntents?.[at]?.way ?? 0];
    return {
      run_a: names[runs[first] as number] as string,
      run_b: names[runs[second] as number] as string,
      difference,
      p: own,
      p_adjusted,
      ...(ways.some((way) => way * Math.sign(difference ?? 0) < 0) && { is_opposed: true as const }),
      p_tukey: lessSure("tukey"),
      p_randomized_tukey: lessSure("randomized"),
      ...(doubt && { undecided: doubt }),
    };
  });
}

/** P values of tests of all pairs at once. */
interface TogetherTests {
  readonly tukey: number | null;
  readonly randomized: number | null;
}

function testsTogether(scores: readonly Float64Array[], settings: ComparisonSettings): TogetherTests[] {
  const lists = scores.map((score) => Array.from(score));
  const shuffled = randomizedTukey(lists, {
    seed: settings.seed,
    permutations: Math.ceil(settings.permutations / SHUFFLE_SHARE),
  }).pairs;
  return tukeyTests(lists).pairs.map(({ p }, at) => ({
    // Its quadrature sums thousands of exponentials.
    tukey: p === null ? null : sameEverywhere(p),
    randomized: shuffled[at]?.p ?? null,
  }));
}

/** All pairs by the test that was asked for: p values, and which way it points where the mean may not. */
function testsOfPairs(
  scores: readonly Float64Array[],
  pairs: readonly (readonly [first: number, second: number])[],
  settings: ComparisonSettings,
): { readonly p: number | null; readonly way?: number | undefined }[] {
  const differences = (first: number, second: number): ReturnType<typeof pairOf> =>
    pairOf(scores[first] as Float64Array, scores[second] as Float64Array);
  if (settings.test === "randomization")
    return randomizationTestsOfPairs(scores, (...pair) => differences(...pair).byQuery, settings);
  // One after the other, so that not all differences are in memory together.
  return pairs
    .flatMap((pair) => pairedTests[settings.test].test([differences(...pair)], settings))
    .map(({ p, way }) => ({ p: finite(p), way }));
}
