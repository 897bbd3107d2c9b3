import { groupBy } from "../foundation/columns/index.js";
import { InputError } from "../foundation/errors/index.js";
import { countOf, formatCount, roundTo4, scoreDifference } from "../foundation/numbers/index.js";
import {
  areFewUnits,
  type ComparisonSettings,
  FEWEST_PAIRS,
  familyOf,
  type MetricDifference,
  signOfMove,
} from "../records/index.js";
import {
  adjustPValues,
  cohenDz,
  differenceIntervals,
  mean,
  pairedTests,
  type DifferenceInterval,
  type Interval,
  type PairedTestResult,
} from "../stats/index.js";
import { detectableBy, pairsNeededBy, standardDeviation, widerOf } from "../stats/internal.js";
import type { AlignedScores, ExactMean } from "./aligned-scores.js";
import { MOST_DRAWS } from "./comparison-settings.js";
import type { ScoredMetric } from "./score-table.js";
import { testsByGroup, type RowedDifferences, type TestedByGroup, type Wordings } from "./wordings.js";

/** Smaller differences are rounding. */
const NO_DIFFERENCE = 1e-12;

/**
 * How much of the statistics is wanted: slices need neither power nor t intervals, and tests only of the
 * metrics that decide.
 */
export type Extent = "whole" | "slice";

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
  const metricAt = (at: number): ScoredMetric => metrics[at % metrics.length] as ScoredMetric;
  const chosen = [...pairs.keys()].filter((at) => extent === "whole" || decisive.has(metricAt(at).name));
  const widths = chosen.map((at) => widthOf(metricAt(at), pairs[at] as Pair));
  const found = testPairs(
    chosen.map((at) => pairs[at] as Pair),
    wordings,
    { ...settings, most: widths },
  );
  const tested = new Map(chosen.map((at, index) => [at, found[index] as TestedPair]));
  const needs = needsOf(settings);
  return others.map((_, run) =>
    metrics.map((metric, column): MetricDifference => {
      const at = run * metrics.length + column;
      const pair = pairs[at] as Pair;
      const means = [
        roundExactMean(pair.a, exact[0]?.[column]),
        roundExactMean(pair.b, exact[run + 1]?.[column]),
      ] as const;
      const given = tested.get(at) ?? UNTESTED;
      return rowOf(metric, pair, means, given, extent === "whole" ? needs(pair, given) : NO_NEED, settings);
    }),
  );
}

/** What tests and intervals say of a pair, by queries and with all wordings of an intent as one. */
interface TestedPair {
  readonly test: PairedTestResult;
  readonly intervals: DifferenceInterval;
  readonly grouped: TestedByGroup | undefined;
}

const UNTESTED: TestedPair = {
  test: { p: NaN, isExact: true },
  intervals: { interval: null, bca: null, t: null },
  grouped: undefined,
};

function testPairs(
  pairs: readonly Pair[],
  wordings: Wordings | null,
  settings: ComparisonSettings & { readonly most: readonly number[] },
): TestedPair[] {
  const tests = pairedTests[settings.test].test(pairs, settings);
  const intervals = differenceIntervals(
    pairs.map(({ unrounded }) => unrounded),
    settings,
  );
  const grouped = wordings === null ? [] : testsByGroup(pairs, wordings, settings);
  return pairs.map((_, at) => ({
    test: tests[at] as PairedTestResult,
    intervals: intervals[at] as DifferenceInterval,
    grouped: grouped[at],
  }));
}

/** What so many queries find, and how many would be needed. */
type Need = Pick<MetricDifference, "detectable" | "queries_needed">;

const NO_NEED: Need = { detectable: null, queries_needed: null };

/** By queries or with all wordings of an intent as one, whichever finds less and needs more. */
function needsOf(settings: ComparisonSettings): (pair: Pair, tested: TestedPair) => Need {
  const pairedTest = pairedTests[settings.test];
  const known = new Map<number, number>();
  /** By what each query or intent adds; none where that does not vary. */
  const needOf = (shares: Float64Array, count: number): { detectable: number; needed: number | null }[] => {
    const units = shares.length;
    const detectable = known.get(units) ?? detectableBy(pairedTest, units, settings);
    known.set(units, detectable);
    const deviation = standardDeviation(shares);
    if (!(deviation > 0)) return [];
    const needed = pairsNeededBy(pairedTest, mean(shares) / deviation, settings);
    return [
      {
        detectable: detectable * deviation,
        needed: needed === null ? null : Math.ceil((needed * count) / units),
      },
    ];
  };
  return ({ differences }, { grouped }) => {
    // So few find nothing, and more wordings of theirs would not.
    if (grouped !== undefined && grouped.effective < FEWEST_PAIRS) return NO_NEED;
    const count = differences.length;
    const needs = [differences, ...(grouped === undefined ? [] : [grouped.shares])].flatMap((shares) =>
      needOf(shares, count),
    );
    const needed = needs.flatMap((need) => need.needed ?? []);
    return {
      detectable: needs.length === 0 ? null : finite(Math.max(...needs.map(({ detectable }) => detectable))),
      queries_needed: needed.length === 0 ? null : Math.max(...needed),
    };
  };
}

function rowOf(
  { name, card }: ScoredMetric,
  { differences }: Pair,
  [meanA, meanB]: readonly [number | null, number | null],
  { test, intervals, grouped }: TestedPair,
  { detectable, queries_needed }: Need,
  settings: ComparisonSettings,
): MetricDifference {
  const sign = card.higher_is_better ? 1 : -1;
  const moved = {
    pairs: differences.length,
    difference: meanA === null || meanB === null ? null : roundTo4(meanB - meanA),
    interval: intervals.interval,
    improved: differences.filter((each) => sign * each > settings.tolerance).length,
    worse: differences.filter((each) => sign * each < -settings.tolerance).length,
  };
  const tellsOf = (found: PairedTestResult, interval: Interval | null): Told => ({
    interval,
    p: moved.pairs === 0 ? null : finite(inReach(found, name, settings).p),
    ...((found.way ?? 0) * signOfMove(moved, card.higher_is_better) < 0 && { is_opposed: true as const }),
  });
  const byQuery = tellsOf(test, intervals.interval);
  const byGroup = grouped && byGroupOf(grouped, tellsOf(grouped.test, grouped.interval), moved);
  const { interval, p, ...opposed } = byGroup === undefined ? byQuery : lessSure(byQuery, byGroup, moved);
  return {
    metric: name,
    pairs: moved.pairs,
    mean_a: meanA,
    mean_b: meanB,
    difference: moved.difference,
    interval,
    bca_interval: intervals.bca,
    t_interval: intervals.t,
    p,
    p_adjusted: null,
    is_exact: p !== null && p === byGroup?.p ? (grouped as TestedByGroup).test.isExact : test.isExact,
    ...opposed,
    effect_size: finite(cohenDz(differences)),
    improved: moved.improved,
    equal: differences.filter((each) => Math.abs(each) <= settings.tolerance).length,
    worse: moved.worse,
    detectable,
    queries_needed,
    ...(byGroup && { by_query: byQuery, by_group: byGroup }),
  };
}

type Told = NonNullable<MetricDifference["by_query"]>;
type ByGroup = NonNullable<MetricDifference["by_group"]>;
type Moves = Pick<MetricDifference, "pairs" | "improved" | "worse">;

/** Of what is too little for a test. */
const UNTOLD: Told = { interval: null, p: null };

/** What intents say; how many they are alone where they say too little. */
function byGroupOf({ groups, effective, differing }: TestedByGroup, told: Told, moved: Moves): ByGroup {
  // Not rounded up to what would be enough.
  const cut = Math.floor(effective * 1e4) / 1e4;
  const worth = { groups, ...(effective < groups && { effective: cut }), differing };
  const by_group = { ...told, ...worth };
  return areFewUnits({ ...moved, by_group }) ? { ...UNTOLD, ...worth } : by_group;
}

/**
 * At each end the wider interval, and the larger p value. Groups that all differ by the same have no interval
 * of their own.
 */
function lessSure(byQuery: Told, byGroup: ByGroup, moved: Moves): Told {
  if (areFewUnits({ ...moved, by_group: byGroup })) return UNTOLD;
  const { interval: a, p: p1 } = byQuery;
  const { interval: b, p: p2 } = byGroup;
  return {
    interval: a === null || b === null ? a : widerOf(a, b),
    p: p1 === null || p2 === null ? null : Math.max(p1, p2),
    ...((byQuery.is_opposed ?? byGroup.is_opposed) && { is_opposed: true as const }),
  };
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
  return byRun.map((metrics) =>
    metrics.map(({ metric }) => adjusted.get(familyOf(metric, settings))?.next().value as MetricDifference),
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
