import { type RunBlock, type RunHits } from "../formats/trec/index.js";
import { IdNumbers } from "../formats/trec/internal.js";

/**
 * So many queries share a shelf: few enough shelves to write to all at once, and each small enough for the
 * processor's cache.
 */
const SHELF_BITS = 5;
const GROWTH = 1.5;

/**
 * A line is a row of 24 bytes, because the lines of a query stand apart, and the processor waits for each
 * place that it reads.
 */
const INTS_PER_ROW = 6;
const START = 0;
const END = 1;
const HASH = 2;
const QUERY = 3;
const DOUBLES_PER_ROW = 3;
const SCORE = 2;
const BYTES_PER_ROW = 24;

/** All lines of a file whose queries do not stand together, at 24 bytes a line and the bytes of the ids. */
export class GatheredLines {
  readonly #queries = new IdNumbers();
  readonly #shelves: Shelf[] = [];
  #isAscii = true;

  add(block: RunBlock): void {
    this.#isAscii &&= block.isAscii;
    const query = this.#queries.numberOf(block.bytes, block.queryStart, block.queryEnd, block.queryHash);
    const number = query >> SHELF_BITS;
    if (number === this.#shelves.length) this.#shelves.push(new Shelf(query));
    (this.#shelves[number] as Shelf).add(query, block);
  }

  /**
   * The hits of one query after the other, in the order of first appearance; its lines in the order of the
   * file. Hits are overwritten by the next ones.
   */
  *hits(): Iterable<readonly [queryId: string, hits: RunHits]> {
    const block = new LineBlock();
    for (const [number, shelf] of this.#shelves.entries()) {
      let query = number << SHELF_BITS;
      for (const lines of shelf.linesByQuery()) {
        shelf.take(lines, block);
        const { bytes, starts, ends, hashes, scores } = block;
        yield [
          this.#queries.ids[query++] as string,
          { count: lines.length, bytes, starts, ends, hashes, scores, isAscii: this.#isAscii },
        ];
      }
      shelf.clear();
    }
  }
}

/** Lines of some queries, in the order of the file. */
class Shelf {
  readonly #firstQuery: number;
  #count = 0;
  /** The ids, one after the other. */
  #bytes = new Uint8Array(1 << 9);
  #filled = 0;
  #rows = rowsFor(1 << 6);

  constructor(firstQuery: number) {
    this.#firstQuery = firstQuery;
  }

  add(query: number, { bytes, count, starts, ends, hashes, scores }: RunBlock): void {
    for (let i = 0; i < count; i++) {
      const start = starts[i] as number;
      const end = ends[i] as number;
      const to = this.#filled + end - start;
      if (to > this.#bytes.length) this.#growBytes(to);
      if (this.#count * INTS_PER_ROW === this.#rows.ints.length) this.#growRows();
      copyBytes(bytes, start, end, this.#bytes, this.#filled);
      const { ints, doubles } = this.#rows;
      const row = this.#count * INTS_PER_ROW;
      ints[row + START] = this.#filled;
      ints[row + END] = to;
      ints[row + HASH] = hashes[i] as number;
      ints[row + QUERY] = query - this.#firstQuery;
      doubles[this.#count * DOUBLES_PER_ROW + SCORE] = scores[i] as number;
      this.#filled = to;
      this.#count++;
    }
  }

  #growBytes(needed: number): void {
    const larger = new Uint8Array(Math.ceil(GROWTH * needed));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }

  #growRows(): void {
    const larger = rowsFor(Math.ceil(GROWTH * this.#count));
    larger.ints.set(this.#rows.ints);
    this.#rows = larger;
  }

  /** The numbers of the lines of each query. */
  linesByQuery(): Int32Array[] {
    const { ints } = this.#rows;
    const ends = new Int32Array(1 << SHELF_BITS);
    for (let line = 0; line < this.#count; line++)
      (ends[ints[line * INTS_PER_ROW + QUERY] as number] as number)++;
    for (let query = 1; query < ends.length; query++) (ends[query] as number) += ends[query - 1] as number;
    const order = new Int32Array(this.#count);
    const starts = ends.slice();
    for (let line = this.#count - 1; line >= 0; line--)
      order[--(starts[ints[line * INTS_PER_ROW + QUERY] as number] as number)] = line;
    const lines = Array.from(ends, (end, query) => order.subarray(starts[query], end));
    return lines.filter(({ length }) => length > 0);
  }

  take(lines: Int32Array, block: LineBlock): void {
    block.make(lines.length);
    this.#readRows(lines, block);
    this.#copyIds(lines.length, block);
  }

  /**
   * Nothing here branches on what is read, so that many lines are waited for at the same time. Ids are ranges
   * of the shelf's bytes still.
   */
  #readRows(lines: Int32Array, { starts, ends, hashes, scores }: LineBlock): void {
    const { ints, doubles } = this.#rows;
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i] as number;
      const row = line * INTS_PER_ROW;
      starts[i] = ints[row + START] as number;
      ends[i] = ints[row + END] as number;
      hashes[i] = ints[row + HASH] as number;
      scores[i] = doubles[line * DOUBLES_PER_ROW + SCORE] as number;
    }
  }

  #copyIds(count: number, block: LineBlock): void {
    const { starts, ends } = block;
    let length = 0;
    for (let i = 0; i < count; i++) length += (ends[i] as number) - (starts[i] as number);
    if (length > block.bytes.length) block.bytes = new Uint8Array(2 * length);
    const { bytes } = block;
    let filled = 0;
    for (let i = 0; i < count; i++) {
      const start = starts[i] as number;
      const end = ends[i] as number;
      copyBytes(this.#bytes, start, end, bytes, filled);
      starts[i] = filled;
      ends[i] = filled += end - start;
    }
  }

  clear(): void {
    this.#bytes = new Uint8Array(0);
    this.#rows = rowsFor(0);
  }
}

/** Rows as integers, and the same memory as doubles. */
function rowsFor(count: number): { readonly ints: Int32Array; readonly doubles: Float64Array } {
  const memory = new ArrayBuffer(count * BYTES_PER_ROW);
  return { ints: new Int32Array(memory), doubles: new Float64Array(memory) };
}

/** The lines of one query, put together. */
class LineBlock {
  bytes = new Uint8Array(0);
  starts = new Int32Array(0);
  ends = new Int32Array(0);
  hashes = new Int32Array(0);
  scores = new Float64Array(0);

  make(count: number): void {
    if (count <= this.starts.length) return;
    this.starts = new Int32Array(count);
    this.ends = new Int32Array(count);
    this.hashes = new Int32Array(count);
    this.scores = new Float64Array(count);
  }
}

/** Ids no longer than this are copied byte by byte: cheaper than the view that `set` needs. */
const SHORT = 32;

function copyBytes(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): void {
  if (end - start > SHORT) {
    to.set(from.subarray(start, end), at);
    return;
  }
  for (let i = start, j = at; i < end; i++, j++) to[j] = from[i] as number;
}
