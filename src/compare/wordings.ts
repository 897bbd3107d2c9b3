import { groupBy } from "../foundation/columns/index.js";
import { exactSum, scoreDifference } from "../foundation/numbers/index.js";
import { FEWEST_PAIRS, type ComparisonSettings } from "../records/index.js";
import {
  differenceIntervals,
  mean,
  pairedTests,
  type Interval,
  type PairedDifferences,
  type PairedTestResult,
} from "../stats/index.js";

/** By row the intent that a query is a wording of; null for one that stands alone. */
export type Wordings = readonly (string | null)[];

/** The differences of one metric, with the rows that they are of. */
export interface RowedDifferences extends PairedDifferences {
  readonly rows: readonly number[];
}

/** What the test and the interval of groups say, and what they rest on. */
export interface TestedByGroup {
  readonly groups: number;
  readonly interval: Interval | null;
  readonly test: PairedTestResult;
  /** By group what it adds to the mean difference. */
  readonly shares: Float64Array;
  /** Groups whose wordings together differ. */
  readonly differing: number;
}

/**
 * The tests and intervals of some metrics with all wordings of an intent as one; undefined for a metric
 * whose queries all stand alone.
 *
 * Sign flips turn the sum of a group. Intervals are over the groups' shares in the mean difference, which has
 * the variance of a ratio where groups have unequal sizes. Cochran (1977), Sampling Techniques, 9A.
 */
export function testsByGroup(
  pairs: readonly RowedDifferences[],
  wordings: Wordings,
  settings: ComparisonSettings & { readonly most: readonly number[] },
): (TestedByGroup | undefined)[] {
  const units = pairs.map(({ rows }) => unitsOf(rows, wordings));
  const grouped = [...pairs.keys()].filter((at) => (units[at]?.length ?? 0) < (pairs[at]?.rows.length ?? 0));
  const given = grouped.map((at) => [pairs[at], units[at]] as [RowedDifferences, number[][]]);
  const sums = given.map(([pair, ofPair]) => sumsOf(pair, ofPair));
  const tests = pairedTests[settings.test].test(sums, settings);
  const shares = given.map(([{ unrounded }, ofPair]) => sharesOf(unrounded, ofPair));
  const intervals = differenceIntervals(shares, {
    ...settings,
    most: grouped.map((at) => settings.most[at] as number),
  });
  const found = new Map(
    grouped.map((at, index): [number, TestedByGroup] => [
      at,
      {
        groups: (units[at] as number[][]).length,
        interval: intervals[index]?.interval ?? null,
        test: tests[index] as PairedTestResult,
        shares: shares[index] as Float64Array,
        differing: sums[index]?.differences.filter((sum) => sum !== 0).length ?? 0,
      },
    ]),
  );
  return pairs.map((_, at) => found.get(at));
}

/** Places in a list of rows, all wordings of an intent together. */
function unitsOf(rows: readonly number[], wordings: Wordings): number[][] {
  const byIntent = groupBy([...rows.keys()], (at) => wordings[rows[at] as number] ?? (rows[at] as number));
  return [...byIntent.values()];
}

/** The sum of every group, in the row of its first query. */
function sumsOf(
  { rows, differences, unrounded, byQuery }: RowedDifferences,
  units: number[][],
): PairedDifferences {
  const sum = (of: Float64Array, unit: readonly number[]): number =>
    unit.length === 1 ? (of[unit[0] as number] as number) : exactSum(unit.map((at) => of[at] as number));
  const sums = Float64Array.from(units, (unit) => sum(unrounded, unit));
  const byFirst = new Float64Array(byQuery.length);
  units.forEach(([first = 0], at) => {
    byFirst[rows[first] as number] = sums[at] as number;
  });
  return {
    differences: Float64Array.from(units, (unit) => scoreDifference(sum(differences, unit), 0)),
    unrounded: sums,
    byQuery: byFirst,
  };
}

/** What every group adds to the mean; their mean is that of the scores. */
function sharesOf(scores: Float64Array, units: readonly (readonly number[])[]): Float64Array {
  const all = mean(scores);
  const share = units.length / scores.length;
  return Float64Array.from(
    units,
    (unit) => all + share * exactSum(unit.map((at) => (scores[at] as number) - all)),
  );
}

/**
 * Scores of some rows by run, with those of all wordings of an intent summed up, in shares of the mean; null
 * where all queries stand alone.
 */
export function asIntents(
  byRun: readonly Float64Array[],
  rows: readonly number[],
  wordings: Wordings | null,
): readonly Float64Array[] | null {
  if (wordings === null) return null;
  const units = unitsOf(rows, wordings);
  if (units.length === rows.length) return null;
  const share = units.length / rows.length;
  return byRun.map((scores) =>
    Float64Array.from(units, (unit) => share * exactSum(unit.map((at) => scores[at] as number))),
  );
}

/** The larger p value of queries and of {@link asIntents}; null where there are too few of these. */
export function lessSureP(
  ofQueries: number | null,
  intents: readonly Float64Array[] | null,
  ofIntents: number | null,
): number | null {
  if (intents === null) return ofQueries;
  const areFew = (intents[0]?.length ?? 0) < FEWEST_PAIRS;
  return areFew || ofQueries === null || ofIntents === null ? null : Math.max(ofQueries, ofIntents);
}
