import { growColumn } from "../foundation/columns/index.js";
import type { JudgedPool } from "./judge-pool.js";
import { TopSweep, type RightScores } from "./top-sweep.js";

/** Steps that are narrower are left out: so many lines meet there, and rounding tells them apart. */
export const NARROWEST = 1e-12;
/** Scores that differ by less are the same. */
export const SAME = 1e-12;

/**
 * One step function for each query, from 0 to 1: its score by what is tuned. 16 bytes a step. What happens
 * exactly where two steps meet, a tie, is not in them.
 */
export class StepFunctions {
  #starts = new Float64Array(1024);
  #values = new Float64Array(1024);
  #count = 0;
  readonly #ends: number[] = [];

  /** How many functions there are. */
  get size(): number {
    return this.#ends.length;
  }

  /** How many steps all of them have. */
  get steps(): number {
    return this.#count;
  }

  /** Where a function's steps begin, and where those of the next one do. */
  range(query: number): readonly [from: number, to: number] {
    return [query === 0 ? 0 : (this.#ends[query - 1] as number), this.#ends[query] as number];
  }

  /** Where a step begins. */
  start(step: number): number {
    return this.#starts[step] as number;
  }

  value(step: number): number {
    return this.#values[step] as number;
  }

  /** A function's value at a point that lies in a step. */
  at(query: number, point: number): number {
    // The first step begins at 0, so that the point is never before it.
    let low = query === 0 ? 0 : (this.#ends[query - 1] as number);
    let high = this.#ends[query] as number;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] as number) > point) high = middle;
      else low = middle;
    }
    return this.#values[low] as number;
  }

  /** Adds a step to the function that is not ended; one that changes nothing is left out. */
  add(start: number, value: number): void {
    const isFirst = this.#count === (this.#ends.at(-1) ?? 0);
    if (!isFirst && Math.abs(value - this.value(this.#count - 1)) <= SAME) return;
    if (this.#count === this.#starts.length) {
      this.#starts = growColumn(new Float64Array(2 * this.#count), this.#starts);
      this.#values = growColumn(new Float64Array(2 * this.#count), this.#values);
    }
    this.#starts[this.#count] = isFirst ? 0 : start;
    this.#values[this.#count++] = value;
  }

  end(): void {
    this.#ends.push(this.#count);
  }
}

/**
 * Adds one query's score by the weight w of the second of two scores, `(1 - w) * left + w * right`: every
 * step, found by following the crossings.
 *
 * @param seen is told every item that some weight brings into view.
 */
export function addSweep(
  steps: StepFunctions,
  judged: JudgedPool,
  left: Float64Array,
  right: RightScores,
  seen?: (item: number) => void,
): void {
  const { marks, depth } = judged;
  const sweep = new TopSweep(left, right, judged.ids, depth);
  if (seen !== undefined) for (const item of sweep.order) seen(item);
  let start = 0;
  while (sweep.next()) {
    seen?.(sweep.rising);
    if (marks[sweep.rising] !== marks[sweep.falling] && sweep.weight - start >= NARROWEST) {
      steps.add(start, judged.score(sweep.order));
      start = sweep.weight;
    }
    sweep.swap();
  }
  if (1 - start >= NARROWEST || start === 0) steps.add(start, judged.score(sweep.order));
  steps.end();
}
