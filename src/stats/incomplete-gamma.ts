import { logGamma } from "./log-gamma.js";

/** A change that no longer shows in a double. */
const EPSILON = 2 ** -51;
/** Stands for 0 where a continued fraction would divide by it. */
const TINY = 1e-300;
const MOST_TERMS = 100_000;

/**
 * The regularized incomplete gamma function P(a, x), without loss of digits where it is small.
 *
 * @param a above 0.
 * @param x from 0.
 * @param logGammaA of `a`, for who asks often about one.
 */
export function lowerGamma(a: number, x: number, logGammaA: number = logGamma(a)): number {
  return x < a + 1 ? series(a, x, logGammaA) : 1 - fraction(a, x, logGammaA);
}

/** Q(a, x) = 1 - P(a, x), see {@link lowerGamma}. */
export function upperGamma(a: number, x: number, logGammaA: number = logGamma(a)): number {
  return x < a + 1 ? 1 - series(a, x, logGammaA) : fraction(a, x, logGammaA);
}

/** P for small x (Abramowitz, Stegun: 6.5.29). */
function series(a: number, x: number, logGammaA: number): number {
  if (x <= 0) return 0;
  let term = 1 / a;
  let sum = term;
  for (let n = 1; n < MOST_TERMS && term > sum * EPSILON; n++) {
    term *= x / (a + n);
    sum += term;
  }
  return Math.exp(a * Math.log(x) - x - logGammaA) * sum;
}

/** Q for large x: Lentz's continued fraction (Abramowitz, Stegun: 6.5.31). */
function fraction(a: number, x: number, logGammaA: number): number {
  if (x === Infinity) return 0;
  let b = x + 1 - a;
  let c = 1 / TINY;
  let d = 1 / b;
  let product = d;
  for (let n = 1; n < MOST_TERMS; n++) {
    const numerator = -n * (n - a);
    b += 2;
    d = 1 / nonZero(numerator * d + b);
    c = nonZero(b + numerator / c);
    const change = d * c;
    product *= change;
    if (Math.abs(change - 1) < EPSILON) break;
  }
  return Math.exp(a * Math.log(x) - x - logGammaA) * product;
}

function nonZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}
