import { incompleteBeta } from "./incomplete-beta.js";

/**
 * The probability that an F variable is at least x.
 *
 * @param degrees1 of freedom of the numerator.
 * @param degrees2 of freedom of the denominator.
 */
export function fAbove(x: number, degrees1: number, degrees2: number): number {
  if (x === Infinity) return 0;
  const whole = degrees1 * x + degrees2;
  return incompleteBeta(degrees2 / 2, degrees1 / 2, degrees2 / whole, (degrees1 * x) / whole);
}
