import { InputError, quote } from "../foundation/errors/index.js";

/** Numbers as a list or a typed array. */
export type NumberList = ArrayLike<number> & Iterable<number>;

/**
 * Establishes that two lists are of one length and hold numbers.
 *
 * @returns them as lists.
 * @throws InputError `ARGUMENT` when not; infinities are numbers here, because they can be ranked.
 */
export function checkPairs(caller: string, x: NumberList, y: NumberList): [x: number[], y: number[]] {
  checkLists(caller, x, y);
  if (x.length !== y.length)
    throw new InputError(
      "ARGUMENT",
      `${caller}: both lists must have one value per pair, got ${quote(x.length)} and ` +
        `${quote(y.length)} values; leave out what only one of them has`,
    );
  const lists: [number[], number[]] = [Array.from(x), Array.from(y)];
  for (const list of lists) {
    const wrong = list.findIndex((value) => typeof value !== "number" || Number.isNaN(value));
    if (wrong >= 0)
      throw new InputError(
        "ARGUMENT",
        `${caller}: every value must be a number, got ${quote(list[wrong])} at position ` +
          `${wrong}; leave the pair out`,
      );
  }
  return lists;
}

/** Establishes that arguments are lists. @throws InputError `ARGUMENT` */
export function checkLists(caller: string, ...lists: readonly unknown[]): void {
  for (const list of lists)
    if (typeof list !== "object" || list === null || typeof (list as ArrayLike<unknown>).length !== "number")
      throw new InputError("ARGUMENT", `${caller} takes lists, got ${quote(list)}`);
}

/**
 * Establishes that differences are numbers: a NaN has no sign and no rank, and would pass for none.
 *
 * @throws InputError `ARGUMENT`
 */
export function checkDifferences(caller: string, differences: ArrayLike<number>): void {
  const given = differences as ArrayLike<number> | null | undefined;
  if (typeof given?.length !== "number")
    throw new InputError("ARGUMENT", `${caller}: differences must be a list of numbers, got ${quote(given)}`);
  for (let at = 0; at < given.length; at++)
    if (!Number.isFinite(given[at]))
      throw new InputError(
        "ARGUMENT",
        `${caller}: every difference must be a finite number, got ${quote(given[at])} at position ` +
          `${at}; leave the query out`,
      );
}
