import { logBeta } from "./log-gamma.js";

/** A change that no longer shows in a double. */
const EPSILON = 2 ** -51;
/** Stands for 0 where a continued fraction would divide by it. */
const TINY = 1e-300;
const MOST_TERMS = 100_000;

/**
 * The regularized incomplete beta function I_x(a, b), by Lentz's continued fraction (DLMF 8.17.22).
 *
 * @param a above 0.
 * @param b above 0.
 * @param x from 0 to 1.
 * @param y 1 - x, given apart so that no digit of it is lost.
 */
export function incompleteBeta(a: number, b: number, x: number, y: number = 1 - x): number {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  const front = Math.exp(a * Math.log(x) + b * Math.log(y) - logBeta(a, b));
  // The fraction converges fast on this side of the mean only.
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(a, b, x)) / a
    : 1 - (front * betaFraction(b, a, y)) / b;
}

function betaFraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m < MOST_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d);
    c = nonZero(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d);
    c = nonZero(1 + odd / c);
    const change = d * c;
    fraction *= change;
    if (Math.abs(change - 1) < EPSILON) break;
  }
  return fraction;
}

function nonZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}
