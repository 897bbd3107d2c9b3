import type { MetricDifference } from "./types/index.js";

/** What it takes to say where a metric went. */
export type MovedMetric = Pick<MetricDifference, "difference" | "interval" | "improved" | "worse" | "pairs">;

/**
 * Whether a metric rose, 1, fell, -1, or stood still, 0: by the stored difference; where that is 0 at 4
 * decimals, by an interval that does not hold 0; and by the queries where all differ alike and there is none.
 */
export function signOfMove(
  { difference, interval, improved, worse, pairs }: MovedMetric,
  higherIsBetter: boolean,
): number {
  if (difference !== 0) return Math.sign(difference ?? 0);
  if (interval !== null) return interval.low > 0 ? 1 : interval.high < 0 ? -1 : 0;
  if (improved !== pairs && worse !== pairs) return 0;
  return (improved === pairs) === higherIsBetter ? 1 : -1;
}

/** As {@link signOfMove}: 1 for the better, -1 for the worse. */
export function signOfGain(moved: MovedMetric, higherIsBetter: boolean): number {
  const sign = signOfMove(moved, higherIsBetter);
  return higherIsBetter || sign === 0 ? sign : -sign;
}
