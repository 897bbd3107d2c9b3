import { InputError, quote } from "../foundation/errors/index.js";

/** Where the items that two rankings share stand in each. */
export interface SharedPositions {
  /** Positions in the first ranking from 0, rising. */
  readonly first: readonly number[];
  /** Positions of the same items in the second. */
  readonly second: readonly number[];
}

/**
 * The positions of the items that two rankings share, for `kendallTau` or `spearman` of rankings with
 * different items.
 *
 * `matchPositions(["a", "b", "c"], ["c", "x", "a"]) // => { first: [0, 2], second: [2, 0] }`
 *
 * @throws InputError `ARGUMENT` when an item is duplicated in a ranking.
 */
export function matchPositions(first: readonly string[], second: readonly string[]): SharedPositions {
  const inSecond = positionsOf("matchPositions", second);
  const shared = [...positionsOf("matchPositions", first)].filter(([id]) => inSecond.has(id));
  return {
    first: shared.map(([, position]) => position),
    second: shared.map(([id]) => inSecond.get(id) as number),
  };
}

/**
 * Each item's position in a ranking, from 0. An item that is duplicated would count twice in every overlap.
 */
export function positionsOf(caller: string, ranking: readonly string[]): Map<string, number> {
  const given: unknown = ranking;
  // A Set has a `forEach`, too, which tells no positions.
  if (!Array.isArray(given))
    throw new InputError("ARGUMENT", `${caller}: a ranking must be a list of ids, got ${quote(given)}`);
  const positions = new Map<string, number>();
  ranking.forEach((id, position) => {
    if (positions.has(id))
      throw new InputError(
        "ARGUMENT",
        `${caller}: an item may stand once in a ranking, got ${quote(id)} at positions ` +
          `${positions.get(id)} and ${position}; keep the first`,
      );
    positions.set(id, position);
  });
  return positions;
}
