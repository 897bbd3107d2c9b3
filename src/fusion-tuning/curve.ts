import { firstIndex } from "../foundation/columns/index.js";
import { NARROWEST, type StepFunctions } from "./step-functions.js";

/** How near to the beginning of a step a point may be. */
const BESIDE = 1e-9;

/** Part of an axis, without its ends. */
export interface AxisInterval {
  readonly from: number;
  readonly to: number;
}

/** The sum of step functions over queries: cells between the places at which any query's score changes. */
export class Curve {
  readonly functions: StepFunctions;
  /** Where each cell begins, rising, from 0. */
  readonly starts: Float64Array;
  /** For each step, the cell that it begins. */
  readonly #cells: Int32Array;
  /** How many steps begin with each cell. */
  readonly #begun: Int32Array;
  /** The sum over all queries in each cell. */
  readonly sums: Float64Array;

  constructor(functions: StepFunctions) {
    this.functions = functions;
    this.starts = cellStarts(functions);
    const { starts } = this;
    this.#cells = new Int32Array(functions.steps);
    this.#begun = new Int32Array(starts.length);
    for (let step = 0; step < functions.steps; step++) {
      const start = functions.start(step);
      const cell = firstIndex(starts.length, (at) => (starts[at] as number) > start) - 1;
      this.#cells[step] = cell;
      (this.#begun[cell] as number)++;
    }
    this.sums = this.#sum(Array.from({ length: functions.size }, (_, query) => query));
  }

  /** Where a cell ends. */
  end(cell: number): number {
    return this.starts[cell + 1] ?? 1;
  }

  /** The cell in which a point lies. */
  cellAt(point: number): number {
    return firstIndex(this.starts.length, (cell) => (this.starts[cell] as number) > point) - 1;
  }

  /**
   * The cell that begins so near to a point that a tie may decide there; undefined where none does.
   *
   * @param left queries that have no say: their steps do not count.
   */
  startsAt(point: number, left: readonly number[]): number | undefined {
    for (let cell = this.cellAt(point + BESIDE); cell > 0; cell--) {
      if (point - (this.starts[cell] as number) > BESIDE) return undefined;
      if (this.#isBegun(cell, left)) return cell;
    }
    return undefined;
  }

  /** Where the next step begins after the one that a cell begins. */
  nextStart(cell: number, left: readonly number[]): number {
    let next = cell + 1;
    while (next < this.starts.length && !this.#isBegun(next, left)) next++;
    return this.starts[next] ?? 1;
  }

  /** Whether a step of another query than those left out begins with a cell. */
  #isBegun(cell: number, left: readonly number[]): boolean {
    let begun = this.#begun[cell] as number;
    for (const query of left) {
      const [from, to] = this.functions.range(query);
      let step = from + firstIndex(to - from, (at) => (this.#cells[from + at] as number) >= cell);
      for (; step < to && this.#cells[step] === cell; step++) begun--;
    }
    return begun > 0;
  }

  /** The sums over all queries but some. */
  without(queries: readonly number[]): Float64Array {
    const sums = this.#sum(queries);
    for (let cell = 0; cell < sums.length; cell++)
      sums[cell] = (this.sums[cell] as number) - (sums[cell] as number);
    return sums;
  }

  /** The sums over some queries. */
  #sum(queries: readonly number[]): Float64Array {
    const { functions } = this;
    const changes = new Float64Array(this.starts.length);
    for (const query of queries) {
      const [from, to] = functions.range(query);
      let before = 0;
      for (let step = from; step < to; step++) {
        const value = functions.value(step);
        (changes[this.#cells[step] as number] as number) += value - before;
        before = value;
      }
    }
    return runningSums(changes);
  }

  /** The first cell of a step. */
  cellOf(step: number): number {
    return this.#cells[step] as number;
  }

  /** The intervals of all cells whose sum is at least a limit; neighbours are one. */
  intervalsFrom(sums: Float64Array, limit: number): AxisInterval[] {
    const intervals: AxisInterval[] = [];
    for (let cell = 0; cell < sums.length; cell++) {
      if ((sums[cell] as number) < limit) continue;
      const from = this.starts[cell] as number;
      while (cell + 1 < sums.length && (sums[cell + 1] as number) >= limit) cell++;
      intervals.push({ from, to: this.end(cell) });
    }
    return intervals;
  }
}

/** All places at which a step begins, each once. */
function cellStarts(functions: StepFunctions): Float64Array {
  const all = Float64Array.from({ length: functions.steps }, (_, step) => functions.start(step)).sort();
  let count = 0;
  let previous = -Infinity;
  for (const start of all) {
    // Two queries may change at one place, of which rounding makes two.
    if (start - previous >= NARROWEST) all[count++] = start;
    previous = start;
  }
  return all.slice(0, count);
}

/** Sums up to each one, compensated (Neumaier): a million roundings must not look like a difference. */
function runningSums(changes: Float64Array): Float64Array {
  let sum = 0;
  let lost = 0;
  for (let i = 0; i < changes.length; i++) {
    const change = changes[i] as number;
    const next = sum + change;
    lost += Math.abs(sum) >= Math.abs(change) ? sum - next + change : change - next + sum;
    sum = next;
    changes[i] = sum + lost;
  }
  return changes;
}
