import { wholeNumber } from "../foundation/checks/index.js";

/** One character each, so that letters can stand side by side. */
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const MOST_THINGS = 10_000;
/** Groups that are looked at on the way; later pairs may draw them together. */
const MOST_AT_ONCE = 4 * LETTERS.length;

/**
 * Groups of things that do not differ, as letters: two things share a letter exactly where they do not
 * differ. By insertion and absorption, as in Piepho (2004), An algorithm for a letter-based representation of
 * all-pairwise comparisons, Journal of Computational and Graphical Statistics 13.
 *
 * @param count how many things there are, the best first: the letters begin with it.
 * @param differs whether two of them differ.
 * @returns for each its letters, sorted: `["a"]`, `["a", "b"]`; null where there are more groups than the 52
 * letters: groups can double with every pair.
 * @throws InputError `ARGUMENT` for what is no count, and for more than 10,000: all pairs are looked at.
 */
export function compactLetters(
  count: number,
  differs: (first: number, second: number) => boolean,
): string[][] | null {
  wholeNumber("count", count, 0, MOST_THINGS);
  let groups: ReadonlySet<number>[] =
    count === 0 ? [] : [new Set(Array.from({ length: count }, (_, at) => at))];
  for (let first = 0; first < count; first++)
    for (let second = first + 1; second < count; second++) {
      if (!differs(first, second)) continue;
      if (groups.length > MOST_AT_ONCE) return null;
      groups = dropAbsorbed(
        groups.flatMap((group) =>
          group.has(first) && group.has(second) ? [without(group, second), without(group, first)] : [group],
        ),
      );
    }
  if (groups.length > LETTERS.length) return null;
  const sorted = groups
    .map((group) => [...group].sort((x, y) => x - y))
    .sort((x, y) => firstDifference(x, y));
  return Array.from({ length: count }, (_, at) =>
    sorted.flatMap((group, letter) => (group.includes(at) ? [LETTERS[letter] as string] : [])),
  );
}

function without(group: ReadonlySet<number>, member: number): ReadonlySet<number> {
  return new Set([...group].filter((each) => each !== member));
}

/** Without the groups that another one holds. */
function dropAbsorbed(groups: readonly ReadonlySet<number>[]): ReadonlySet<number>[] {
  return groups.filter(
    (group, at) =>
      !groups.some(
        (other, place) =>
          place !== at &&
          (other.size > group.size || (other.size === group.size && place < at)) &&
          [...group].every((member) => other.has(member)),
      ),
  );
}

/** Groups in the order of their best members. */
function firstDifference(x: readonly number[], y: readonly number[]): number {
  const at = x.findIndex((member, place) => member !== y[place]);
  return at === -1 ? x.length - y.length : (x[at] as number) - (y[at] ?? -1);
}
