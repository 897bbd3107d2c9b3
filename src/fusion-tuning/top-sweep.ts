import { selectTop } from "../foundation/columns/index.js";
import { compareIds } from "../foundation/ids/index.js";

/** A quarter of the largest double. */
const LARGEST = Number.MAX_VALUE / 4;

/** The scores at w = 1, and who can rise towards them. */
export interface RightScores {
  readonly scores: Float64Array;
  /** The items above the lowest score, falling; equal ones by id descending. */
  readonly risers: Int32Array;
}

/** Finds out who can rise: once for all the lines that lead to the same scores. */
export function rightScores(scores: Float64Array, ids: readonly string[]): RightScores {
  const lowest = scores.reduce((least, score) => Math.min(least, score), Infinity);
  const risers = Int32Array.from(scores.keys())
    .filter((item) => (scores[item] as number) > lowest)
    .sort(
      (x, y) =>
        (scores[y] as number) - (scores[x] as number) || compareIds(ids[y] as string, ids[x] as string),
    );
  return { scores, risers };
}

/**
 * The top of a list whose scores are lines: `(1 - w) * left + w * right`. Follows w from 0 to 1 and stops
 * wherever two neighbours change places within the first `depth`, or an item behind them comes in.
 *
 * Where many lines meet in one point the pairs change places one after the other; each pair does so at most
 * once, so that the sweep ends, whatever rounding does to the crossings.
 */
export class TopSweep {
  /** The first `depth` items in the order of their scores. */
  readonly order: Int32Array;
  /** The weight that was reached. */
  weight = 0;
  /** The items that {@link swap} will exchange: the one that rises, and the one that falls. */
  rising = -1;
  falling = -1;
  readonly #left: Float64Array;
  readonly #right: Float64Array;
  readonly #risers: Int32Array;
  readonly #isTop: Uint8Array;
  /**
   * A tournament: its leaves say by place where the item is overtaken by the next one, the last one by any
   * item behind it; every other node has the lower of its two.
   */
  readonly #crossings: Float64Array;
  /** The first leaf. */
  readonly #leaves: number;
  /** The place at which the next exchange happens. */
  #place = -1;
  /** The item that overtakes the last place next. */
  #outsider = -1;

  constructor(left: Float64Array, right: RightScores, ids: readonly string[], depth: number) {
    [this.#left, this.#right] = withinRange(left, right.scores);
    this.#risers = right.risers;
    this.order = this.#selectTop(ids, depth);
    this.#isTop = new Uint8Array(ids.length);
    for (const item of this.order) this.#isTop[item] = 1;
    this.#leaves = 2 ** Math.ceil(Math.log2(Math.max(1, this.order.length)));
    this.#crossings = new Float64Array(2 * this.#leaves).fill(1);
    for (let place = 0; place < this.order.length; place++) this.#settle(place);
  }

  /** The order in which w leaves 0. */
  #selectTop(ids: readonly string[], depth: number): Int32Array {
    const right = this.#right;
    return selectTop(this.#left, depth, (x, y) => {
      const lead = (right[x] as number) - (right[y] as number);
      return lead === 0 ? compareIds(ids[x] as string, ids[y] as string) > 0 : lead > 0;
    });
  }

  /** Goes on to the next exchange before w = 1; false where there is none. */
  next(): boolean {
    const crossings = this.#crossings;
    const at = crossings[1] as number;
    if (at >= 1) return false;
    let node = 1;
    while (node < this.#leaves) node = crossings[2 * node] === at ? 2 * node : 2 * node + 1;
    const place = node - this.#leaves;
    this.weight = Math.max(this.weight, at);
    this.#place = place;
    this.falling = this.order[place] as number;
    this.rising = this.#isLast(place) ? this.#outsider : (this.order[place + 1] as number);
    return true;
  }

  /** Exchanges the two items that {@link next} found. */
  swap(): void {
    const place = this.#place;
    this.order[place] = this.rising;
    if (this.#isLast(place)) {
      this.#isTop[this.rising] = 1;
      this.#isTop[this.falling] = 0;
    } else this.order[place + 1] = this.falling;
    if (place > 0) this.#settle(place - 1);
    this.#settle(place);
    if (!this.#isLast(place)) this.#settle(place + 1);
  }

  #isLast(place: number): boolean {
    return place === this.order.length - 1;
  }

  #settle(place: number): void {
    const item = this.order[place] as number;
    this.#set(
      place,
      this.#isLast(place)
        ? this.#outsiderCrossing(item)
        : this.#crossing(item, this.order[place + 1] as number),
    );
  }

  /**
   * Where any item behind overtakes the last one. Of several at one place it is the one that was higher; of
   * those with the same line the first by id.
   */
  #outsiderCrossing(last: number): number {
    const [left, right] = [this.#left, this.#right];
    let first = 1;
    for (const item of this.#risers) {
      if ((right[item] as number) <= (right[last] as number)) break;
      if (this.#isTop[item] === 1) continue;
      const at = this.#crossing(last, item);
      const isAbove = at === first && at < 1 && (left[item] as number) > (left[this.#outsider] as number);
      if (at < first || isAbove) [first, this.#outsider] = [at, item];
    }
    return first;
  }

  #set(place: number, at: number): void {
    const crossings = this.#crossings;
    let node = this.#leaves + place;
    crossings[node] = at;
    for (node >>= 1; node > 0; node >>= 1)
      crossings[node] = Math.min(crossings[2 * node] as number, crossings[2 * node + 1] as number);
  }

  /** Where the lower of two items overtakes the upper one; 1 where it does not before that. */
  #crossing(upper: number, lower: number): number {
    const lead = (this.#left[upper] as number) - (this.#left[lower] as number);
    const end = (this.#right[upper] as number) - (this.#right[lower] as number);
    if (end >= 0 || end >= lead) return 1;
    return lead <= 0 ? 0 : lead / (lead - end);
  }
}

/** Scores so large that their differences are beyond what a double holds are all made smaller. */
function withinRange(left: Float64Array, right: Float64Array): [Float64Array, Float64Array] {
  const isLarge = (score: number): boolean => Math.abs(score) > LARGEST;
  return left.some(isLarge) || right.some(isLarge)
    ? [left.map((score) => score / 4), right.map((score) => score / 4)]
    : [left, right];
}
