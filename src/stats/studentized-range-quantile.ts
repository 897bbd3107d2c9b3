import { InputError, quote } from "../foundation/errors/index.js";
import { studentizedRangeAbove } from "./studentized-range.js";

/**
 * The probability is an integral that costs milliseconds, so that bisection to the last bit would cost a
 * second.
 */
const MOST_STEPS = 100;
/** Relative to the value; the integral is not exact beyond it. */
const CLOSE = 1e-13;
/** Near the quantiles that are asked for most. */
const FIRST_GUESS = 4;

/**
 * What the studentized range of k means exceeds with a probability: regula falsi in the Illinois variant.
 *
 * @param share above 0 and below 1, for example 0.05.
 * @param k number of means, from 2.
 * @param degrees of freedom of the deviation, from 1.
 * @throws InputError `ARGUMENT` for what is outside of these.
 */
export function studentizedRangeQuantile(share: number, k: number, degrees: number): number {
  if (!(share > 0 && share < 1 && k >= 2 && degrees >= 1))
    throw new InputError(
      "ARGUMENT",
      "studentizedRangeQuantile: share must be above 0 and below 1, k at least 2 and degrees at least 1, " +
        "got " +
        [share, k, degrees].map((each) => quote(each)).join(", "),
    );
  const excess = (q: number): number => studentizedRangeAbove(q, k, degrees) - share;
  let low = 0;
  let high = FIRST_GUESS;
  let atLow = excess(low);
  let atHigh = excess(high);
  while (atHigh > 0) {
    [low, atLow, high] = [high, atHigh, high * 2];
    atHigh = excess(high);
  }
  let moved: "low" | "high" | null = null;
  for (let step = 0; step < MOST_STEPS && high - low > CLOSE * high; step++) {
    const q = (low * atHigh - high * atLow) / (atHigh - atLow);
    const atQ = excess(q);
    if (atQ === 0 || q <= low || q >= high) return q;
    // An end that stays twice is given half its value, which pulls the next step towards it.
    if (atQ > 0) {
      [low, atLow] = [q, atQ];
      if (moved === "low") atHigh /= 2;
      moved = "low";
    } else {
      [high, atHigh] = [q, atQ];
      if (moved === "high") atLow /= 2;
      moved = "high";
    }
  }
  return (low + high) / 2;
}
