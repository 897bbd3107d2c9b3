import { roundTo4 } from "../numbers/index.js";
import type { ComparisonSettings, MetricDifference } from "../schema/index.js";
import { adjustPValues, bootstrapIntervals, cohenDz, detectableEffect, mean, pairsNeeded, standardDeviation, tInterval, type Interval } from "../stats/index.js";
import type { AlignedScores, ExactMean } from "./aligned-scores.js";
import { pairedTests, storedP, type PairedDifferences, type Tested } from "./paired-tests.js";

/** Differences of scores that are equal but for rounding must tie: 0.9 - 0.8 is not 0.2 - 0.1 in doubles. */
const DIFFERENCE_UNITS = 1e12;

/** How much of the statistics is wanted: slices need neither power nor t intervals. */
export type Extent = "whole" | "slice";

/**
 * The paired differences of every run from the first one, by run and then by metric, each tested by itself. The sign flips are drawn once and
 * shared by all. `p` is in full precision, and `p_adjusted` null, until {@link adjustWithin} settles both.
 */
export function metricDifferences({ metrics, columns, exact }: AlignedScores, settings: ComparisonSettings, extent: Extent = "whole"): MetricDifference[][] {
  const [baseline = [], ...others] = columns;
  const pairs = others.flatMap((run) => run.map((b, column) => pairOf(baseline[column] as Float64Array, b)));
  const tests = pairedTests[settings.test](pairs, settings);
  const intervals = bootstrapIntervals(pairs.map(({ differences }) => differences), settings);
  const detectable = new Map<number, number>();
  return others.map((_, run) =>
    metrics.map(({ name, card }, column): MetricDifference => {
      const at = run * metrics.length + column;
      const { a, b, differences } = pairs[at] as Pair;
      const count = differences.length;
      const sign = card.higher_is_better ? 1 : -1;
      const [meanA, meanB] = [storedMean(a, exact[0]?.[column]), storedMean(b, exact[run + 1]?.[column])];
      if (extent === "whole" && !detectable.has(count)) detectable.set(count, detectableEffect(count, settings));
      const effect = cohenDz(differences);
      return {
        metric: name,
        pairs: count,
        mean_a: meanA,
        mean_b: meanB,
        difference: meanA === null || meanB === null ? null : roundTo4(meanB - meanA),
        interval: storedInterval(intervals[at] ?? null),
        t_interval: extent === "whole" ? storedInterval(tInterval(differences, settings.confidence)) : null,
        p: count === 0 ? null : (tests[at] as Tested).p,
        p_adjusted: null,
        is_exact: (tests[at] as Tested).is_exact,
        effect_size: storedScore(effect),
        improved: differences.filter((difference) => sign * difference > settings.tolerance).length,
        equal: differences.filter((difference) => Math.abs(difference) <= settings.tolerance).length,
        worse: differences.filter((difference) => sign * difference < -settings.tolerance).length,
        detectable: extent === "whole" ? storedScore((detectable.get(count) as number) * standardDeviation(differences)) : null,
        queries_needed: extent === "whole" && Number.isFinite(effect) ? pairsNeeded(effect, settings) : null,
      };
    }),
  );
}

/** One family of tests with its adjusted p values, in the same order, both as they are stored. Those without a test stay without one. */
export function adjustWithin<T extends Pick<MetricDifference, "p" | "p_adjusted">>(family: readonly T[], { correction, alpha }: ComparisonSettings): T[] {
  const tested = family.filter(({ p }) => p !== null);
  const adjusted = adjustPValues(tested.map(({ p }) => p as number), correction, alpha);
  const byTest = new Map(tested.map((each, index) => [each, adjusted[index] as number]));
  return family.map((each) => ({ ...each, p: storedP(each.p), p_adjusted: storedP(byTest.get(each) ?? null) }));
}

interface Pair extends PairedDifferences {
  readonly a: Float64Array;
  readonly b: Float64Array;
}

function pairOf(a: Float64Array, b: Float64Array): Pair {
  const isPaired = (_: number, row: number): boolean => !Number.isNaN(a[row]) && !Number.isNaN(b[row]);
  const byQuery = a.map((score, row) => {
    const difference = Math.round(((b[row] as number) - score) * DIFFERENCE_UNITS) / DIFFERENCE_UNITS;
    return Number.isNaN(difference) ? 0 : difference;
  });
  return { a: a.filter(isPaired), b: b.filter(isPaired), differences: byQuery.filter(isPaired), byQuery };
}

/** The exact mean, where it is over the same scores. */
function storedMean(scores: Float64Array, exact: ExactMean | null | undefined): number | null {
  return exact?.count === scores.length ? exact.mean : storedScore(mean(scores));
}

/** At 4 decimals; null for what does not exist. */
export function storedScore(value: number): number | null {
  return Number.isFinite(value) ? roundTo4(value) : null;
}

function storedInterval(interval: Interval | null): MetricDifference["interval"] {
  return interval && { low: roundTo4(interval.low), high: roundTo4(interval.high) };
}
