import { firstIndex, ownMemory, type ColumnMemory } from "../foundation/columns/index.js";

/** Where hits of a scored list stand when it is put in order: parallel lists, by rank. */
export interface SettledRanks {
  /** Which of the hits asked about stands at each place; null when they keep their order. */
  readonly order: Int32Array | null;
  readonly ranks: Int32Array;
  /** The first and the last rank of the hits of the same score. */
  readonly first: Int32Array;
  readonly last: Int32Array;
  readonly hasTies: boolean;
  /** Whether the hits at ranks k and k + 1 have the same score. Reads `scores`. */
  readonly isTied: (k: number) => boolean;
}

/**
 * The order of two hits of equal score, by their positions: negative when the first comes first. 0 leaves it
 * to the input.
 */
export type TieOrder = (a: number, b: number) => number;

/** What a list is like: nothing is sorted that need not be. */
type Shape = "falling" | "falling with ties" | "unsorted";

function shapeOf(scores: Float64Array, count: number): Shape {
  let shape: Shape = "falling";
  for (let i = 1; i < count; i++) {
    if ((scores[i] as number) > (scores[i - 1] as number)) return "unsorted";
    if ((scores[i] as number) === (scores[i - 1] as number)) shape = "falling with ties";
  }
  return shape;
}

/**
 * The ranks of some hits of a list by falling score. Only ties that hold one of these hits are looked into.
 *
 * @param scores of all hits; finite or infinite, no NaN. Only the first `count` are read.
 * @param asked positions of the hits asked about, rising.
 * @param memory of the ranks.
 */
export function settleRanks(
  scores: Float64Array,
  count: number,
  asked: Int32Array,
  tieOrder: TieOrder,
  memory: ColumnMemory = ownMemory,
): SettledRanks {
  const shape = shapeOf(scores, count);
  if (shape === "falling") {
    const ranks = memory.ints(asked.length);
    for (let i = 0; i < ranks.length; i++) ranks[i] = (asked[i] as number) + 1;
    return { order: null, ranks, first: ranks, last: ranks, hasTies: false, isTied: notTied };
  }
  return shape === "unsorted"
    ? settleUnsorted(scores, count, asked, tieOrder, memory)
    : settleFalling(scores, count, asked, tieOrder, memory);
}

const notTied = (): boolean => false;

function settleFalling(
  scores: Float64Array,
  count: number,
  asked: Int32Array,
  tieOrder: TieOrder,
  memory: ColumnMemory,
): SettledRanks {
  const order = memory.ints(asked.length);
  const first = memory.ints(asked.length);
  const last = memory.ints(asked.length);
  const ranks = memory.ints(asked.length);
  const ties = tiesOfFalling(scores, count, asked, order, first, last);
  settleTies(ties, order, first, last, asked, numbersFrom, tieOrder, ranks);
  return {
    order,
    ranks,
    first,
    last,
    hasTies: true,
    isTied: (k) => k < count && scores[k - 1] === scores[k],
  };
}

/**
 * Fills in the first and the last rank of each hit asked about, and says which of these hits are the first
 * of a tie. A loop of its own: the engine compiles what it stays in for long, with all that is called there.
 */
function tiesOfFalling(
  scores: Float64Array,
  count: number,
  asked: Int32Array,
  order: Int32Array,
  first: Int32Array,
  last: Int32Array,
): number[] {
  const ties: number[] = [];
  for (let i = 0; i < asked.length;) {
    const position = asked[i] as number;
    const score = scores[position];
    let start = position;
    while (start > 0 && scores[start - 1] === score) start--;
    let end = position + 1;
    while (end < count && scores[end] === score) end++;
    if (end - start > 1) ties.push(i);
    for (; i < asked.length && (asked[i] as number) < end; i++) {
      order[i] = i;
      first[i] = start + 1;
      last[i] = end;
    }
  }
  return ties;
}

function numbersFrom(start: number, end: number): Int32Array {
  const numbers = new Int32Array(end - start);
  for (let i = 0; i < numbers.length; i++) numbers[i] = start + i;
  return numbers;
}

function settleUnsorted(
  scores: Float64Array,
  count: number,
  asked: Int32Array,
  tieOrder: TieOrder,
  memory: ColumnMemory,
): SettledRanks {
  const falling = memory.doubles(count);
  falling.set(scores.subarray(0, count));
  falling.sort().reverse();
  const isTied = (k: number): boolean => k < count && falling[k - 1] === falling[k];
  // First rank and place in `asked` as one number, because numbers are sorted without a call for each
  // comparison.
  const keys = memory.doubles(asked.length);
  for (let i = 0; i < keys.length; i++)
    keys[i] = indexOf(falling, scores[asked[i] as number] as number) * keys.length + i;
  keys.sort();
  const order = memory.ints(keys.length);
  const first = memory.ints(keys.length);
  const last = memory.ints(keys.length);
  const ranks = memory.ints(keys.length);
  const ties: number[] = [];
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as number;
    order[i] = key % keys.length;
    let end = (first[i] = Math.floor(key / keys.length) + 1);
    if (i > 0 && first[i - 1] === end) end = last[i - 1] as number;
    while (isTied(end)) end++;
    last[i] = end;
    if (end > (first[i] as number) && (i === 0 || first[i - 1] !== first[i])) ties.push(i);
  }
  let byRank: Int32Array | null = null;
  settleTies(
    ties,
    order,
    first,
    last,
    asked,
    (start, end) => (byRank ??= findTiedPositions(scores, count, falling, first, last)).subarray(start, end),
    tieOrder,
    ranks,
  );
  let hasTies = false;
  for (let k = 1; k < count && !hasTies; k++) hasTies = isTied(k);
  return { order, ranks, first, last, hasTies, isTied };
}

/**
 * Positions in the input by rank, of the hits in ties from `first` to `last` only; within a tie in the order
 * of the input.
 */
function findTiedPositions(
  scores: Float64Array,
  count: number,
  falling: Float64Array,
  first: Int32Array,
  last: Int32Array,
): Int32Array {
  const starts = first.filter((rank, i) => rank < (last[i] as number) && (i === 0 || rank !== first[i - 1]));
  const tied = Float64Array.from(starts, (rank) => falling[rank - 1] as number);
  const positions = new Int32Array(count);
  for (let position = 0; position < count; position++) {
    const score = scores[position] as number;
    const tie = indexOf(tied, score);
    if (tied[tie] === score) positions[(starts[tie] as number)++ - 1] = position;
  }
  return positions;
}

/** The index of the first score that is not above `score`. */
function indexOf(falling: Float64Array, score: number): number {
  return firstIndex(falling.length, (index) => (falling[index] as number) <= score);
}

/**
 * Fills in the ranks of hits in order of their score; puts those of each tie in order.
 *
 * @param ties places of the first hit of each tie.
 * @param positionsIn the hits of a tie, by the ranks before it and at its end.
 */
function settleTies(
  ties: readonly number[],
  order: Int32Array,
  first: Int32Array,
  last: Int32Array,
  asked: Int32Array,
  positionsIn: (start: number, end: number) => Int32Array,
  tieOrder: TieOrder,
  ranks: Int32Array,
): void {
  ranks.set(first);
  for (const from of ties) {
    let to = from + 1;
    while (to < order.length && first[to] === first[from]) to++;
    settleTie(
      order.subarray(from, to),
      ranks.subarray(from, to),
      asked,
      positionsIn((first[from] as number) - 1, last[from] as number),
      tieOrder,
    );
  }
}

/** Puts some hits of a tie in order, and adds to the rank of each how many hits of the tie come before it. */
function settleTie(
  order: Int32Array,
  ranks: Int32Array,
  asked: Int32Array,
  positions: Int32Array,
  tieOrder: TieOrder,
): void {
  // Copies of one item are equal in every other way; then the input decides.
  const compare = (a: number, b: number): number => tieOrder(a, b) || a - b;
  if (order.length > 1) order.sort((a, b) => compare(asked[a] as number, asked[b] as number));
  if (order.length === positions.length) {
    for (let i = 0; i < ranks.length; i++) (ranks[i] as number) += i;
    return;
  }
  /** How many hits come before the one at an index, and not before the one above it. */
  const between = new Int32Array(order.length + 1);
  for (let i = 0; i < positions.length; i++) {
    const position = positions[i] as number;
    const place = firstIndex(
      order.length,
      (index) => compare(position, asked[order[index] as number] as number) < 0,
    );
    (between[place] as number)++;
  }
  let above = 0;
  for (let i = 0; i < ranks.length; i++) (ranks[i] as number) += above += between[i] as number;
}
