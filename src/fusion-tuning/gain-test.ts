import { ascending } from "../foundation/numbers/index.js";
import { MOST_EXACT_FLIPS, signFlips } from "../stats/internal.js";
import type { Curve } from "./curve.js";

/** What {@link gainTest} found. */
export interface GainTest {
  /** How often the best of all variants would seem so much better, were nothing better than what is there. */
  readonly p: number;
  readonly isExact: boolean;
  /** Sign flips that were counted or drawn. */
  readonly flips: number;
  /** Settings that differ in some query's score. */
  readonly variants: number;
}

/** Flips that are walked side by side: the steps are read once for all of them. */
const LANES = 4;
const FLIPS = 10_000;
const FEWEST_FLIPS = 999;
/** After so many flips that reach as far p is known well enough (Besag, Clifford 1991). */
const ENOUGH = 200;
/** Steps that are walked over all flips: about a second. */
const MOST_STEPS = 100_000_000;
/** Statistics that differ by less are equal but for rounding. */
const EQUAL = 1e-9;
/** Where squares add up to less, every query scores what it does now, but for rounding. */
const NO_GAIN = 1e-12;

/**
 * One p value for a whole search: the largest t of the gains over every cell of every curve, against what it
 * is when each query's gains may as well have the other sign. As `maxT` with t, one-sided, without a column
 * for each of the cells. Not the largest mean: settings far from what is there vary the most, and would drown
 * those that gain a little everywhere.
 *
 * @param current each query's score with the setting that is there.
 * @param groups by query the number of its group, from 0: its queries have the same sign.
 */
export function gainTest(
  curves: readonly Curve[],
  current: readonly number[],
  groups: readonly number[],
  seed: number,
): GainTest {
  const walks = curves.map((curve) => new FlippedCurve(curve, current, groups));
  const count = groups.reduce((most, group) => Math.max(most, group + 1), 0);
  const moved = new Set<number>();
  for (const walk of walks) walk.addMoved(moved);
  const isExact = moved.size <= MOST_EXACT_FLIPS;
  const steps = curves.reduce((sum, { functions }) => sum + functions.steps, 0);
  const drawn = Math.max(FEWEST_FLIPS, Math.min(FLIPS, Math.floor(MOST_STEPS / Math.max(1, steps))));
  const lanes = new Float64Array(LANES * count).fill(1);
  const largest = (): Float64Array => {
    const most = new Float64Array(LANES).fill(-Infinity);
    for (const walk of walks) walk.raise(most, lanes);
    return most;
  };
  const observed = (largest()[0] as number) - EQUAL;
  let filled = 0;
  let flips = 0;
  let reached = 0;
  const isEnough = (): boolean => !isExact && reached === ENOUGH;
  const walk = (): void => {
    for (const most of largest().subarray(0, filled)) {
      if (isEnough()) break;
      flips++;
      if (most >= observed) reached++;
    }
    filled = 0;
  };
  signFlips(count, [...moved].sort(ascending), drawn, seed, (signs) => {
    for (let group = 0; group < count; group++) lanes[LANES * group + filled] = signs[group] as number;
    if (++filled === LANES) walk();
    return isEnough();
  });
  walk();
  return {
    p: isExact || isEnough() ? reached / flips : (reached + 1) / (flips + 1),
    isExact,
    flips,
    variants: curves.reduce((sum, { starts }) => sum + starts.length, 0),
  };
}

/** The changes of a curve from cell to cell, ready to be walked with any signs. */
class FlippedCurve {
  /** By cell: where its changes end. What queries gain in the first cell are its changes. */
  readonly #ends: Int32Array;
  /** By change: the group of its query. */
  readonly #groups: Int32Array;
  readonly #changes: Float64Array;
  /** By cell: one over the root of the sum of all squares, which no sign changes; 0 where nothing differs. */
  readonly #scales: Float64Array;

  constructor(curve: Curve, current: readonly number[], groups: readonly number[]) {
    const { functions } = curve;
    this.#groups = new Int32Array(functions.steps);
    const queries = new Int32Array(functions.steps);
    this.#changes = new Float64Array(functions.steps);
    this.#ends = new Int32Array(curve.starts.length);
    for (let step = 0; step < functions.steps; step++) (this.#ends[curve.cellOf(step)] as number)++;
    for (let cell = 1; cell < this.#ends.length; cell++)
      (this.#ends[cell] as number) += this.#ends[cell - 1] as number;
    const next = this.#ends.slice();
    for (let query = 0; query < functions.size; query++) {
      const [from, to] = functions.range(query);
      let before = current[query] as number;
      for (let step = from; step < to; step++) {
        const place = ((next[curve.cellOf(step)] as number) -= 1);
        queries[place] = query;
        this.#groups[place] = groups[query] as number;
        this.#changes[place] = functions.value(step) - before;
        before = functions.value(step);
      }
    }
    this.#scales = new Float64Array(this.#ends.length);
    const gains = new Float64Array(current.length);
    let squares = 0;
    for (let cell = 0, step = 0; cell < this.#ends.length; cell++) {
      for (; step < (this.#ends[cell] as number); step++) {
        const query = queries[step] as number;
        const gain = gains[query] as number;
        gains[query] = gain + (this.#changes[step] as number);
        squares += gains[query] ** 2 - gain ** 2;
      }
      this.#scales[cell] = squares < NO_GAIN ? 0 : 1 / Math.sqrt(squares);
    }
  }

  /** Adds the groups to which any cell gives another score than what is there. */
  addMoved(moved: Set<number>): void {
    this.#changes.forEach((change, at) => {
      if (change !== 0) moved.add(this.#groups[at] as number);
    });
  }

  /**
   * Raises each lane to the largest statistic over the cells: the sum of gains, each query's with its sign,
   * over the root of their squares, of which t is a rising function.
   *
   * @param signs for each group one for each lane.
   */
  raise(most: Float64Array, signs: Float64Array): void {
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    let topA = -Infinity;
    let topB = -Infinity;
    let topC = -Infinity;
    let topD = -Infinity;
    let step = 0;
    for (let cell = 0; cell < this.#ends.length; cell++) {
      const end = this.#ends[cell] as number;
      for (; step < end; step++) {
        const change = this.#changes[step] as number;
        const at = LANES * (this.#groups[step] as number);
        a += (signs[at] as number) * change;
        b += (signs[at + 1] as number) * change;
        c += (signs[at + 2] as number) * change;
        d += (signs[at + 3] as number) * change;
      }
      const scale = this.#scales[cell] as number;
      if (a * scale > topA) topA = a * scale;
      if (b * scale > topB) topB = b * scale;
      if (c * scale > topC) topC = c * scale;
      if (d * scale > topD) topD = d * scale;
    }
    [topA, topB, topC, topD].forEach((top, lane) => (most[lane] = Math.max(most[lane] as number, top)));
  }
}
