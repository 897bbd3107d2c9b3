/** Where columns that are needed for one query have their memory. What stands in a new column is not said. */
export interface ColumnMemory {
  /** A column of whole numbers. */
  ints(length: number): Int32Array;
  /** A column of numbers. */
  doubles(length: number): Float64Array;
  /** What was given is needed no more; absent where it does not matter. */
  clear?(): void;
}

/** Columns of their own, for who keeps them. */
export const ownMemory: ColumnMemory = {
  ints: (length) => new Int32Array(length),
  doubles: (length) => new Float64Array(length),
};

/**
 * Columns in memory that is there already: to make a short one anew takes the engine a microsecond, as long
 * as a metric takes. They are good until the memory is cleared.
 */
export class ReusedMemory implements ColumnMemory {
  #ints = new Int32Array(4096);
  #doubles = new Float64Array(4096);
  #usedInts = 0;
  #usedDoubles = 0;

  ints(length: number): Int32Array {
    if (this.#usedInts + length > this.#ints.length) {
      this.#ints = new Int32Array(2 * (this.#usedInts + length));
      this.#usedInts = 0;
    }
    return this.#ints.subarray(this.#usedInts, (this.#usedInts += length));
  }

  doubles(length: number): Float64Array {
    if (this.#usedDoubles + length > this.#doubles.length) {
      this.#doubles = new Float64Array(2 * (this.#usedDoubles + length));
      this.#usedDoubles = 0;
    }
    return this.#doubles.subarray(this.#usedDoubles, (this.#usedDoubles += length));
  }

  clear(): void {
    this.#usedInts = 0;
    this.#usedDoubles = 0;
  }
}
