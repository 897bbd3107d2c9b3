import { checkDegrees, checkNumbers, checkQuantile } from "./check-settings.js";
import { incompleteBeta } from "./incomplete-beta.js";
import { inverseOf } from "./inverse-of.js";
import { normalAbove } from "./normal.js";

/** With more degrees of freedom the normal distribution is nearer than rounding lets this one come. */
export const AS_GOOD_AS_NORMAL = 1e9;

/**
 * The probability that |T| is at least |t|.
 *
 * @param degrees of freedom, above 0.
 */
export function studentTwoSided(t: number, degrees: number): number {
  checkNumbers("studentTwoSided", t);
  checkDegrees("studentTwoSided", degrees);
  if (!Number.isFinite(t)) return 0;
  if (degrees > AS_GOOD_AS_NORMAL) return 2 * normalAbove(Math.abs(t));
  const whole = degrees + t * t;
  return incompleteBeta(degrees / 2, 0.5, degrees / whole, (t * t) / whole);
}

/** The probability that T is at least t. */
export function studentAbove(t: number, degrees: number): number {
  const half = studentTwoSided(t, degrees) / 2;
  return t >= 0 ? half : 1 - half;
}

/**
 * The t up to which a share of Student's distribution lies.
 *
 * @param share above 0 and below 1.
 */
export function studentQuantile(share: number, degrees: number): number {
  checkQuantile("studentQuantile", share);
  checkDegrees("studentQuantile", degrees);
  if (share === 0.5) return 0;
  if (share > 0.5) return -studentQuantile(1 - share, degrees);
  // In the lower tail, so that small shares keep their digits.
  return -inverseOf((t) => -studentAbove(t, degrees), -share, 0, 1);
}
