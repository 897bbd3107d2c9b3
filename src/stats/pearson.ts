import { exactMean, exactSum } from "../foundation/numbers/index.js";
import { checkPairs, type NumberList } from "./check-pairs.js";
import { correlationPValue } from "./correlation-p-value.js";

/** Pearson's r of two lists of values. */
export interface PearsonCorrelation {
  /** From -1 to 1; null when one list has no two different values. */
  readonly r: number | null;
  /** Two-sided; null as above, and 1 for two pairs, which always lie on a line. */
  readonly p: number | null;
}

/**
 * How nearly do two lists of values lie on a line?
 *
 * Formula: r = sum of (x - mean x)(y - mean y) / sqrt(sum of (x - mean x)^2 * sum of (y - mean y)^2); p from
 * Student's t with n - 2 degrees of freedom. Edges: a list without two different values: null. On a line
 * exactly: p = 0, which is what that distribution says and no more. Agrees with `scipy.stats.pearsonr`, but
 * for values within a few ulps of a line, where its p is that of rounding. Paper: Student,
 * https://doi.org/10.1093/biomet/6.2-3.302.
 *
 * `pearson([1, 2, 3, 4], [2, 4, 6, 8]).r // => 1`
 *
 * @throws InputError `ARGUMENT` when the lists differ in length, or a value is not finite.
 */
export function pearson(x: NumberList, y: NumberList): PearsonCorrelation {
  const [a, b] = checkPairs("pearson", x, y).map(direction) as [number[] | null, number[] | null];
  if (a === null || b === null) return { r: null, p: null };
  const r = Math.max(-1, Math.min(1, exactSum(a.map((value, i) => value * (b[i] as number)))));
  if (x.length === 2) return { r: Math.sign(r), p: 1 };
  // The squares of what the line leaves over: 1 - r * r would be rounding when r is nearly 1.
  const unexplained = exactSum(a.map((value, i) => ((b[i] as number) - r * value) ** 2));
  return { r, p: correlationPValue(r, unexplained, x.length) };
}

/** Deviations from the mean, scaled so that their squares add up to 1; null when there are none. */
function direction(values: readonly number[]): number[] | null {
  const mean = exactMean(values);
  if (values.every((value) => value === values[0])) return null;
  const deviations = values.map((value) => value - mean);
  // Halves are exact, and their differences are numbers.
  if (!deviations.every(Number.isFinite)) return direction(values.map((value) => value / 2));
  const largest = deviations.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const scaled = deviations.map((value) => value / largest);
  const length = Math.sqrt(exactSum(scaled.map((value) => value * value)));
  return scaled.map((value) => value / length);
}
