import { compareIds } from "../foundation/ids/index.js";

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
  readonly #depth: number;
  /** By place: where its item is overtaken by the next one; of the last place: by any item behind it. */
  readonly #crossings: Float64Array;
  /** The place at which the next exchange happens. */
  #place = -1;
  /** Where the item stands that overtakes the last place next. */
  #outsider = -1;

  constructor(left: Float64Array, right: Float64Array, ids: readonly string[], depth: number) {
    this.#left = left;
    this.#right = right;
    this.#depth = Math.min(depth, left.length);
    this.order = Int32Array.from(left, (_, item) => item).sort(
      (x, y) =>
        (left[y] as number) - (left[x] as number) ||
        (right[y] as number) - (right[x] as number) ||
        compareIds(ids[y] as string, ids[x] as string),
    );
    this.#crossings = new Float64Array(this.#depth);
    for (let place = 0; place < this.#depth; place++) this.#settle(place);
  }

  /** Goes on to the next exchange before w = 1; false where there is none. */
  next(): boolean {
    const crossings = this.#crossings;
    let [at, place] = [1, -1];
    for (let i = 0; i < crossings.length; i++) {
      if ((crossings[i] as number) >= at) continue;
      at = crossings[i] as number;
      place = i;
    }
    if (place === -1) return false;
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
      this.#crossings[place] = this.#crossing(this.order[place] as number, this.order[place + 1] as number);
      return;
    }
    const last = this.order[place] as number;
    let first = 1;
    for (let behind = this.#depth; behind < this.order.length; behind++) {
      const at = this.#crossing(last, this.order[behind] as number);
      if (at >= first) continue;
      first = at;
      this.#outsider = behind;
    }
    this.#crossings[place] = first;
  }

  /** Where the lower of two items overtakes the upper one; 1 where it does not before that. */
  #crossing(upper: number, lower: number): number {
    const lead = (this.#left[upper] as number) - (this.#left[lower] as number);
    const end = (this.#right[upper] as number) - (this.#right[lower] as number);
    if (end >= 0 || end >= lead) return 1;
    return lead <= 0 ? 0 : lead / (lead - end);
  }
}
