/** So many halvings leave nothing between two doubles. */
const MOST_STEPS = 2000;

/**
 * Where a rising function reaches a value: bisection, which needs neither a derivative nor luck. To the last bits of a double.
 *
 * @param low,high what encloses the answer; widened when they do not.
 */
export function inverseOf(rising: (x: number) => number, value: number, low: number, high: number): number {
  let [from, to] = [low, high];
  for (let step = 0; rising(to) < value && step < MOST_STEPS; step++) [from, to] = [to, to + 2 * (to - from)];
  for (let step = 0; rising(from) > value && step < MOST_STEPS; step++) [from, to] = [from - 2 * (to - from), from];
  for (let step = 0; step < MOST_STEPS; step++) {
    const middle = (from + to) / 2;
    if (middle <= from || middle >= to) break;
    if (rising(middle) < value) from = middle;
    else to = middle;
  }
  return (from + to) / 2;
}
