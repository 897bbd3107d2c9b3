import { problemsError, quote, type Problem } from "../../foundation/errors/index.js";
import { prepareQrels, wholeGrade, type Qrels } from "../../records/index.js";
import { growColumn } from "../../foundation/columns/index.js";
import { decodeId, hashOf } from "./id-bytes.js";
import { ItemLookup } from "./item-lookup.js";
import type { QrelsTable, TableQuery } from "./table.js";
import { TrecQrelsScanner, type QrelsLines } from "./qrels-scanner.js";

const FEWEST_ENTRIES = 1024;
/** Few files have shorter lines on average. */
const USUAL_LINE = 12;

/** Takes qrels in TREC's format in chunks of any size, and makes a table of them. */
export class QrelsTableBuilder {
  readonly #file: string;
  readonly #scanner: TrecQrelsScanner;
  #bytes: Uint8Array;
  /** Where each id ends, after a 0: the next one begins there. */
  #bounds: Uint32Array;
  #hashes: Int32Array;
  #grades: Float64Array;
  #count = 0;
  /** Where entries do not follow each other line by line: the entry, and the line that it stands on. */
  readonly #jumps: { entry: number; line: number }[] = [];
  #nextLine = 0;
  readonly #numbers = new Map<string, number>();
  /** Entries of one query that stand together: the first one, and the number of the query. */
  readonly #runs: { from: number; query: number }[] = [];

  /**
   * @param file what errors call the file.
   * @param size of the file in bytes, where it is known: columns are then as long as they must be from the
   * start. What is never written takes no memory, but a column that grows is there twice for a while.
   */
  constructor(file: string, size = 0) {
    this.#file = file;
    const most = Math.max(FEWEST_ENTRIES, Math.ceil(size / USUAL_LINE));
    this.#bytes = new Uint8Array(Math.max(most, size));
    this.#bounds = new Uint32Array(most + 1);
    this.#hashes = new Int32Array(most);
    this.#grades = new Float64Array(most);
    this.#scanner = new TrecQrelsScanner(file, (lines) => this.#addLines(lines));
  }

  #addLines(lines: QrelsLines): void {
    const { count, bytes, line, itemStarts, itemEnds } = lines;
    this.#makeRoom(count, (itemEnds[count - 1] as number) - (itemStarts[0] as number));
    this.addQuery(decodeId(bytes, lines.queryStart, lines.queryEnd));
    if (line !== this.#nextLine) this.#jumps.push({ entry: this.#count, line });
    this.#nextLine = line + count;
    this.#copy(lines);
    this.#count += count;
  }

  /** A loop of its own, so that the engine compiles it and not all that stands around it. */
  #copy({ count, bytes, itemStarts, itemEnds, hashes, grades }: QrelsLines): void {
    const [ownBytes, bounds, ownHashes, ownGrades] = [this.#bytes, this.#bounds, this.#hashes, this.#grades];
    let at = this.#count;
    let filled = bounds[at] as number;
    for (let i = 0; i < count; i++) {
      for (let j = itemStarts[i] as number, to = itemEnds[i] as number; j < to; j++)
        ownBytes[filled++] = bytes[j] as number;
      ownHashes[at] = hashes[i] as number;
      ownGrades[at] = grades[i] as number;
      bounds[++at] = filled;
    }
  }

  #makeRoom(count: number, length: number): void {
    const bytes = (this.#bounds[this.#count] as number) + length;
    if (bytes > this.#bytes.length) this.#bytes = growColumn(new Uint8Array(2 * bytes), this.#bytes);
    const needed = this.#count + count;
    if (needed <= this.#hashes.length) return;
    this.#bounds = growColumn(new Uint32Array(2 * needed + 1), this.#bounds);
    this.#hashes = growColumn(new Int32Array(2 * needed), this.#hashes);
    this.#grades = growColumn(new Float64Array(2 * needed), this.#grades);
  }

  /** Adds a query that may have no judgments. */
  addQuery(queryId: string): void {
    const query = this.#numbers.get(queryId) ?? this.#numbers.size;
    this.#numbers.set(queryId, query);
    if (this.#runs.at(-1)?.query !== query) this.#runs.push({ from: this.#count, query });
  }

  /** Adds a judgment that comes from elsewhere. */
  add(queryId: string, itemId: string, grade: number): void {
    this.addQuery(queryId);
    const bytes = new TextEncoder().encode(itemId);
    this.#makeRoom(1, bytes.length);
    const from = this.#bounds[this.#count] as number;
    this.#bytes.set(bytes, from);
    this.#hashes[this.#count] = hashOf(bytes, 0, bytes.length);
    this.#grades[this.#count] = grade;
    this.#bounds[++this.#count] = from + bytes.length;
  }

  /** @throws InputError with everything that is wrong, once there is too much of it. */
  write(chunk: Uint8Array): void {
    this.#scanner.write(chunk);
  }

  /** @throws InputError with everything that is wrong. */
  end(): QrelsTable {
    this.#scanner.end();
    const count = this.#count;
    const isGrouped = this.#runs.length === this.#numbers.size;
    const columns = {
      starts: this.#bounds.subarray(0, count),
      ends: this.#bounds.subarray(1, count + 1),
      hashes: this.#hashes.subarray(0, count),
      grades: this.#grades.subarray(0, count),
    };
    const firsts = this.#firstEntries();
    const order = isGrouped ? null : this.#order(firsts);
    const { starts, ends, hashes, grades } = order === null ? columns : inOrder(columns, order);
    const ids = [...this.#numbers.keys()];
    const queries = new Map<string, TableQuery>();
    ids.forEach((id, query) =>
      queries.set(id, new EntriesOfQuery(id, grades, firsts[query] as number, firsts[query + 1] as number)),
    );
    const table: QrelsTable = {
      queries,
      highest: highestOf(grades),
      bytes: this.#bytes,
      starts,
      ends,
      hashes,
      grades,
    };
    this.#refuseCopies(table, (entry) => this.#lineOf(order === null ? entry : (order[entry] as number)));
    return table;
  }

  /**
   * Where the entries of each query begin when those of one query stand together, and where the last ones
   * end.
   */
  #firstEntries(): Uint32Array {
    const firsts = new Uint32Array(this.#numbers.size + 1);
    this.#runs.forEach(
      ({ from, query }, run) =>
        ((firsts[query + 1] as number) += (this.#runs[run + 1]?.from ?? this.#count) - from),
    );
    for (let query = 1; query < firsts.length; query++)
      (firsts[query] as number) += firsts[query - 1] as number;
    return firsts;
  }

  /** The entries, those of one query next to each other, in the order of the file. */
  #order(firsts: Uint32Array): Uint32Array {
    const next = firsts.slice();
    const order = new Uint32Array(this.#count);
    this.#runs.forEach(({ from, query }, run) => {
      const end = this.#runs[run + 1]?.from ?? this.#count;
      for (let entry = from; entry < end; entry++) order[(next[query] as number)++] = entry;
    });
    return order;
  }

  #lineOf(entry: number): number {
    const jump = this.#jumps.findLast((each) => each.entry <= entry);
    return jump === undefined ? 0 : jump.line + entry - jump.entry;
  }

  #refuseCopies(table: QrelsTable, lineOf: (entry: number) => number): void {
    const problems: Problem[] = [];
    const lookup = new ItemLookup(table);
    for (const query of table.queries.values()) {
      lookup.load(query, (entry, earlier) => {
        const line = Math.max(lineOf(entry), lineOf(earlier));
        const before = Math.min(lineOf(entry), lineOf(earlier));
        const item = quote(decodeId(table.bytes, table.starts[entry] as number, table.ends[entry] as number));
        problems.push({
          code: "QRELS_DUPLICATE",
          where: `${this.#file}:${line}:1`,
          line,
          column: 1,
          message:
            `query ${quote(query.id)}: item ${item} was judged on line ${before} already; keep one ` +
            "of the judgments, or say that the second column is the subtopic",
        });
      });
    }
    const [first, ...others] = problems;
    if (first !== undefined) throw problemsError([first, ...others]);
  }
}

interface Columns {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly hashes: Int32Array;
  readonly grades: Float64Array;
}

function inOrder({ starts, ends, hashes, grades }: Columns, order: Uint32Array): Columns {
  return {
    starts: order.map((entry) => starts[entry] as number),
    ends: order.map((entry) => ends[entry] as number),
    hashes: Int32Array.from(order, (entry) => hashes[entry] as number),
    grades: Float64Array.from(order, (entry) => grades[entry] as number),
  };
}

/** A class, because there may be a million of them. */
class EntriesOfQuery implements TableQuery {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  readonly #grades: Float64Array;

  constructor(id: string, grades: Float64Array, from: number, to: number) {
    this.id = id;
    this.from = from;
    this.to = to;
    this.#grades = grades;
  }

  get pool(): Float64Array {
    return fallingPool(this.#grades, this.from, this.to);
  }
}

function highestOf(grades: Float64Array): number {
  let highest = 0;
  for (let entry = 0; entry < grades.length; entry++) highest = Math.max(highest, grades[entry] as number);
  return highest;
}

/** Whole grades below this are counted, which takes a tenth of the time of sorting them. */
const MOST_COUNTED = 16;

/** Grades from 0 on, highest first. */
function fallingPool(grades: Float64Array, from: number, to: number): Float64Array {
  const counts = new Int32Array(MOST_COUNTED);
  let size = 0;
  for (let entry = from; entry < to; entry++) {
    const grade = grades[entry] as number;
    if (grade < 0) continue;
    if (grade >= MOST_COUNTED || grade !== Math.trunc(grade))
      return grades
        .slice(from, to)
        .filter((each) => each >= 0)
        .sort()
        .reverse();
    (counts[grade] as number)++;
    size++;
  }
  const pool = new Float64Array(size);
  let filled = 0;
  for (let grade = MOST_COUNTED - 1; grade >= 0; grade--)
    for (let left = counts[grade] as number; left > 0; left--) pool[filled++] = grade;
  return pool;
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
  if (areWhole(table.grades)) return table;
  const grades = table.grades.map(wholeGrade);
  const queries = new Map(
    [...table.queries].map(([id, { from, to }]) => [id, new EntriesOfQuery(id, grades, from, to)]),
  );
  return { ...table, grades, queries, highest: wholeGrade(table.highest) };
}

function areWhole(grades: Float64Array): boolean {
  for (let entry = 0; entry < grades.length; entry++) if (!Number.isInteger(grades[entry])) return false;
  return true;
}

/** The judgments of a table with ids as strings. */
export function qrelsOfTable({ queries, bytes, starts, ends, grades }: QrelsTable): Qrels {
  const entries = ({ from, to }: TableQuery): Map<string, number> => {
    const map = new Map<string, number>();
    for (let entry = from; entry < to; entry++)
      map.set(decodeId(bytes, starts[entry] as number, ends[entry] as number), grades[entry] as number);
    return map;
  };
  return prepareQrels(new Map([...queries].map(([id, query]) => [id, entries(query)])));
}
