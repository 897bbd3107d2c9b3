import { integral } from "./integral.js";
import { logGamma } from "./log-gamma.js";
import { FAR } from "./normal.js";

const PIECES = 8;
/** Above so many degrees of freedom the scale is known. */
const MANY_DEGREES = 1e6;

/**
 * The mean of a function of s, the sample deviation over the true one: s^2 times its degrees of freedom is chi-square.
 *
 * @param degrees of freedom, above 0.
 */
export function meanOverScale(of: (s: number) => number, degrees: number): number {
  if (degrees > MANY_DEGREES) return of(1);
  const log = Math.log(2) + (degrees / 2) * Math.log(degrees / 2) - logGamma(degrees / 2);
  const density = (s: number): number => Math.exp(log + (degrees - 1) * Math.log(s) - (degrees * s * s) / 2);
  const spread = (2 * FAR) / Math.sqrt(2 * degrees);
  return integral((s) => (s <= 0 ? 0 : density(s) * of(s)), Math.max(0, 1 - spread), 1 + spread, PIECES);
}
