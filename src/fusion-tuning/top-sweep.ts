import { compareIds } from "../foundation/ids/index.js";

/** A quarter of the largest double. */
const LARGEST = Number.MAX_VALUE / 4;

/**
 * The top of a list whose scores are lines: `(1 - w) * left + w * right`. Follows w from 0 to 1 and stops
 * wherever two neighbours change places within the first `depth`, or an item behind them comes in.
 *
 * Where many lines meet in one point the pairs change places one after the other; each pair does so at most
 * once, so that the sweep ends, whatever rounding does to the crossings.
 */
export class TopSweep {
  /** Items in the order of their scores; behind `depth` in no order. */
  readonly order: Int32Array;
  /** The weight that was reached. */
  weight = 0;
  /** The items that {@link swap} will exchange: the one that rises, and the one that falls. */
  rising = -1;
  falling = -1;
  readonly #left: Float64Array;
  readonly #right: Float64Array;
  readonly #ids: readonly string[];
  readonly #depth: number;
  /**
   * A tournament: its leaves say by place where the item is overtaken by the next one, the last one by any
   * item behind it; every other node has the lower of its two.
   */
  readonly #crossings: Float64Array;
  /** The first leaf. */
  readonly #leaves: number;
  /** The place at which the next exchange happens. */
  #place = -1;
  /** Where the item stands that overtakes the last place next. */
  #outsider = -1;

  constructor(left: Float64Array, right: Float64Array, ids: readonly string[], depth: number) {
    [this.#left, this.#right] = withinRange(left, right);
    this.#ids = ids;
    this.#depth = Math.min(depth, left.length);
    this.order = Int32Array.from(left, (_, item) => item).sort(
      (x, y) =>
        (this.#left[y] as number) - (this.#left[x] as number) ||
        (this.#right[y] as number) - (this.#right[x] as number) ||
        compareIds(ids[y] as string, ids[x] as string),
    );
    this.#leaves = 2 ** Math.ceil(Math.log2(Math.max(1, this.#depth)));
    this.#crossings = new Float64Array(2 * this.#leaves).fill(1);
    for (let place = 0; place < this.#depth; place++) this.#settle(place);
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
    this.rising = this.order[this.#riser()] as number;
    return true;
  }

  /** Exchanges the two items that {@link next} found. */
  swap(): void {
    const place = this.#place;
    this.order[this.#riser()] = this.falling;
    this.order[place] = this.rising;
    if (place > 0) this.#settle(place - 1);
    this.#settle(place);
    if (place + 1 < this.#depth) this.#settle(place + 1);
  }

  /** Where the item stands that takes the place. */
  #riser(): number {
    return this.#place === this.#depth - 1 ? this.#outsider : this.#place + 1;
  }

  #settle(place: number): void {
    if (place < this.#depth - 1) {
      this.#set(place, this.#crossing(this.order[place] as number, this.order[place + 1] as number));
      return;
    }
    const last = this.order[place] as number;
    let first = 1;
    for (let behind = this.#depth; behind < this.order.length; behind++) {
      const at = this.#crossing(last, this.order[behind] as number);
      if (at > first || at === 1 || (at === first && !this.#standsBefore(behind, this.#outsider))) continue;
      first = at;
      this.#outsider = behind;
    }
    this.#set(place, first);
  }

  /** Whether an item behind has the same line as another one there, and comes first by its id. */
  #standsBefore(place: number, other: number): boolean {
    const [x, y] = [this.order[place] as number, this.order[other] as number];
    return (
      this.#left[x] === this.#left[y] &&
      this.#right[x] === this.#right[y] &&
      compareIds(this.#ids[x] as string, this.#ids[y] as string) > 0
    );
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
