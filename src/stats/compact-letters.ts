/**
 * Groups of things that do not differ, as letters: two things share a letter exactly where they do not
 * differ. By insertion and absorption, as in Piepho (2004), An algorithm for a letter-based representation of
 * all-pairwise comparisons, Journal of Computational and Graphical Statistics 13.
 *
 * @param count how many things there are, the best first: the letters begin with it.
 * @param differs whether two of them differ.
 * @returns for each its letters, sorted: `["a"]`, `["a", "b"]`.
 */
export function compactLetters(
  count: number,
  differs: (first: number, second: number) => boolean,
): string[][] {
  let groups: ReadonlySet<number>[] =
    count === 0 ? [] : [new Set(Array.from({ length: count }, (_, at) => at))];
  for (let first = 0; first < count; first++)
    for (let second = first + 1; second < count; second++) {
      if (!differs(first, second)) continue;
      groups = absorbed(
        groups.flatMap((group) =>
          group.has(first) && group.has(second) ? [without(group, second), without(group, first)] : [group],
        ),
      );
    }
  const sorted = groups
    .map((group) => [...group].sort((x, y) => x - y))
    .sort((x, y) => firstDifference(x, y));
  return Array.from({ length: count }, (_, at) =>
    sorted.flatMap((group, letter) => (group.includes(at) ? [letterOf(letter)] : [])),
  );
}

function without(group: ReadonlySet<number>, member: number): ReadonlySet<number> {
  return new Set([...group].filter((each) => each !== member));
}

/** Without the groups that another one holds. */
function absorbed(groups: readonly ReadonlySet<number>[]): ReadonlySet<number>[] {
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

const ALPHABET = 26;

/** a to z, then aa, ab, … */
function letterOf(index: number): string {
  const letter = String.fromCharCode("a".charCodeAt(0) + (index % ALPHABET));
  return index < ALPHABET ? letter : `${letterOf(Math.floor(index / ALPHABET) - 1)}${letter}`;
}
