import { checkDegrees, checkNumbers } from "./check-settings.js";
import { chiSquareAbove } from "./chi-square.js";
import { incompleteBeta } from "./incomplete-beta.js";
import { lowerGamma } from "./incomplete-gamma.js";
import { AS_GOOD_AS_NORMAL } from "./student-t.js";

/** Of so many nothing varies any more. */
const ENDLESS = 1e16;

/**
 * The probability that an F variable is at least x; with endless degrees of freedom its limit.
 *
 * @param degrees1 of freedom of the numerator.
 * @param degrees2 of freedom of the denominator.
 * @throws InputError `ARGUMENT` for degrees that are not above 0, and for what is no number.
 */
export function fAbove(x: number, degrees1: number, degrees2: number): number {
  checkNumbers("fAbove", x);
  checkDegrees("fAbove", degrees1, degrees2);
  if (x <= 0) return 1;
  // The numerator alone varies then, or the denominator.
  if (degrees2 > AS_GOOD_AS_NORMAL) {
    const numerator = Math.min(degrees1, ENDLESS);
    return chiSquareAbove(numerator * x, numerator);
  }
  if (degrees1 > AS_GOOD_AS_NORMAL) return lowerGamma(degrees2 / 2, degrees2 / 2 / x);
  if (x === Infinity) return 0;
  const whole = degrees1 * x + degrees2;
  return incompleteBeta(degrees2 / 2, degrees1 / 2, degrees2 / whole, (degrees1 * x) / whole);
}
