import { integral } from "./integral.js";
import { stirlingError } from "./log-gamma.js";
import { FAR } from "./normal.js";

/** Above so many degrees of freedom the scale is known. */
const MANY_DEGREES = 1e6;
/** The logarithm of a share below the last digit of a double. */
const NOTHING = -40;
/** Far below 1 the density of log s falls as exp(degrees * (log s + 1/2)). */
const OFFSET = 0.5;
/** One rule covers so much of a logarithm. */
const PIECE = 1.5;
/** Around a change this much of the logarithm is covered by finer pieces. */
const NEAR = 1.5;
const FINE_PIECES = 12;
const FEWEST_PIECES = 8;

/**
 * The mean of a function of s, the sample deviation over the true one: s^2 times its degrees of freedom is
 * chi-square. Over the logarithm of s, so that functions that change near s = 0 are resolved for few degrees,
 * too.
 *
 * @param degrees of freedom, above 0.
 * @param change where the function changes most, if that is known.
 */
export function meanOverScale(of: (s: number) => number, degrees: number, change?: number): number {
  if (degrees > MANY_DEGREES) return of(1);
  const half = degrees / 2;
  const log = Math.log(2) + Math.log(half / (2 * Math.PI)) / 2 - stirlingError(half);
  const spread = (2 * FAR) / Math.sqrt(2 * degrees);
  const from = Math.max(NOTHING / degrees - OFFSET, spread < 1 ? Math.log(1 - spread) : -Infinity);
  const to = Math.log(1 + spread);
  const weighAt = (t: number): number => Math.exp(log + half * (2 * t - Math.expm1(2 * t))) * of(Math.exp(t));
  const coarse = (start: number, end: number): number =>
    end > start
      ? integral(weighAt, start, end, Math.max(FEWEST_PIECES, Math.ceil((end - start) / PIECE)))
      : 0;
  const at = change === undefined ? NaN : Math.log(change);
  if (!(at > from - NEAR && at < to + NEAR)) return coarse(from, to);
  const [start, end] = [Math.max(from, at - NEAR), Math.min(to, at + NEAR)];
  return coarse(from, start) + integral(weighAt, start, end, FINE_PIECES) + coarse(end, to);
}
