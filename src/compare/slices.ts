import { compareIds } from "../foundation/ids/index.js";
import {
  areFewUnits,
  checkLabels,
  FEWEST_PAIRS,
  type ComparisonSettings,
  type MetricDifference,
  type QueryLabels,
  type Slice,
} from "../records/index.js";
import { ascending } from "../foundation/numbers/index.js";
import { rowsOf, type AlignedScores } from "./aligned-scores.js";
import { adjustWithin, metricDifferences } from "./metric-differences.js";

/** Above so many values a label tells queries apart instead of grouping them. */
const MOST_VALUES = 50;

/**
 * The differences of each kind of query, by run. For each label the slices with the largest loss of the
 * primary metric stand first. The p values of one metric over all slices of a run are one family.
 *
 * @param labels of each query, in the order of the scores.
 * @param only the labels that are wanted; all unless given.
 * @throws InputError `ARGUMENT` for a wanted label that no query has.
 */
export function slicesOf(
  aligned: AlignedScores,
  labels: readonly QueryLabels[],
  settings: ComparisonSettings,
  only?: readonly string[],
): Slice[][] {
  const slices: Slice[][] = aligned.columns.slice(1).map(() => []);
  const groups = groupsOf(labels, only);
  checkLabels(only ?? [], labels);
  for (const [by, values] of groups) {
    for (const [value, rows] of values) {
      const given = rowsOf(aligned, rows);
      // Within one intent its wordings are all there is.
      const ofSlice = by === "group" ? { ...given, wordings: null } : given;
      metricDifferences(ofSlice, settings, "slice").forEach((metrics, run) =>
        slices[run]?.push({ by, value, metrics: metrics.map(summarizeDifference) }),
      );
    }
  }
  return slices.map((ofRun) => worstFirst(adjustSlices(ofRun, settings), aligned, settings));
}

/**
 * What a slice keeps of a difference: with fewer pairs than a verdict needs neither test nor interval mean
 * anything.
 */
function summarizeDifference({
  metric,
  pairs,
  mean_a,
  mean_b,
  difference,
  interval,
  p,
  p_adjusted,
  is_opposed,
  improved,
  equal,
  worse,
  by_group,
}: MetricDifference): Slice["metrics"][number] {
  const isEnough = !areFewUnits({ pairs, by_group, improved, worse });
  return {
    metric,
    pairs,
    mean_a,
    mean_b,
    difference,
    interval: isEnough ? interval : null,
    p: isEnough ? p : null,
    p_adjusted,
    ...(is_opposed && { is_opposed }),
    improved,
    equal,
    worse,
  };
}

/**
 * By label, then by value, the rows that have it. A label that is the same for every query, or has so many
 * values that it tells queries apart, groups nothing.
 *
 * @param only the labels that are wanted; all unless given.
 */
export function groupsOf(
  labels: readonly QueryLabels[],
  only?: readonly string[],
): [string, Map<string, number[]>][] {
  const groups = new Map<string, Map<string, number[]>>();
  labels.forEach((ofQuery, row) => {
    for (const [by, value] of Object.entries(ofQuery)) {
      let values = groups.get(by);
      if (values === undefined) groups.set(by, (values = new Map<string, number[]>()));
      const rows = values.get(value);
      if (rows === undefined) values.set(value, [row]);
      else rows.push(row);
    }
  });
  return [...groups]
    .filter(([by, values]) => (only === undefined ? !isOfEach(values) : only.includes(by)))
    .filter(([, values]) => values.size <= MOST_VALUES && !isOfAll(values, labels.length))
    .sort(([a], [b]) => compareIds(a, b));
}

/** As a sentence that says what is looked for. */
const isOfEach = (values: ReadonlyMap<string, readonly number[]>): boolean =>
  values.size >= FEWEST_PAIRS && [...values.values()].every(({ length }) => length === 1);

const isOfAll = (values: ReadonlyMap<string, readonly number[]>, count: number): boolean =>
  values.size === 1 && [...values.values()].every(({ length }) => length === count);

function adjustSlices(slices: readonly Slice[], settings: ComparisonSettings): Slice[] {
  const metrics = slices[0]?.metrics ?? [];
  const byMetric = metrics.map((_, column) =>
    adjustWithin(
      slices.map((slice) => slice.metrics[column] as Slice["metrics"][number]),
      settings,
    ),
  );
  return slices.map((slice, index) => ({
    ...slice,
    metrics: byMetric.map((family) => family[index] as Slice["metrics"][number]),
  }));
}

function worstFirst(
  slices: readonly Slice[],
  { metrics }: AlignedScores,
  { primary }: ComparisonSettings,
): Slice[] {
  const column = metrics.findIndex(({ name }) => name === primary);
  const sign = metrics[column]?.card.higher_is_better === false ? -1 : 1;
  const gain = (slice: Slice): number => {
    const difference = slice.metrics[column]?.difference ?? null;
    return difference === null ? Infinity : sign * difference;
  };
  return [...slices].sort(
    (x, y) => compareIds(x.by, y.by) || ascending(gain(x), gain(y)) || compareIds(x.value, y.value),
  );
}
