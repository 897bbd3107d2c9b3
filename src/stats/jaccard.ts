import { checkLists } from "./check-pairs.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { positionsOf } from "./match-positions.js";

/**
 * How much of what either ranking shows in its first items do both show?
 *
 * Formula: |A and B| / |A or B|, of the sets of the first `cutoff` items of each; from 0 to 1. Edges: a
 * ranking with fewer items counts with what it has; null when both are empty; the order within the first
 * items does not count. Paper: Jaccard, https://doi.org/10.1111/j.1469-8137.1912.tb05611.x.
 *
 * `jaccard(["a", "b", "c"], ["b", "a", "d"], 2) // => 1`
 *
 * @param cutoff from 1; all items when absent.
 * @throws InputError `ARGUMENT` when the cutoff is not a whole number from 1, or an item is duplicated among
 * the first.
 */
export function jaccard(
  first: readonly string[],
  second: readonly string[],
  cutoff: number = Infinity,
): number | null {
  checkLists("jaccard", first, second);
  if (!(cutoff >= 1) || (cutoff !== Infinity && !Number.isInteger(cutoff)))
    throw new InputError(
      "ARGUMENT",
      `jaccard: the cutoff must be a whole number from 1, got ${quote(cutoff)}`,
    );
  const [a, b] = [first, second].map((ranking) => positionsOf("jaccard", ranking.slice(0, cutoff))) as [
    Map<string, number>,
    Map<string, number>,
  ];
  let shared = 0;
  for (const id of a.keys()) if (b.has(id)) shared++;
  const either = a.size + b.size - shared;
  return either === 0 ? null : shared / either;
}
