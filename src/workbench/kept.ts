/**
 * Keeps what is expensive to make until what it was made of has changed. Calls that overlap share the work.
 *
 * @param most values are kept; the one that was asked for longest ago goes first.
 */
export class Kept<T> {
  readonly #most: () => number;
  readonly #values = new Map<string, { readonly stamp: string; readonly value: Promise<T> }>();

  constructor(most: () => number = () => 1) {
    this.#most = most;
  }

  /** Makes a value anew the next time. */
  forget(key: string): void {
    this.#values.delete(key);
  }

  /** @param stamp of what it is made of. */
  get(key: string, stamp: string, make: () => Promise<T>): Promise<T> {
    const known = this.#values.get(key);
    this.#values.delete(key);
    const value = known?.stamp === stamp ? known.value : make();
    this.#values.set(key, { stamp, value });
    // What failed is tried again the next time.
    value.catch(() => {
      if (this.#values.get(key)?.value === value) this.#values.delete(key);
    });
    for (const old of [...this.#values.keys()].slice(0, -this.#most())) this.#values.delete(old);
    return value;
  }
}
