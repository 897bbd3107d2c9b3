/**
 * Slots of a hash table that is used again and again; a slot is taken when it holds a number above the
 * current base.
 */
let slots = new Int32Array(1024);
let base = 0;

const LARGEST_INT32 = 2 ** 31 - 1;
/** Table slots per id: few ids then share one. */
const SLOTS_PER_ID = 4;
/** More probes per id mean ids that were crafted to collide; then a set is faster. */
const MOST_PROBES_PER_ID = 8;
/** How many of an id's last characters are hashed; ids differ at their ends. */
const HASHED_TAIL = 8;

const NONE: ReadonlySet<number> = new Set();

/**
 * The positions in a list whose id stands earlier in it. Nearly always there is none, and then nothing is
 * allocated: putting every id of a run into a set costs more than all metrics together.
 */
export function findRepeatedPositions<T>(
  items: readonly T[],
  idOf: (item: T) => string,
): ReadonlySet<number> {
  const count = items.length;
  if (count < 2) return NONE;
  if (slots.length < count * SLOTS_PER_ID || base > LARGEST_INT32 - count) {
    slots = new Int32Array(Math.max(slots.length, 2 ** Math.ceil(Math.log2(count * SLOTS_PER_ID))));
    base = 0;
  }
  const mask = slots.length - 1;
  const first = base;
  base += count;
  let repeated: Set<number> | null = null;
  let probes = count * MOST_PROBES_PER_ID;
  for (let i = 0; i < count; i++) {
    const id = idOf(items[i] as T);
    let slot = hash(id) & mask;
    for (;;) {
      const seen = slots[slot] as number;
      if (seen <= first) {
        slots[slot] = first + i + 1;
        break;
      }
      if (idOf(items[seen - first - 1] as T) === id) {
        (repeated ??= new Set()).add(i);
        break;
      }
      if (--probes < 0) return findRepeatedBySet(items, idOf);
      slot = (slot + 1) & mask;
    }
  }
  return repeated ?? NONE;
}

function hash(id: string): number {
  const { length } = id;
  let value = length;
  for (let i = Math.max(0, length - HASHED_TAIL); i < length; i++)
    value = (Math.imul(value, 31) + id.charCodeAt(i)) | 0;
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return value ^ (value >>> 12);
}

function findRepeatedBySet<T>(items: readonly T[], idOf: (item: T) => string): ReadonlySet<number> {
  const seen = new Set<string>();
  const repeated = new Set<number>();
  items.forEach((item, index) => {
    const before = seen.size;
    if (seen.add(idOf(item)).size === before) repeated.add(index);
  });
  return repeated;
}
