import { groupBy } from "../foundation/columns/index.js";
import { InputError } from "../foundation/errors/index.js";
import { countOf, formatCount, roundTo4, scoreDifference } from "../foundation/numbers/index.js";
import { type ComparisonSettings, familyOf, type MetricDifference, signOfMove } from "../records/index.js";
import {
  adjustPValues,
  cohenDz,
  differenceIntervals,
  mean,
  pairedTests,
  type PairedTestResult,
} from "../stats/index.js";
import { detectableBy, pairsNeededBy, standardDeviation } from "../stats/internal.js";
import type { AlignedScores, ExactMean } from "./aligned-scores.js";
import { MOST_DRAWS } from "./comparison-settings.js";
import type { ScoredMetric } from "./score-table.js";
import { testsByGroup, type RowedDifferences } from "./wordings.js";

/** Smaller differences are rounding. */
const NO_DIFFERENCE = 1e-12;

/**
 * How much of the statistics is wanted: slices need neither power nor t intervals, and tests only of the
 * metrics that decide.
 */
export type Extent = "whole" | "slice";

const NO_TEST: PairedTestResult = { p: NaN, isExact: true };

/**
 * The paired differences of every run from the first one, by run and then by metric, each tested by itself.
 * The sign flips are drawn once and shared by all. `p_adjusted` is null until {@link adjustWithin} settles
 * it.
 */
export function metricDifferences(
  { metrics, columns, exact, isAbsent, wordings }: AlignedScores,
  settings: ComparisonSettings,
  extent: Extent = "whole",
): MetricDifference[][] {
  const [baseline = [], ...others] = columns;
  const pairs = others.flatMap((run, at) => {
    // What only further runs were scored on is no pair of these two.
    const isOfNeither = isAbsent[0]?.map((isIt, row) => isIt && isAbsent[at + 1]?.[row] === true) ?? [];
    const without = (scores: Float64Array): Float64Array =>
      isOfNeither.includes(true) ? scores.map((score, row) => (isOfNeither[row] ? NaN : score)) : scores;
    return run.map((b, column) => pairOf(without(baseline[column] as Float64Array), without(b)));
  });
  const decisive = new Set([settings.primary, ...settings.guards.map(({ metric }) => metric)]);
  const chosen = [...pairs.keys()].filter(
    (at) => extent === "whole" || decisive.has((metrics[at % metrics.length] as ScoredMetric).name),
  );
  const tests = new Map(
    pairedTests[settings.test]
      .test(
        chosen.map((at) => pairs[at] as Pair),
        settings,
      )
      .map((test, index) => [chosen[index], test]),
  );
  const widths = chosen.map((at) => widthOf(metrics[at % metrics.length] as ScoredMetric, pairs[at] as Pair));
  const scores = chosen.map((at) => (pairs[at] as Pair).unrounded);
  const found = differenceIntervals(scores, { ...settings, most: widths });
  const intervals = new Map(chosen.map((at, index) => [at, found[index]]));
  const byGroup = new Map(
    wordings === null
      ? []
      : testsByGroup(
          chosen.map((at) => pairs[at] as Pair),
          wordings,
          { ...settings, most: widths },
        ).map((tested, index) => [chosen[index], tested]),
  );
  const pairedTest = pairedTests[settings.test];
  const detectable = new Map<number, number>();
  return others.map((_, run) =>
    metrics.map(({ name, card }, column): MetricDifference => {
      const at = run * metrics.length + column;
      const { a, b, differences } = pairs[at] as Pair;
      const test = inReach(tests.get(at) ?? NO_TEST, name, settings);
      const count = differences.length;
      const sign = card.higher_is_better ? 1 : -1;
      const [meanA, meanB] = [
        roundExactMean(a, exact[0]?.[column]),
        roundExactMean(b, exact[run + 1]?.[column]),
      ];
      // Wordings say less than as many other queries.
      const grouped = byGroup.get(at);
      const units = grouped?.groups ?? count;
      if (extent === "whole" && !detectable.has(units))
        detectable.set(units, detectableBy(pairedTest, units, settings));
      const deviation = standardDeviation(grouped?.shares ?? differences);
      const needed =
        extent === "whole" && deviation > 0
          ? pairsNeededBy(pairedTest, mean(grouped?.shares ?? differences) / deviation, settings)
          : null;
      const moved = {
        pairs: count,
        difference: meanA === null || meanB === null ? null : roundTo4(meanB - meanA),
        interval: intervals.get(at)?.interval ?? null,
        improved: differences.filter((each) => sign * each > settings.tolerance).length,
        worse: differences.filter((each) => sign * each < -settings.tolerance).length,
      };
      const isOpposed = ({ way = 0 }: PairedTestResult): boolean =>
        way * signOfMove(moved, card.higher_is_better) < 0;
      return {
        metric: name,
        pairs: count,
        mean_a: meanA,
        mean_b: meanB,
        difference: moved.difference,
        interval: moved.interval,
        bca_interval: intervals.get(at)?.bca ?? null,
        t_interval: intervals.get(at)?.t ?? null,
        p: count === 0 ? null : finite(test.p),
        p_adjusted: null,
        is_exact: test.isExact,
        ...(isOpposed(test) && { is_opposed: true as const }),
        effect_size: finite(cohenDz(differences)),
        improved: moved.improved,
        equal: differences.filter((each) => Math.abs(each) <= settings.tolerance).length,
        worse: moved.worse,
        detectable:
          extent === "whole" && deviation > 0 ? finite((detectable.get(units) as number) * deviation) : null,
        queries_needed: needed === null ? null : Math.ceil((needed * count) / units),
        ...(grouped && {
          by_group: {
            groups: grouped.groups,
            interval: grouped.interval,
            p: finite(inReach(grouped.test, name, settings).p),
            p_adjusted: null,
            ...(isOpposed(grouped.test) && { is_opposed: true as const }),
          },
        }),
      };
    }),
  );
}

/**
 * Of drawn sign flips no p value is below one in their number: with too few nothing would ever be found.
 *
 * @throws InputError `ARGUMENT`
 */
function inReach(
  found: PairedTestResult,
  metric: string,
  { test, alpha, permutations, primary, guards }: ComparisonSettings,
): PairedTestResult {
  const isDrawn = test === "randomization" && !found.isExact;
  const decides = metric === primary || guards.some((guard) => guard.metric === metric);
  if (!isDrawn || !decides || alpha * (permutations + 1) > 1) return found;
  const enough = Math.ceil(1 / alpha);
  throw new InputError(
    "ARGUMENT",
    `alpha ${alpha} is out of reach of ${countOf(permutations, "sign flip")}, of which no p value is below ` +
      `1 / ${formatCount(permutations + 1)}; ask for ` +
      (enough > MOST_DRAWS ? "" : `at least ${formatCount(enough)} \`permutations\`, or for `) +
      "another test",
  );
}

/**
 * One family of tests with its adjusted p values, in the same order. Those without a test stay without one.
 */
export function adjustWithin<T extends Pick<MetricDifference, "p" | "p_adjusted">>(
  family: readonly T[],
  { correction, alpha }: ComparisonSettings,
): T[] {
  const tested = family.filter(({ p }) => p !== null);
  const adjusted = adjustPValues(
    tested.map(({ p }) => p as number),
    correction,
    alpha,
  );
  const byTest = new Map(tested.map((each, index) => [each, adjusted[index] as number]));
  return family.map((each) => ({ ...each, p_adjusted: byTest.get(each) ?? null }));
}

/** Adjusted over all runs, each family by itself. */
export function adjustFamilies(
  byRun: readonly (readonly MetricDifference[])[],
  settings: ComparisonSettings,
): MetricDifference[][] {
  const families = groupBy(byRun.flat(), ({ metric }) => familyOf(metric, settings));
  const adjusted = new Map(
    [...families].map(([family, members]) => [family, adjustWithin(members, settings).values()]),
  );
  const adjustedBy = byRun.map((metrics) =>
    metrics.map(({ metric }) => adjusted.get(familyOf(metric, settings))?.next().value as MetricDifference),
  );
  if (!byRun.flat().some(({ by_group }) => by_group !== undefined)) return adjustedBy;
  const asGroups = byRun.map((metrics) =>
    metrics.map(({ by_group, ...row }) => ({ ...row, p: by_group === undefined ? row.p : by_group.p })),
  );
  return adjustFamilies(asGroups, settings).map((metrics, run) =>
    metrics.map(({ p_adjusted }, at) => {
      const row = adjustedBy[run]?.[at] as MetricDifference;
      return row.by_group === undefined ? row : { ...row, by_group: { ...row.by_group, p_adjusted } };
    }),
  );
}

/** How far apart two scores can be; of scores beyond their range, how far they are. */
function widthOf({ card: { range } }: ScoredMetric, { unrounded }: Pair): number {
  const [low, high] = range;
  if (low === null || high === null) return Infinity;
  return unrounded.reduce((width, difference) => Math.max(width, Math.abs(difference)), high - low);
}

interface Pair extends RowedDifferences {
  readonly a: Float64Array;
  readonly b: Float64Array;
}

/** The differences of one metric between two runs, over the queries that both have a score for. */
export function pairOf(a: Float64Array, b: Float64Array): Pair {
  const isPaired = (_: number, row: number): boolean => !Number.isNaN(a[row]) && !Number.isNaN(b[row]);
  const byQuery = a.map((score, row) => {
    const difference = (b[row] as number) - score;
    return Math.abs(difference) < NO_DIFFERENCE || Number.isNaN(difference) ? 0 : difference;
  });
  const rows = [...byQuery.keys()].filter((row) => isPaired(0, row));
  const unrounded = byQuery.filter(isPaired);
  const [ofA, ofB] = [a.filter(isPaired), b.filter(isPaired)];
  return {
    a: ofA,
    b: ofB,
    differences: ofA.map((score, row) => scoreDifference(ofB[row] as number, score)),
    unrounded,
    byQuery,
    rows,
  };
}

/** The exact mean, where it is over the same scores. */
export function roundExactMean(scores: Float64Array, exact: ExactMean | null | undefined): number | null {
  return exact?.count === scores.length ? exact.mean : roundMean(scores);
}

/** At 4 decimals; null for none. */
export function roundMean(scores: Float64Array): number | null {
  return scores.length === 0 ? null : roundTo4(mean(scores));
}

/** Null for what does not exist. */
export function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
