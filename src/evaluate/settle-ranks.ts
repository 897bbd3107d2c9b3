/** Where hits of a scored list stand when it is put in order: parallel lists, by rank. */
export interface SettledRanks {
  /** Positions in the input of the hits asked about. */
  readonly positions: Int32Array;
  readonly ranks: Int32Array;
  /** The first and the last rank of the hits of the same score. */
  readonly first: Int32Array;
  readonly last: Int32Array;
  readonly hasTies: boolean;
  /** Whether the hits at ranks k and k + 1 have the same score. */
  readonly isTied: (k: number) => boolean;
}

/** The order of a list whose hits at some positions are asked about: nothing is sorted that need not be. */
type Order = "falling" | "falling with ties" | "unsorted";

function orderOf(scores: Float64Array, count: number): Order {
  let order: Order = "falling";
  for (let i = 1; i < count; i++) {
    if ((scores[i] as number) > (scores[i - 1] as number)) return "unsorted";
    if ((scores[i] as number) === (scores[i - 1] as number)) order = "falling with ties";
  }
  return order;
}

/**
 * The ranks of some hits of a list by falling score. Only ties that hold one of these hits are looked into.
 *
 * @param scores of all hits; finite or infinite, no NaN. Only the first `count` are read.
 * @param asked positions of the hits asked about, rising.
 * @param precedes whether the hit at one position comes before that at another when their scores are equal.
 */
export function settleRanks(scores: Float64Array, count: number, asked: Int32Array, precedes: (a: number, b: number) => boolean): SettledRanks {
  const order = orderOf(scores, count);
  if (order === "falling") {
    const ranks = new Int32Array(asked.length);
    for (let i = 0; i < ranks.length; i++) ranks[i] = (asked[i] as number) + 1;
    return { positions: asked, ranks, first: ranks, last: ranks, hasTies: false, isTied: notTied };
  }
  const sorted = scores.slice(0, count);
  if (order === "unsorted") sorted.sort().reverse();
  const settled = settledByScore(scores, sorted, asked, order === "unsorted", precedes);
  const isTied = (k: number): boolean => k < count && sorted[k - 1] === sorted[k];
  return { ...settled, hasTies: order !== "unsorted" || sorted.some((score, index) => index > 0 && score === sorted[index - 1]), isTied };
}

const notTied = (): boolean => false;

function settledByScore(scores: Float64Array, sorted: Float64Array, asked: Int32Array, isShuffled: boolean, precedes: (a: number, b: number) => boolean): Omit<SettledRanks, "isTied" | "hasTies"> {
  // Copies of one item precede neither each other; then the input decides.
  const before = (a: number, b: number): boolean => precedes(a, b) || (a < b && !precedes(b, a));
  const byScore = new Map<number, number[]>();
  for (const position of asked) {
    const score = (scores[position] as number) + 0;
    const group = byScore.get(score);
    if (group === undefined) byScore.set(score, [position]);
    else group.push(position);
  }
  const settled: { position: number; rank: number; first: number; last: number }[] = [];
  let inOrder: Int32Array | null = isShuffled ? null : Int32Array.from(sorted, (_, index) => index);
  for (const [score, group] of byScore) {
    const first = firstNotAbove(sorted, score) + 1;
    const last = firstBelow(sorted, score);
    if (first === last) {
      settled.push({ position: group[0] as number, rank: first, first, last });
      continue;
    }
    inOrder ??= Int32Array.from(sorted, (_, index) => index).sort((a, b) => (scores[b] as number) - (scores[a] as number));
    const places = placesInGroup(inOrder.subarray(first - 1, last), group, before);
    group.forEach((position, index) => settled.push({ position, rank: first + (places[index] as number), first, last }));
  }
  settled.sort((a, b) => a.rank - b.rank);
  const column = (of: (hit: (typeof settled)[number]) => number): Int32Array => Int32Array.from(settled, of);
  return { positions: column(({ position }) => position), ranks: column(({ rank }) => rank), first: column(({ first }) => first), last: column(({ last }) => last) };
}

/** How many of a group come before each of some of its members: every member is looked up among those few, put in order. */
function placesInGroup(members: Int32Array, asked: readonly number[], before: (a: number, b: number) => boolean): number[] {
  const order = [...asked].sort((a, b) => (before(a, b) ? -1 : 1));
  /** How many members come before the asked one at an index, and not before the one above it. */
  const between = new Int32Array(order.length + 1);
  for (const member of members) {
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (before(member, order[middle] as number)) high = middle;
      else low = middle + 1;
    }
    (between[low] as number)++;
  }
  const places = new Map<number, number>();
  let above = 0;
  order.forEach((position, index) => places.set(position, (above += between[index] as number)));
  return asked.map((position) => places.get(position) as number);
}

/** The index of the first score that is not above `score`, in a falling list. */
function firstNotAbove(falling: Float64Array, score: number): number {
  return firstWhere(falling, (other) => other <= score);
}

function firstBelow(falling: Float64Array, score: number): number {
  return firstWhere(falling, (other) => other < score);
}

function firstWhere(falling: Float64Array, holds: (score: number) => boolean): number {
  let low = 0;
  let high = falling.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(falling[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low;
}
