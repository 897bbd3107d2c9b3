import { groupBy } from "../../foundation/columns/index.js";

/** Rows of lists by a name that several may have; a list is looked through once, and must not change. */
export class RowIndex<T> {
  readonly #nameOf: (row: T) => string;
  readonly #lists = new WeakMap<readonly T[], ReadonlyMap<string, readonly T[]>>();

  constructor(nameOf: (row: T) => string) {
    this.#nameOf = nameOf;
  }

  get(rows: readonly T[], name: string): readonly T[] {
    const known = this.#lists.get(rows) ?? groupBy(rows, this.#nameOf);
    this.#lists.set(rows, known);
    return known.get(name) ?? [];
  }
}
