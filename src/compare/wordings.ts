import { groupBy } from "../foundation/columns/index.js";
import { exactSum, scoreDifference } from "../foundation/numbers/index.js";
import { FEWEST_PAIRS, type ComparisonSettings, type KnownQuery } from "../records/index.js";
import {
  differenceIntervals,
  pairedTests,
  type DifferenceIntervalOptions,
  type Interval,
  type PairedDifferences,
  type PairedTestResult,
} from "../stats/index.js";
import {
  effectiveGroups,
  groupShares,
  intervalsByGroup,
  widerOf,
  type GroupShares,
} from "../stats/internal.js";

/** By row the intent that a query is a wording of; null for one that stands alone. */
export type Wordings = readonly (string | null)[];

/** Null where every query stands alone. */
export function wordingsOf(known: readonly KnownQuery[]): Wordings | null {
  const groups = known.map(({ group }) => (group == null || group.trim() === "" ? null : group));
  const named = groups.filter((group) => group !== null);
  return new Set(named).size < named.length ? groups : null;
}

/** The differences of one metric, with the rows that they are of. */
export interface RowedDifferences extends PairedDifferences {
  readonly rows: readonly number[];
}

/** What the test and the interval of groups say, and what they rest on. */
export interface TestedByGroup {
  readonly groups: number;
  readonly interval: Interval | null;
  readonly test: PairedTestResult;
  /** How many groups of one size would say as much. */
  readonly effective: number;
  /** By group what it adds to the mean difference. */
  readonly shares: Float64Array;
  /** Groups whose wordings together differ. */
  readonly differing: number;
}

/**
 * The tests and intervals of some metrics with all wordings of an intent as one; undefined for a metric
 * whose queries all stand alone.
 *
 * Sign flips turn the sum of a group. Intervals are over the groups' shares in the mean difference, with the
 * degrees of freedom of so many groups of one size as say as much.
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
  const shared = given.map(([{ unrounded }, ofPair]) => groupShares(unrounded, ofPair));
  const intervals = intervalsByGroup(shared, {
    ...settings,
    most: grouped.map((at) => settings.most[at] as number),
  });
  const found = new Map(
    grouped.map((at, index): [number, TestedByGroup] => [
      at,
      {
        groups: (units[at] as number[][]).length,
        interval: intervals[index] ?? null,
        test: tests[index] as PairedTestResult,
        ...(shared[index] as GroupShares),
        differing: sums[index]?.differences.filter((sum) => sum !== 0).length ?? 0,
      },
    ]),
  );
  return pairs.map((_, at) => found.get(at));
}

/**
 * Where means lie, by queries and with all wordings of an intent as one, at each end the wider; null for what
 * says too little.
 *
 * @param columns scores by row; NaN where there is none.
 */
export function groupedMeanIntervals(
  columns: readonly Float64Array[],
  wordings: Wordings | null,
  options: DifferenceIntervalOptions & Record<"least" | "most", readonly number[]>,
): (Interval | null)[] {
  const rows = columns.map((column) => [...column.keys()].filter((row) => !Number.isNaN(column[row])));
  const scores = columns.map((column) => column.filter((score) => !Number.isNaN(score)));
  const groups = rows.map((ofColumn) =>
    wordings === null ? ofColumn.map((row) => [row]) : unitsOf(ofColumn, wordings),
  );
  const grouped = [...columns.keys()].filter((at) => groups[at]?.length !== rows[at]?.length);
  const ofGroups = intervalsByGroup(
    grouped.map((at) => groupShares(scores[at] as Float64Array, groups[at] as number[][])),
    {
      ...options,
      least: grouped.map((at) => options.least[at] as number),
      most: grouped.map((at) => options.most[at] as number),
    },
  );
  return differenceIntervals(scores, options).map(({ interval }, at) => {
    if (interval === null || effectiveGroups(groups[at] as number[][]) < FEWEST_PAIRS) return null;
    return widerOf(interval, ofGroups[grouped.indexOf(at)] ?? interval);
  });
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

/** Scores with all wordings of an intent as one. */
export interface IntentScores {
  /** By run those of every intent, summed up, in shares of the mean. */
  readonly scores: readonly Float64Array[];
  /** Whether they say too little for a test. */
  readonly areFew: boolean;
}

/** Scores of some rows by run, by intent; null where all queries stand alone. */
export function asIntents(
  byRun: readonly Float64Array[],
  rows: readonly number[],
  wordings: Wordings | null,
): IntentScores | null {
  if (wordings === null) return null;
  const units = unitsOf(rows, wordings);
  if (units.length === rows.length) return null;
  const share = units.length / rows.length;
  return {
    scores: byRun.map((scores) =>
      Float64Array.from(units, (unit) => share * exactSum(unit.map((at) => scores[at] as number))),
    ),
    areFew: effectiveGroups(units) < FEWEST_PAIRS,
  };
}

/** The larger p value of queries and of intents; null where there are too few of these. */
export function lessSureP(
  ofQueries: number | null,
  intents: IntentScores | null,
  ofIntents: number | null,
): number | null {
  if (intents === null) return ofQueries;
  return intents.areFew || ofQueries === null || ofIntents === null ? null : Math.max(ofQueries, ofIntents);
}
