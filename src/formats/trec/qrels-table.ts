import { problemsError, shown, type Problem } from "../../errors.js";
import { prepareQrels, wholeGrade, type Qrels } from "../../qrels.js";
import { grown } from "./grown.js";
import { decodedId, hashOf, sameBytes } from "./id-bytes.js";
import { TrecQrelsScanner, type QrelsLines } from "./qrels-scanner.js";

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
  /** The ids of all items, one after the other; that of entry i is from `starts[i]` to `ends[i]`. */
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly hashes: Int32Array;
  readonly grades: Float64Array;
}

/** Takes qrels in TREC's format in chunks of any size, and makes a table of them. */
export class QrelsTableBuilder {
  readonly #file: string;
  readonly #scanner: TrecQrelsScanner;
  #bytes = new Uint8Array(1 << 15);
  #filled = 0;
  #starts = new Uint32Array(1024);
  #ends = new Uint32Array(1024);
  #hashes = new Int32Array(1024);
  #grades = new Float64Array(1024);
  #queryOf = new Int32Array(1024);
  #lines = new Uint32Array(1024);
  #count = 0;
  #isGrouped = true;
  readonly #numbers = new Map<string, number>();
  #current = new Uint8Array(0);
  #number = -1;

  /** @param file what errors call the file. */
  constructor(file: string) {
    this.#file = file;
    this.#scanner = new TrecQrelsScanner(file, (lines) => this.#addLines(lines));
  }

  #addLines({ count, bytes, lines, queryStarts, queryEnds, itemStarts, itemEnds, hashes, grades }: QrelsLines): void {
    for (let i = 0; i < count; i++) {
      const start = queryStarts[i] as number;
      const end = queryEnds[i] as number;
      if (!sameBytes(bytes, start, end, this.#current, 0, this.#current.length)) {
        this.#current = bytes.slice(start, end);
        this.addQuery(decodedId(bytes, start, end));
      }
      this.#push(bytes, itemStarts[i] as number, itemEnds[i] as number, hashes[i] as number, grades[i] as number, lines[i] as number);
    }
  }

  #push(bytes: Uint8Array, start: number, end: number, hash: number, grade: number, line: number): void {
    const at = this.#count++;
    if (at === this.#ends.length) this.#grow();
    const from = this.#filled;
    const length = end - start;
    if (from + length > this.#bytes.length) this.#bytes = grown(new Uint8Array(2 * this.#bytes.length + length), this.#bytes);
    const own = this.#bytes;
    for (let i = 0; i < length; i++) own[from + i] = bytes[start + i] as number;
    this.#filled = from + length;
    this.#starts[at] = from;
    this.#ends[at] = from + length;
    this.#hashes[at] = hash;
    this.#grades[at] = grade;
    if (at > 0 && this.#number < (this.#queryOf[at - 1] as number)) this.#isGrouped = false;
    this.#queryOf[at] = this.#number;
    this.#lines[at] = line;
  }

  #grow(): void {
    const size = 2 * this.#ends.length;
    this.#starts = grown(new Uint32Array(size), this.#starts);
    this.#ends = grown(new Uint32Array(size), this.#ends);
    this.#hashes = grown(new Int32Array(size), this.#hashes);
    this.#grades = grown(new Float64Array(size), this.#grades);
    this.#queryOf = grown(new Int32Array(size), this.#queryOf);
    this.#lines = grown(new Uint32Array(size), this.#lines);
  }

  /** Adds a query that may have no judgments. */
  addQuery(queryId: string): void {
    this.#number = this.#numbers.get(queryId) ?? this.#numbers.size;
    this.#numbers.set(queryId, this.#number);
  }

  /** Adds a judgment that comes from elsewhere. */
  add(queryId: string, itemId: string, grade: number): void {
    this.addQuery(queryId);
    const bytes = new TextEncoder().encode(itemId);
    this.#push(bytes, 0, bytes.length, hashOf(bytes, 0, bytes.length), grade, 0);
  }

  /** @throws InputError with everything that is wrong, once there is too much of it. */
  write(chunk: Uint8Array): void {
    this.#scanner.write(chunk);
  }

  /** @throws InputError with everything that is wrong. */
  end(): QrelsTable {
    this.#scanner.end();
    const count = this.#count;
    const sizes = new Uint32Array(this.#numbers.size + 1);
    for (let i = 0; i < count; i++) (sizes[(this.#queryOf[i] as number) + 1] as number)++;
    for (let number = 0; number < this.#numbers.size; number++) (sizes[number + 1] as number) += sizes[number] as number;
    if (!this.#isGrouped) this.#group(sizes);
    const [starts, ends, hashes, grades, lines] = [this.#starts, this.#ends, this.#hashes, this.#grades, this.#lines];
    const queries = new Map<string, TableQuery>();
    let highest = 0;
    for (const [id, number] of this.#numbers) {
      const [from, to] = [sizes[number] as number, sizes[number + 1] as number];
      const pool = fallingPool(grades, from, to);
      highest = Math.max(highest, pool[0] ?? 0);
      queries.set(id, { id, from, to, pool });
    }
    const table: QrelsTable = { queries, highest, bytes: this.#bytes, starts, ends, hashes, grades };
    this.#refuseCopies(table, lines);
    return table;
  }

  /** Puts the judgments of one query next to each other, in the order of the file. */
  #group(firsts: Uint32Array): void {
    const next = firsts.slice();
    const from = Uint32Array.from(this.#queryOf.subarray(0, this.#count), (number) => (next[number] as number)++);
    const order = new Uint32Array(this.#count);
    from.forEach((to, index) => (order[to] = index));
    this.#starts = Uint32Array.from(order, (index) => this.#starts[index] as number);
    this.#ends = Uint32Array.from(order, (index) => this.#ends[index] as number);
    this.#hashes = Int32Array.from(order, (index) => this.#hashes[index] as number);
    this.#grades = Float64Array.from(order, (index) => this.#grades[index] as number);
    this.#lines = Uint32Array.from(order, (index) => this.#lines[index] as number);
  }

  #refuseCopies(table: QrelsTable, lines: Uint32Array): void {
    const problems: Problem[] = [];
    const lookup = new ItemLookup(table);
    for (const query of table.queries.values()) {
      lookup.load(query, (entry, earlier) => {
        const line = Math.max(lines[entry] as number, lines[earlier] as number);
        const before = Math.min(lines[entry] as number, lines[earlier] as number);
        const item = shown(decodedId(table.bytes, table.starts[entry] as number, table.ends[entry] as number));
        problems.push({ code: "QRELS_DUPLICATE", where: `${this.#file}:${line}:1`, line, column: 1, message: `query ${shown(query.id)}: item ${item} was judged on line ${before} already; keep one of the judgments, or say that the second column is the subtopic` });
      });
    }
    const [first, ...others] = problems;
    if (first !== undefined) throw problemsError([first, ...others]);
  }
}

/** Grades from 0 on, highest first. */
function fallingPool(grades: Float64Array, from: number, to: number): Float64Array {
  const pool = new Float64Array(to - from);
  let size = 0;
  for (let entry = from; entry < to; entry++) if ((grades[entry] as number) >= 0) pool[size++] = grades[entry] as number;
  return pool.subarray(0, size).sort().reverse();
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

  /**
   * Makes a query the one that is looked in.
   *
   * @param onCopy is told about an item that is judged twice.
   */
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

  /** Whether the loaded query judges an item. */
  has(id: string): boolean {
    const bytes = new TextEncoder().encode(id);
    return this.findAll(bytes, Int32Array.of(0), Int32Array.of(bytes.length), Int32Array.of(hashOf(bytes, 0, bytes.length)), 1, new Int32Array(1), new Int32Array(1)) === 1;
  }

  /**
   * Which of some items the loaded query judges. One call for all, because a call for each would cost more than looking.
   *
   * @param named is filled with the positions of judged items, rising.
   * @param entries is filled with the entry of each.
   * @returns how many they are.
   */
  findAll(itemBytes: Uint8Array, itemStarts: Int32Array, itemEnds: Int32Array, itemHashes: Int32Array, count: number, named: Int32Array, entries: Int32Array): number {
    const { hashes, bytes, starts, ends } = this.#table;
    const slots = this.#slots;
    const mask = this.#mask;
    const byId = this.#byId;
    let found = 0;
    for (let i = 0; i < count; i++) {
      const hash = itemHashes[i] as number;
      let entry = byId === null ? (slots[hash & mask] as number) : (byId.get(decodedId(itemBytes, itemStarts[i] as number, itemEnds[i] as number)) ?? EMPTY);
      for (let slot = hash & mask; byId === null && entry !== EMPTY; entry = slots[slot] as number) {
        if (hashes[entry] === hash && sameBytes(itemBytes, itemStarts[i] as number, itemEnds[i] as number, bytes, starts[entry] as number, ends[entry] as number)) break;
        slot = (slot + 1) & mask;
      }
      if (entry === EMPTY) continue;
      named[found] = i;
      entries[found] = entry;
      found++;
    }
    return found;
  }
}

/** A table of judgments that were read from another format. */
export function tableOfQrels({ queries }: Qrels): QrelsTable {
  const builder = new QrelsTableBuilder("qrels");
  for (const [queryId, { grades }] of queries) {
    builder.addQuery(queryId);
    for (const [itemId, grade] of grades) builder.add(queryId, itemId, grade);
  }
  return builder.end();
}

/** The table with all grades cut to whole numbers, as C does. */
export function tableWithWholeGrades(table: QrelsTable): QrelsTable {
  if (table.grades.every(Number.isInteger)) return table;
  const grades = table.grades.map(wholeGrade);
  const queries = new Map([...table.queries].map(([id, query]) => [id, { ...query, pool: fallingPool(grades, query.from, query.to) }]));
  return { ...table, grades, queries, highest: wholeGrade(table.highest) };
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
