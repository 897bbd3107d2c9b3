import { groupBy } from "../foundation/columns/index.js";
import { exactSum, scoreDifference } from "../foundation/numbers/index.js";
import type { ComparisonSettings, MetricDifference } from "../records/index.js";
import { differenceIntervals, mean, pairedTests, type PairedDifferences } from "../stats/index.js";

/** By row the intent that a query is a wording of; null for one that stands alone. */
export type Wordings = readonly (string | null)[];

/** The differences of one metric, with the rows that they are of. */
export interface RowedDifferences extends PairedDifferences {
  readonly rows: readonly number[];
}

type ByGroup = NonNullable<MetricDifference["by_group"]>;

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
  settings: ComparisonSettings,
): (ByGroup | undefined)[] {
  const units = pairs.map(({ rows }) => [
    ...groupBy([...rows.keys()], (at) => wordings[rows[at] as number] ?? (rows[at] as number)).values(),
  ]);
  const grouped = [...pairs.keys()].filter((at) => (units[at]?.length ?? 0) < (pairs[at]?.rows.length ?? 0));
  const given = grouped.map((at) => [pairs[at], units[at]] as [RowedDifferences, number[][]]);
  const tests = pairedTests[settings.test].test(
    given.map(([pair, ofPair]) => sumsOf(pair, ofPair)),
    settings,
  );
  const intervals = differenceIntervals(
    given.map(([pair, ofPair]) => sharesOf(pair, ofPair)),
    settings,
  );
  const found = new Map(
    grouped.map((at, index): [number, ByGroup] => [
      at,
      {
        groups: units[at]?.length ?? 0,
        interval: intervals[index]?.interval ?? null,
        p: Number.isFinite(tests[index]?.p) ? (tests[index]?.p as number) : null,
        p_adjusted: null,
      },
    ]),
  );
  return pairs.map((_, at) => found.get(at));
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

/** What every group adds to the mean difference; their mean is that of the queries. */
function sharesOf({ unrounded }: RowedDifferences, units: number[][]): Float64Array {
  const all = mean(unrounded);
  const share = units.length / unrounded.length;
  return Float64Array.from(
    units,
    (unit) => all + share * exactSum(unit.map((at) => (unrounded[at] as number) - all)),
  );
}
