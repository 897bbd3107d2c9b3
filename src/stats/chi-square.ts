import { checkDegrees, checkNumbers } from "./check-settings.js";
import { upperGamma } from "./incomplete-gamma.js";

/** The probability that a chi-square variable is at least x. */
export function chiSquareAbove(x: number, degrees: number): number {
  checkNumbers("chiSquareAbove", x);
  checkDegrees("chiSquareAbove", degrees);
  return upperGamma(degrees / 2, x / 2);
}
