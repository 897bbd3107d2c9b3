/**
 * A power of two near the largest size of some values: what is divided by it keeps all of its digits, and has
 * squares and cubes that neither overflow nor vanish. 1 where all are 0.
 */
export function powerOfTwo(values: ArrayLike<number>): number {
  let largest = 0;
  for (let at = 0; at < values.length; at++) largest = Math.max(largest, Math.abs(values[at] as number));
  return largest === 0 ? 1 : 2 ** Math.floor(Math.log2(largest));
}
