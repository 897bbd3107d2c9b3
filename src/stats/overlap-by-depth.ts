import { checkLists } from "./check-pairs.js";
import { positionsOf } from "./match-positions.js";

/**
 * How many items two rankings share among their first 1, 2, 3, ... items, up to the end of the longer one.
 *
 * An item joins the overlap at the deeper of its two positions, so that one walk over each ranking is enough.
 *
 * @throws InputError `ARGUMENT` when an item is duplicated in a ranking.
 */
export function overlapByDepth(
  caller: string,
  first: readonly string[],
  second: readonly string[],
): Uint32Array {
  checkLists(caller, first, second);
  const overlap = new Uint32Array(Math.max(first.length, second.length));
  const inFirst = positionsOf(caller, first);
  for (const [id, position] of positionsOf(caller, second)) {
    const other = inFirst.get(id);
    if (other !== undefined) (overlap[Math.max(position, other)] as number) += 1;
  }
  for (let i = 1; i < overlap.length; i++) (overlap[i] as number) += overlap[i - 1] as number;
  return overlap;
}
