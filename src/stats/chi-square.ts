import { checkDegrees, checkNumbers } from "./check-settings.js";
import { upperGamma } from "./incomplete-gamma.js";

/**
 * The probability that a chi-square variable is at least x.
 *
 * @throws InputError `ARGUMENT` for degrees of freedom that are not above 0, and for what is no number.
 */
export function chiSquareAbove(x: number, degrees: number): number {
  checkNumbers("chiSquareAbove", x);
  checkDegrees("chiSquareAbove", degrees);
  if (degrees === Infinity) return x === Infinity ? NaN : 1;
  return upperGamma(degrees / 2, x / 2);
}
