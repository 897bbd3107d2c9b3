import type { Curve, AxisInterval } from "./curve.js";
import { SAME } from "./step-functions.js";

/** Which point of a curve is chosen. */
export type ChoiceRule = "one_standard_error" | "plateau";

/** Where a curve is best, and which point of it is chosen. */
export interface ChosenPoint {
  /** The highest mean of all cells. */
  readonly maximum: number;
  /** Every interval that has it, the widest of them, and its middle. */
  readonly plateau: readonly AxisInterval[];
  readonly widest: AxisInterval;
  /** The standard error of the mean at the middle of the widest; 0 for a single query. */
  readonly standardError: number;
  /** Every interval within one standard error of the maximum, and the widest of them. */
  readonly near: readonly AxisInterval[];
  readonly widestNear: AxisInterval;
  /** The middle of the interval that the rule names; beside it where a step begins just there. */
  readonly point: number;
}

/**
 * Chooses a point of a curve. A maximum can be a needle that the next query breaks off: within one standard
 * error of it there is often a wide interval whose middle holds (Breiman et al. 1984, section 3.4.3, the
 * 1-SE rule).
 *
 * @param queries that count.
 * @param left all others of the curve: they have no say, not even by where their steps begin.
 */
export function choosePoint(
  curve: Curve,
  queries: readonly number[],
  left: readonly number[],
  rule: ChoiceRule,
): ChosenPoint {
  const count = queries.length;
  const sums = left.length === 0 ? curve.sums : curve.without(left);
  let highest = -Infinity;
  for (const sum of sums) if (sum > highest) highest = sum;
  const plateau = curve.intervalsFrom(sums, highest - SAME * count);
  const widest = widestOf(plateau);
  const middle = besideSteps(curve, widest, left);
  const standardError = errorOfMean(curve, queries, middle);
  const near = curve.intervalsFrom(sums, highest - Math.max(SAME, standardError) * count);
  const widestNear = widestOf(near);
  return {
    maximum: highest / count,
    plateau,
    widest,
    standardError,
    near,
    widestNear,
    point: rule === "plateau" ? middle : besideSteps(curve, widestNear, left),
  };
}

/** The standard error of the mean at a point; 0 for a single query. Once for each part that is held out. */
function errorOfMean({ functions }: Curve, queries: readonly number[], point: number): number {
  const n = queries.length;
  if (n < 2) return 0;
  const values = new Float64Array(n);
  let sum = 0;
  for (let i = 0; i < n; i++) sum += values[i] = functions.at(queries[i] as number, point);
  let squares = 0;
  for (const value of values) squares += (value - sum / n) ** 2;
  return Math.sqrt(squares / (n - 1) / n);
}

function middleOf({ from, to }: AxisInterval): number {
  return (from + to) / 2;
}

/** The widest interval, the lowest of equally wide ones. */
function widestOf(intervals: readonly AxisInterval[]): AxisInterval {
  return intervals.reduce((widest, interval) =>
    interval.to - interval.from > widest.to - widest.from + SAME ? interval : widest,
  );
}

/** The middle of an interval; where a step begins there, the middle of that step. */
function besideSteps(curve: Curve, interval: AxisInterval, left: readonly number[]): number {
  const middle = middleOf(interval);
  const cell = curve.startsAt(middle, left);
  return cell === undefined
    ? middle
    : middleOf({ from: curve.starts[cell] as number, to: curve.nextStart(cell, left) });
}
