import { decodeId, sameBytes } from "./id-bytes.js";

/**
 * Finds the lines of a block that repeat an item of an earlier line; its table is used again for the next
 * block.
 */
export class RepeatedItems {
  #slots = new Int32Array(4096);
  #base = 0;

  /**
   * Positions of lines whose item stands in an earlier one; null when there are none, which is nearly always
   * so.
   *
   * @param starts where item ids begin in `bytes`, and `ends` where they end, for the first `count` lines.
   */
  find(
    bytes: Uint8Array,
    starts: Int32Array,
    ends: Int32Array,
    hashes: Int32Array,
    count: number,
  ): number[] | null {
    if (this.#slots.length < count * 2 || this.#base > 0x7fffffff - count) {
      let size = this.#slots.length;
      while (size < count * 4) size *= 2;
      this.#slots = new Int32Array(size);
      this.#base = 0;
    }
    const slots = this.#slots;
    const mask = slots.length - 1;
    const base = this.#base;
    this.#base += count;
    let probes = count * 64;
    let repeated: number[] | null = null;
    for (let i = 0; i < count; i++) {
      const hash = hashes[i] as number;
      let slot = hash & mask;
      for (;;) {
        const seen = slots[slot] as number;
        if (seen <= base) {
          slots[slot] = base + i + 1;
          break;
        }
        const other = seen - base - 1;
        if (
          hashes[other] === hash &&
          sameBytes(
            bytes,
            starts[i] as number,
            ends[i] as number,
            bytes,
            starts[other] as number,
            ends[other] as number,
          )
        ) {
          (repeated ??= []).push(i);
          break;
        }
        if (--probes < 0) return findRepeatedByMap(bytes, starts, ends, count);
        slot = (slot + 1) & mask;
      }
    }
    return repeated;
  }
}

/** For ids that were made to collide. */
function findRepeatedByMap(
  bytes: Uint8Array,
  starts: Int32Array,
  ends: Int32Array,
  count: number,
): number[] | null {
  const seen = new Set<string>();
  const repeated: number[] = [];
  for (let i = 0; i < count; i++) {
    const before = seen.size;
    if (seen.add(decodeId(bytes, starts[i] as number, ends[i] as number)).size === before) repeated.push(i);
  }
  return repeated.length === 0 ? null : repeated;
}
