import { logGamma } from "./log-gamma.js";

/** A change that no longer shows in a double. */
const EPSILON = 2 ** -51;
/** Stands for 0 where a continued fraction would divide by it. */
const TINY = 1e-300;
const MOST_TERMS = 100_000;

/**
 * The regularized incomplete gamma functions P(a, x) and Q(a, x) = 1 - P, each without loss of digits where it is small: the
 * series for small x, Lentz's continued fraction for large (Abramowitz, Stegun: 6.5.29 and 6.5.31).
 *
 * @param a above 0.
 * @param x from 0.
 */
export function incompleteGamma(a: number, x: number): { lower: number; upper: number } {
  if (x <= 0) return { lower: 0, upper: 1 };
  if (x === Infinity) return { lower: 1, upper: 0 };
  const front = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = 1; n < MOST_TERMS && term > sum * EPSILON; n++) {
      term *= x / (a + n);
      sum += term;
    }
    const lower = front * sum;
    return { lower, upper: 1 - lower };
  }
  let b = x + 1 - a;
  let c = 1 / TINY;
  let d = 1 / b;
  let fraction = d;
  for (let n = 1; n < MOST_TERMS; n++) {
    const numerator = -n * (n - a);
    b += 2;
    d = 1 / nonZero(numerator * d + b);
    c = nonZero(b + numerator / c);
    const change = d * c;
    fraction *= change;
    if (Math.abs(change - 1) < EPSILON) break;
  }
  const upper = front * fraction;
  return { lower: 1 - upper, upper };
}

function nonZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}
