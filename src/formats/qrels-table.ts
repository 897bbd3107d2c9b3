import { problemsError, shown, type Problem } from "../errors.js";
import { prepareQrels, type Qrels } from "../qrels.js";
import { decodedId, HASH_START, mixedHash, sameBytes } from "./id-bytes.js";
import { TrecQrelsScanner } from "./trec-qrels-scanner.js";

/** The judgments of one query: a range of the table's entries, and the grades from 0 on, highest first. */
export interface TableQuery {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  readonly pool: Float64Array;
}

/**
 * Judgments as bytes and numbers, so that a run can be held against them without making a string of any item's id: 40 bytes a
 * judgment instead of 150.
 */
export interface QrelsTable {
  readonly queries: ReadonlyMap<string, TableQuery>;
  /** The highest grade of all. */
  readonly highest: number;
  /** The ids of all items, one after the other; entry i is from `ends[i - 1]` to `ends[i]`. */
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly hashes: Int32Array;
  readonly grades: Float64Array;
}

/** A column that grows. */
class Column<T extends Uint8Array | Uint32Array | Int32Array | Float64Array> {
  values: T;
  length = 0;
  readonly #make: (size: number) => T;

  constructor(make: (size: number) => T) {
    this.#make = make;
    this.values = make(1024);
  }

  reserve(count: number): void {
    if (this.length + count <= this.values.length) return;
    const larger = this.#make(Math.max(2 * this.values.length, this.length + count));
    larger.set(this.values);
    this.values = larger;
  }

  push(value: number): void {
    this.reserve(1);
    this.values[this.length++] = value;
  }

  get filled(): T {
    return this.values.subarray(0, this.length) as T;
  }
}

/** How {@link readQrelsTable} reads. */
export interface QrelsTableOptions {
  /** Cut grades to whole numbers, as C does. */
  readonly wholeGrades?: boolean;
}

/** Takes qrels in TREC's format in chunks of any size, and makes a table of them. */
export class QrelsTableBuilder {
  readonly #file: string;
  readonly #scanner: TrecQrelsScanner;
  readonly #bytes = new Column((size) => new Uint8Array(size));
  readonly #ends = new Column((size) => new Uint32Array(size));
  readonly #hashes = new Column((size) => new Int32Array(size));
  readonly #grades = new Column((size) => new Float64Array(size));
  readonly #queryOf = new Column((size) => new Int32Array(size));
  readonly #lines = new Column((size) => new Uint32Array(size));
  readonly #numbers = new Map<string, number>();
  readonly #wholeGrades: boolean;
  #current = new Uint8Array(0);
  #number = -1;

  /** @param file what errors call the file. */
  constructor(file: string, { wholeGrades = false }: QrelsTableOptions = {}) {
    this.#file = file;
    this.#scanner = new TrecQrelsScanner(file, (line) => {
      const { bytes, queryStart, queryEnd, itemStart, itemEnd } = line;
      if (this.#number === -1 || !sameBytes(bytes, queryStart, queryEnd, this.#current, 0, this.#current.length)) {
        this.#current = bytes.slice(queryStart, queryEnd);
        const id = decodedId(bytes, queryStart, queryEnd);
        this.#number = this.#numbers.get(id) ?? this.#numbers.size;
        this.#numbers.set(id, this.#number);
      }
      this.#push(bytes, itemStart, itemEnd, line.itemHash, line.grade, line.line);
    });
    this.#wholeGrades = wholeGrades;
  }

  #push(bytes: Uint8Array, start: number, end: number, hash: number, grade: number, line: number): void {
    this.#bytes.reserve(end - start);
    const { values, length } = this.#bytes;
    for (let i = start; i < end; i++) values[length + i - start] = bytes[i] as number;
    this.#bytes.length = length + end - start;
    this.#ends.push(this.#bytes.length);
    this.#hashes.push(hash);
    this.#grades.push(this.#wholeGrades ? Math.trunc(grade) + 0 : grade);
    this.#queryOf.push(this.#number);
    this.#lines.push(line);
  }

  /** Adds a judgment that comes from elsewhere. */
  add(queryId: string, itemId: string, grade: number): void {
    this.#number = this.#numbers.get(queryId) ?? this.#numbers.size;
    this.#numbers.set(queryId, this.#number);
    const bytes = new TextEncoder().encode(itemId);
    let hash = HASH_START;
    for (const byte of bytes) hash = (Math.imul(hash, 31) + byte) | 0;
    this.#push(bytes, 0, bytes.length, mixedHash(hash), grade, 0);
  }

  /** @throws InputError with everything that is wrong, once there is too much of it. */
  write(chunk: Uint8Array): void {
    this.#scanner.write(chunk);
  }

  /** @throws InputError with everything that is wrong. */
  end(): QrelsTable {
    this.#scanner.end();
    const count = this.#ends.length;
    const queryOf = this.#queryOf.filled;
    // Entries of one query next to each other, in the order of the file.
    const sizes = new Uint32Array(this.#numbers.size + 1);
    for (let i = 0; i < count; i++) (sizes[(queryOf[i] as number) + 1] as number)++;
    for (let number = 0; number < this.#numbers.size; number++) (sizes[number + 1] as number) += sizes[number] as number;
    const next = sizes.slice();
    const starts = new Uint32Array(count);
    const ends = new Uint32Array(count);
    const hashes = new Int32Array(count);
    const grades = new Float64Array(count);
    const lines = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      const at = (next[queryOf[i] as number] as number)++;
      starts[at] = i === 0 ? 0 : (this.#ends.values[i - 1] as number);
      ends[at] = this.#ends.values[i] as number;
      hashes[at] = this.#hashes.values[i] as number;
      grades[at] = this.#grades.values[i] as number;
      lines[at] = this.#lines.values[i] as number;
    }
    const queries = new Map<string, TableQuery>();
    let highest = 0;
    for (const [id, number] of this.#numbers) {
      const [from, to] = [sizes[number] as number, sizes[number + 1] as number];
      const pool = grades.subarray(from, to).filter((grade) => grade >= 0).sort().reverse();
      highest = Math.max(highest, pool[0] ?? 0);
      queries.set(id, { id, from, to, pool });
    }
    const table: QrelsTable = { queries, highest, bytes: this.#bytes.filled, starts, ends, hashes, grades };
    this.#refuseCopies(table, lines);
    return table;
  }

  #refuseCopies(table: QrelsTable, lines: Uint32Array): void {
    const problems: Problem[] = [];
    const lookup = new ItemLookup(table);
    for (const query of table.queries.values()) {
      lookup.load(query, (entry, earlier) => {
        const line = Math.max(lines[entry] as number, lines[earlier] as number);
        const before = Math.min(lines[entry] as number, lines[earlier] as number);
        const item = shown(decodedId(table.bytes, table.starts[entry] as number, table.ends[entry] as number));
        problems.push({ code: "QRELS_DUPLICATE", where: `${this.#file}:${line}:1`, line, column: 1, message: `query ${shown(query.id)}: item ${item} was judged on line ${before} already; keep one of the judgments` });
      });
    }
    const [first, ...others] = problems;
    if (first !== undefined) throw problemsError([first, ...others]);
  }
}

const EMPTY = -1;
/** Slots per entry: few entries then share one. */
const SLOTS_PER_ENTRY = 2;
/** After so many looks per entry somebody has made ids that collide, and a Map is faster. */
const MOST_PROBES = 64;

/** Finds the judged items of one query after the other by their bytes. */
export class ItemLookup {
  readonly #table: QrelsTable;
  #slots = new Int32Array(1024);
  #mask = 1023;
  #byId: Map<string, number> | null = null;

  constructor(table: QrelsTable) {
    this.#table = table;
  }

  /** @param onCopy is told about an item that is judged twice. */
  load({ from, to }: TableQuery, onCopy?: (entry: number, earlier: number) => void): void {
    const { hashes, bytes, starts, ends } = this.#table;
    let size = 16;
    while (size < (to - from) * SLOTS_PER_ENTRY) size *= 2;
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
        if (hashes[other] === hash && sameBytes(bytes, starts[entry] as number, ends[entry] as number, bytes, starts[other] as number, ends[other] as number)) {
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
      const id = decodedId(bytes, starts[entry] as number, ends[entry] as number);
      const earlier = byId.get(id);
      if (earlier === undefined) byId.set(id, entry);
      else onCopy?.(entry, earlier);
    }
    this.#byId = byId;
  }

  /** The entry of an item of the loaded query, or -1. */
  find(itemBytes: Uint8Array, start: number, end: number, hash: number): number {
    if (this.#byId !== null) return this.#byId.get(decodedId(itemBytes, start, end)) ?? EMPTY;
    const { hashes, bytes, starts, ends } = this.#table;
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const entry = this.#slots[slot] as number;
      if (entry === EMPTY) return EMPTY;
      if (hashes[entry] === hash && sameBytes(itemBytes, start, end, bytes, starts[entry] as number, ends[entry] as number)) return entry;
    }
  }
}

/** A table of judgments that were read from another format. */
export function tableOfQrels({ queries }: Qrels, options: QrelsTableOptions = {}): QrelsTable {
  const builder = new QrelsTableBuilder("qrels", options);
  for (const [queryId, { grades }] of queries) for (const [itemId, grade] of grades) builder.add(queryId, itemId, grade);
  return builder.end();
}

/** The judgments of a table with ids as strings. */
export function qrelsOfTable({ queries, bytes, starts, ends, grades }: QrelsTable): Qrels {
  const entries = ({ from, to }: TableQuery): Map<string, number> => {
    const map = new Map<string, number>();
    for (let entry = from; entry < to; entry++) map.set(decodedId(bytes, starts[entry] as number, ends[entry] as number), grades[entry] as number);
    return map;
  };
  return prepareQrels(new Map([...queries].map(([id, query]) => [id, entries(query)])));
}
