import { overlapByDepth } from "./overlap-by-depth.js";

/**
 * How much do two rankings share at a depth, on average over the depths of the shorter one?
 *
 * Formula: the mean over d = 1 ... min(length) of |first d of A and first d of B| / d; from 0 to 1.
 * Edges: null when both rankings are empty, 0 when one is.
 * Agrees with the Python package rbo for p = 1.
 * Paper: Wu, Crestani, https://doi.org/10.1145/952532.952693.
 *
 * `averageOverlap(["a", "b"], ["b", "a"]) // => 0.5`
 *
 * @throws InputError `ARGUMENT` when an item is duplicated in a ranking.
 */
export function averageOverlap(first: readonly string[], second: readonly string[]): number | null {
  const overlap = overlapByDepth("averageOverlap", first, second);
  const depth = Math.min(first.length, second.length);
  if (overlap.length === 0) return null;
  if (depth === 0) return 0;
  return overlap.subarray(0, depth).reduce((sum, shared, i) => sum + shared / (i + 1), 0) / depth;
}
