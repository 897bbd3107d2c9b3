import { checkLists } from "./check-pairs.js";
import { exactMean, exactSum } from "../foundation/numbers/index.js";

/** The mean, correctly rounded whatever the order; NaN of nothing. */
export function mean(values: ArrayLike<number> & Iterable<number>): number {
  checkLists("mean", values);
  return exactMean(values);
}

/**
 * The sample's standard deviation (n - 1 below); NaN for fewer than two values, and exactly 0 where all are
 * the same.
 */
export function standardDeviation(values: ArrayLike<number> & Iterable<number>): number {
  const count = values.length;
  if (count < 2) return NaN;
  const first = values[0] as number;
  const shifted = Float64Array.from(values, (value) => value - first);
  const middle = mean(shifted);
  return Math.sqrt(exactSum(shifted.map((value) => (value - middle) ** 2)) / (count - 1));
}
