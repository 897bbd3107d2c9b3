import { checkDegrees, checkNumbers } from "./check-settings.js";
import { upperGamma } from "./incomplete-gamma.js";
import { normalAbove } from "./normal.js";

const MOST_SUMMED = 1e7;

/**
 * The probability that a chi-square variable is at least x.
 *
 * @throws InputError `ARGUMENT` for degrees of freedom that are not above 0, and for what is no number.
 */
export function chiSquareAbove(x: number, degrees: number): number {
  checkNumbers("chiSquareAbove", x);
  checkDegrees("chiSquareAbove", degrees);
  if (x === Infinity) return 0;
  // Wilson, Hilferty (1931), The distribution of chi-square, is nearer then, by 1e-8, than sums of terms.
  if (degrees > MOST_SUMMED) {
    const variance = 2 / 9 / degrees;
    return normalAbove((Math.cbrt(Math.max(0, x) / degrees) - 1 + variance) / Math.sqrt(variance));
  }
  return upperGamma(degrees / 2, x / 2);
}
