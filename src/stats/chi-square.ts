import { upperGamma } from "./incomplete-gamma.js";

/** The probability that a chi-square variable is at least x. */
export function chiSquareAbove(x: number, degrees: number): number {
  return upperGamma(degrees / 2, x / 2);
}
