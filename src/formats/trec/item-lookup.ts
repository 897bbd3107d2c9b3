import { decodeId, hashOf, sameBytes } from "./id-bytes.js";
import type { QrelsTable, TableQuery } from "./table.js";

const EMPTY = -1;
/**
 * Slots per entry, at least: nearly every item that is not judged then meets an empty slot. Of many entries
 * fewer, because they take memory.
 */
const SLOTS_PER_ENTRY = 8;
const SLOTS_PER_ENTRY_OF_MANY = 2;
const MANY_ENTRIES = 1 << 16;
const FIRST_SLOTS = 1 << 13;
/** More probes per entry mean ids that were crafted to collide; then a Map is faster. */
const MOST_PROBES = 64;

/** Finds the judged items of one query after the other by their bytes. */
export class ItemLookup {
  readonly #table: QrelsTable;
  /** Enough for most queries: what has to grow once more is compiled once more. */
  #slots = new Int32Array(FIRST_SLOTS);
  #mask = FIRST_SLOTS - 1;
  #byId: Map<string, number> | null = null;

  constructor(table: QrelsTable) {
    this.#table = table;
  }

  /**
   * Makes a query the one that is looked in.
   *
   * @param onCopy is told about an item that is judged twice.
   */
  load({ from, to }: TableQuery, onCopy?: (entry: number, earlier: number) => void): void {
    const { hashes, bytes, starts, ends } = this.#table;
    let size = 16;
    while (size < (to - from) * (to - from < MANY_ENTRIES ? SLOTS_PER_ENTRY : SLOTS_PER_ENTRY_OF_MANY))
      size *= 2;
    if (size > this.#slots.length) this.#slots = new Int32Array(size);
    this.#slots.fill(EMPTY, 0, size);
    this.#mask = size - 1;
    this.#byId = null;
    let probes = MOST_PROBES + (to - from) * MOST_PROBES;
    for (let entry = from; entry < to; entry++) {
      const hash = hashes[entry] as number;
      let slot = hash & this.#mask;
      for (;;) {
        const other = this.#slots[slot] as number;
        if (other === EMPTY) {
          this.#slots[slot] = entry;
          break;
        }
        if (
          hashes[other] === hash &&
          sameBytes(
            bytes,
            starts[entry] as number,
            ends[entry] as number,
            bytes,
            starts[other] as number,
            ends[other] as number,
          )
        ) {
          onCopy?.(entry, other);
          break;
        }
        if (--probes < 0) {
          this.#loadIntoMap(from, to, onCopy);
          return;
        }
        slot = (slot + 1) & this.#mask;
      }
    }
  }

  #loadIntoMap(from: number, to: number, onCopy?: (entry: number, earlier: number) => void): void {
    const { bytes, starts, ends } = this.#table;
    const byId = new Map<string, number>();
    for (let entry = from; entry < to; entry++) {
      const id = decodeId(bytes, starts[entry] as number, ends[entry] as number);
      const earlier = byId.get(id);
      if (earlier === undefined) byId.set(id, entry);
      else onCopy?.(entry, earlier);
    }
    this.#byId = byId;
  }

  /** Whether the loaded query judges an item. */
  has(id: string): boolean {
    const bytes = new TextEncoder().encode(id);
    return (
      this.findAll(
        bytes,
        Int32Array.of(0),
        Int32Array.of(bytes.length),
        Int32Array.of(hashOf(bytes, 0, bytes.length)),
        1,
        new Int32Array(1),
        new Int32Array(1),
      ) === 1
    );
  }

  /**
   * Which of some items the loaded query judges. One call for all, because a call for each would cost more
   * than looking.
   *
   * @param named is filled with the positions of judged items, rising.
   * @param entries is filled with the entry of each.
   * @returns how many they are.
   */
  findAll(
    itemBytes: Uint8Array,
    itemStarts: Int32Array,
    itemEnds: Int32Array,
    itemHashes: Int32Array,
    count: number,
    named: Int32Array,
    entries: Int32Array,
  ): number {
    const { hashes, bytes, starts, ends } = this.#table;
    const slots = this.#slots;
    const mask = this.#mask;
    if (this.#byId !== null)
      return findAllById(this.#byId, itemBytes, itemStarts, itemEnds, count, named, entries);
    let found = 0;
    for (let i = 0; i < count; i++) {
      const hash = itemHashes[i] as number;
      let slot = hash & mask;
      let entry = slots[slot] as number;
      while (entry !== EMPTY) {
        if (
          hashes[entry] === hash &&
          sameBytes(
            itemBytes,
            itemStarts[i] as number,
            itemEnds[i] as number,
            bytes,
            starts[entry] as number,
            ends[entry] as number,
          )
        ) {
          named[found] = i;
          entries[found++] = entry;
          break;
        }
        slot = (slot + 1) & mask;
        entry = slots[slot] as number;
      }
    }
    return found;
  }
}

function findAllById(
  byId: ReadonlyMap<string, number>,
  bytes: Uint8Array,
  starts: Int32Array,
  ends: Int32Array,
  count: number,
  named: Int32Array,
  entries: Int32Array,
): number {
  let found = 0;
  for (let i = 0; i < count; i++) {
    const entry = byId.get(decodeId(bytes, starts[i] as number, ends[i] as number));
    if (entry === undefined) continue;
    named[found] = i;
    entries[found++] = entry;
  }
  return found;
}
