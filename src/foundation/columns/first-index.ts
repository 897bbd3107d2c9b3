/**
 * The first index from 0 on for which a condition holds, or `count` where it holds for none of them. The
 * condition must be monotone: once it holds, it holds for all that follow.
 */
export function firstIndex(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
