import type { Curve, AxisInterval } from "./curve.js";

const MOST_DECIMALS = 12;
/** A short number must lie in the middle half of its interval, so that it stands for the same choice. */
const MIDDLE = 4;

/**
 * A point with as few decimals as lie well within the interval that it stands for.
 *
 * @param left queries that have no say.
 */
export function shortestPoint(
  curve: Curve,
  point: number,
  { from, to }: AxisInterval,
  left: readonly number[],
): number {
  for (let decimals = 1; decimals <= MOST_DECIMALS; decimals++) {
    const short = Number(point.toFixed(decimals));
    const isWithin = Math.abs(short - point) <= (to - from) / MIDDLE;
    if (isWithin && curve.startsAt(short, left) === undefined) return short;
  }
  return point;
}
