/**
 * The first position in rising numbers whose number is at least this one; their count where there is none.
 */
export function firstAtLeast(rising: Float64Array, bound: number): number {
  let [from, to] = [0, rising.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((rising[middle] as number) < bound) from = middle + 1;
    else to = middle;
  }
  return from;
}
