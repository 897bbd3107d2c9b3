import { signFlips } from "../stats/internal.js";
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

const FLIPS = 10_000;
const FEWEST_FLIPS = 999;
/** Steps that are walked over all flips: about a second. */
const MOST_STEPS = 300_000_000;
/** Sums that differ by less, as a share of the sum of all sizes, are equal but for rounding. */
const EQUAL_SHARE = 1e-12;

/**
 * One p value for a whole search: the largest mean gain over every cell of every curve, against what it is
 * when each query's gains may as well have the other sign. As `maxT` with the mean, one-sided, without a
 * column for each of the cells.
 *
 * @param current each query's score with the setting that is there.
 */
export function gainTest(curves: readonly Curve[], current: readonly number[], seed: number): GainTest {
  const walks = curves.map((curve) => new FlippedCurve(curve, current));
  const moved = current.map((_, query) => query).filter((query) => walks.some((walk) => walk.moves(query)));
  const steps = curves.reduce((sum, { functions }) => sum + functions.steps, 0);
  const drawn = Math.max(FEWEST_FLIPS, Math.min(FLIPS, Math.floor(MOST_STEPS / Math.max(1, steps))));
  const largest = (signs: Float64Array): number =>
    walks.reduce((most, walk) => Math.max(most, walk.largest(signs)), -Infinity);
  const sizes = current.reduce((sum, score) => sum + Math.abs(score), 0) + current.length;
  const observed = largest(new Float64Array(current.length).fill(1)) - EQUAL_SHARE * sizes;
  let reached = 0;
  const { flips, isExact } = signFlips(current.length, moved, drawn, seed, (signs) => {
    if (largest(signs) >= observed) reached++;
  });
  return {
    p: isExact ? reached / flips : (reached + 1) / (flips + 1),
    isExact,
    flips,
    variants: curves.reduce((sum, { starts }) => sum + starts.length, 0),
  };
}

/** The changes of a curve from cell to cell, ready to be walked with any signs. */
class FlippedCurve {
  readonly #current: readonly number[];
  readonly #first: Float64Array;
  /** By cell: where its changes end. */
  readonly #ends: Int32Array;
  readonly #queries: Int32Array;
  readonly #changes: Float64Array;
  readonly #moves: Uint8Array;

  constructor(curve: Curve, current: readonly number[]) {
    const { functions } = curve;
    this.#current = current;
    this.#first = new Float64Array(current.length);
    this.#moves = new Uint8Array(current.length);
    const count = functions.steps - functions.size;
    this.#queries = new Int32Array(count);
    this.#changes = new Float64Array(count);
    this.#ends = new Int32Array(curve.starts.length);
    const each = (visit: (query: number, step: number) => void): void => {
      for (let query = 0; query < functions.size; query++) {
        const [from, to] = functions.range(query);
        for (let step = from + 1; step < to; step++) visit(query, step);
      }
    };
    each((_, step) => (this.#ends[curve.cellOf(step)] as number)++);
    for (let cell = 1; cell < this.#ends.length; cell++)
      (this.#ends[cell] as number) += this.#ends[cell - 1] as number;
    const next = Int32Array.from(this.#ends, (_, cell) => (cell === 0 ? 0 : (this.#ends[cell - 1] as number)));
    each((query, step) => {
      const place = (next[curve.cellOf(step)] as number)++;
      this.#queries[place] = query;
      this.#changes[place] = functions.value(step) - functions.value(step - 1);
      this.#moves[query] = 1;
    });
    for (let query = 0; query < current.length; query++) {
      const [from] = functions.range(query);
      this.#first[query] = functions.value(from) - (current[query] as number);
      if (this.#first[query] !== 0) this.#moves[query] = 1;
    }
  }

  /** Whether any cell has another score for a query than what is there. */
  moves(query: number): boolean {
    return this.#moves[query] === 1;
  }

  /** The largest sum of gains over the cells, each query's with its sign. */
  largest(signs: Float64Array): number {
    let sum = 0;
    for (let query = 0; query < this.#current.length; query++)
      sum += (signs[query] as number) * (this.#first[query] as number);
    let most = sum;
    let change = this.#ends[0] as number;
    for (let cell = 1; cell < this.#ends.length; cell++) {
      const end = this.#ends[cell] as number;
      for (; change < end; change++)
        sum += (signs[this.#queries[change] as number] as number) * (this.#changes[change] as number);
      if (sum > most) most = sum;
    }
    return most;
  }
}
