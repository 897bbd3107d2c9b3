/** So many halvings leave nothing between two doubles. */
const MOST_STEPS = 2000;
/** Regula falsi is that close before, or it will not be. */
const MOST_GUESSES = 12;
/**
 * Relative to the answer: far more than what rounding does to the function, far less than what bisection
 * begins with.
 */
const CLOSE = 2 ** -40;

/**
 * Where a rising function reaches a value: bisection, which needs neither a derivative nor luck. To the last
 * bits of a double.
 *
 * @param low,high what encloses the answer; widened when they do not.
 */
export function inverseOf(rising: (x: number) => number, value: number, low: number, high: number): number {
  let from = low;
  let to = high;
  for (let step = 0; rising(to) < value && step < MOST_STEPS; step++) [from, to] = [to, to + 2 * (to - from)];
  for (let step = 0; rising(from) > value && step < MOST_STEPS; step++)
    [from, to] = [from - 2 * (to - from), from];
  const { below, above } = closeTo(rising, value, from, to);
  for (let step = 0; step < MOST_STEPS; step++) {
    const middle = (from + to) / 2;
    if (middle <= from || middle >= to) break;
    // The function is asked only where what it says is not known yet.
    if (middle <= below || (middle < above && rising(middle) < value)) from = middle;
    else to = middle;
  }
  return (from + to) / 2;
}

/**
 * Two places close to the answer between which it lies, found by regula falsi in the Illinois variant; the
 * given ones where that fails.
 */
function closeTo(
  rising: (x: number) => number,
  value: number,
  from: number,
  to: number,
): { readonly below: number; readonly above: number } {
  let low = from;
  let high = to;
  let atLow = rising(low) - value;
  let atHigh = rising(high) - value;
  let guess = low;
  let before = NaN;
  for (let step = 0; step < MOST_GUESSES; step++) {
    const next = (low * atHigh - high * atLow) / (atHigh - atLow);
    if (!(next > low && next < high)) break;
    const isSettled = Math.abs(next - guess) <= CLOSE * Math.abs(next);
    guess = next;
    if (isSettled) break;
    const at = rising(guess) - value;
    // An end that stays twice is given half its value, which pulls the next guess towards it.
    const staysTwice = Math.sign(at) === Math.sign(before);
    if (at < 0) [low, atLow, atHigh] = [guess, at, staysTwice ? atHigh / 2 : atHigh];
    else [high, atHigh, atLow] = [guess, at, staysTwice ? atLow / 2 : atLow];
    before = at;
  }
  const margin = CLOSE * Math.abs(guess);
  return {
    below: rising(guess - margin) < value ? guess - margin : from,
    above: rising(guess + margin) >= value ? guess + margin : to,
  };
}
