import { checkNumbers, checkQuantile } from "./check-settings.js";
import { lowerGamma, upperGamma } from "./incomplete-gamma.js";
import { logGamma } from "./log-gamma.js";
import { inverseOf } from "./inverse-of.js";

const HALF = 0.5;
const LOG_GAMMA_HALF = /*#__PURE__*/ logGamma(HALF);
/** Beyond so many deviations the density is below the last digit of a double. */
export const FAR = 8.5;

/** The share of a standard normal distribution above x; exact in the tail, too. */
export function normalAbove(x: number): number {
  if (typeof x !== "number") checkNumbers("normalAbove", x);
  return x >= 0
    ? upperGamma(HALF, (x * x) / 2, LOG_GAMMA_HALF) / 2
    : HALF + lowerGamma(HALF, (x * x) / 2, LOG_GAMMA_HALF) / 2;
}

/** The share of a standard normal distribution up to x. */
export function normalBelow(x: number): number {
  if (typeof x !== "number") checkNumbers("normalBelow", x);
  return normalAbove(-x);
}

/**
 * The x up to which a share of a standard normal distribution lies; -Infinity for 0, Infinity for 1.
 *
 * @param share from 0 to 1.
 */
export function normalQuantile(share: number): number {
  checkQuantile("normalQuantile", share);
  if (share === HALF) return 0;
  if (share <= 0) return -Infinity;
  if (share >= 1) return Infinity;
  return share > HALF ? -normalQuantile(1 - share) : -inverseOf((x) => -normalAbove(x), -share, 0, 1);
}
