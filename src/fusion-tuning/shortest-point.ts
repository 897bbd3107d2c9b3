import type { Curve, Interval } from "./curve.js";

const MOST_DECIMALS = 12;
/** A short number must lie in the middle half of its interval, so that it stands for the same choice. */
const MIDDLE = 4;
/** And so far from any step that no tie decides. */
const BESIDE = 1e-9;

/** A point with as few decimals as lie well within the interval that it stands for. */
export function shortestPoint(curve: Curve, point: number, { from, to }: Interval): number {
  for (let decimals = 1; decimals <= MOST_DECIMALS; decimals++) {
    const short = Number(point.toFixed(decimals));
    if (Math.abs(short - point) > (to - from) / MIDDLE) continue;
    const start = curve.starts[curve.cellAt(short + BESIDE)] as number;
    if (start === 0 || Math.abs(start - short) > BESIDE) return short;
  }
  return point;
}
