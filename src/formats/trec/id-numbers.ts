import { growColumn } from "../../foundation/columns/index.js";
import { decodeId, sameBytes } from "./id-bytes.js";

/** More probes mean ids that were crafted to collide; then a Map is faster. */
const MOST_PROBES = 64;
/** Slots per id, at least. */
const SLOTS_PER_ID = 2;

/**
 * Numbers ids by their bytes, from 0 on in the order in which they are met, without making a string of one
 * that is known.
 */
export class IdNumbers {
  /** The ids in the order of their numbers. */
  readonly ids: string[] = [];
  /** The same ids as bytes, one after the other; that of number n ends at `#ends[n]`. */
  #bytes = new Uint8Array(1 << 14);
  #ends = new Int32Array(1024);
  #hashes = new Int32Array(1024);
  /** Numbers from 1 on; 0 is an empty slot. */
  #slots = new Int32Array(1024 * SLOTS_PER_ID);
  #colliding = new Map<string, number>();

  /**
   * The number of an id, a new one where it has none yet.
   *
   * @param hash as `hashOf` makes it.
   */
  numberOf(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const slot = this.#slotOf(bytes, start, end, hash);
    const known =
      slot === -1 ? this.#colliding.get(decodeId(bytes, start, end)) : (this.#slots[slot] as number) - 1;
    if (known !== undefined && known !== -1) return known;
    const number = this.ids.length;
    this.ids.push(decodeId(bytes, start, end));
    if (number === this.#hashes.length) this.#grow();
    const from = this.#startOf(number);
    const to = from + end - start;
    if (to > this.#bytes.length) this.#bytes = growColumn(new Uint8Array(2 * to), this.#bytes);
    this.#bytes.set(bytes.subarray(start, end), from);
    this.#ends[number] = to;
    this.#hashes[number] = hash;
    this.#enter(number);
    return number;
  }

  #startOf(number: number): number {
    return number === 0 ? 0 : (this.#ends[number - 1] as number);
  }

  /** The slot where an id is or may be; -1 when too many others are in its way. */
  #slotOf(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    for (let probe = 0, slot = hash & mask; probe < MOST_PROBES; probe++, slot = (slot + 1) & mask) {
      const number = (this.#slots[slot] as number) - 1;
      if (number === -1) return slot;
      if (
        this.#hashes[number] === hash &&
        sameBytes(bytes, start, end, this.#bytes, this.#startOf(number), this.#ends[number] as number)
      )
        return slot;
    }
    return -1;
  }

  #enter(number: number): void {
    const slot = this.#slotOf(
      this.#bytes,
      this.#startOf(number),
      this.#ends[number] as number,
      this.#hashes[number] as number,
    );
    if (slot === -1) this.#colliding.set(this.ids[number] as string, number);
    else this.#slots[slot] = number + 1;
  }

  #grow(): void {
    const known = this.#hashes.length;
    this.#ends = growColumn(new Int32Array(2 * known), this.#ends);
    this.#hashes = growColumn(new Int32Array(2 * known), this.#hashes);
    this.#slots = new Int32Array(2 * known * SLOTS_PER_ID);
    this.#colliding = new Map();
    for (let number = 0; number < known; number++) this.#enter(number);
  }
}
