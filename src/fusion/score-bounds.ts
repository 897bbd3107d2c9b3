/**
 * Lowest and highest of at least one score. `Math.min(...scores)` would overflow the stack for long lists.
 */
export function scoreBounds(scores: ArrayLike<number>): { lowest: number; highest: number } {
  let lowest = Infinity;
  let highest = -Infinity;
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i] as number;
    if (score < lowest) lowest = score;
    if (score > highest) highest = score;
  }
  return { lowest, highest };
}
