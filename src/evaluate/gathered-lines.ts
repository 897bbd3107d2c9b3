import { IdNumbers, type RunBlock, type RunHits } from "../formats/trec/index.js";

/** Lines are kept in segments of so many, which are never moved: a column that grows is there twice for a while. */
const SEGMENT_BITS = 16;
const SEGMENT = 1 << SEGMENT_BITS;
const WITHIN_SEGMENT = SEGMENT - 1;

interface Segment {
  /** The ids, one after the other. */
  readonly bytes: Uint8Array;
  readonly ends: Int32Array;
  readonly hashes: Int32Array;
  readonly scores: Float64Array;
  /** The number of the query of each line. */
  readonly queries: Int32Array;
}

function emptySegment(bytes: Uint8Array): Segment {
  return { bytes, ends: new Int32Array(SEGMENT), hashes: new Int32Array(SEGMENT), scores: new Float64Array(SEGMENT), queries: new Int32Array(SEGMENT) };
}

/** All lines of a file whose queries do not stand together, at 24 bytes a line and the bytes of the ids. */
export class GatheredLines {
  readonly #segments: Segment[] = [];
  #segment: Segment = emptySegment(new Uint8Array(SEGMENT));
  #filled = 0;
  #count = 0;
  readonly #queries = new IdNumbers();
  #isAscii = true;

  add({ queryStart, queryEnd, queryHash, bytes, count, starts, ends, hashes, scores, isAscii }: RunBlock): void {
    this.#isAscii &&= isAscii;
    const query = this.#queries.numberOf(bytes, queryStart, queryEnd, queryHash);
    for (let i = 0; i < count; i++) {
      const place = this.#count++ & WITHIN_SEGMENT;
      if (place === 0 && this.#count > 1) this.#nextSegment();
      this.#copyId(bytes, starts[i] as number, ends[i] as number);
      const segment = this.#segment;
      segment.ends[place] = this.#filled;
      segment.hashes[place] = hashes[i] as number;
      segment.scores[place] = scores[i] as number;
      segment.queries[place] = query;
    }
  }

  #nextSegment(): void {
    const { bytes } = this.#segment;
    this.#segments.push({ ...this.#segment, bytes: bytes.slice(0, this.#filled) });
    this.#segment = emptySegment(bytes);
    this.#filled = 0;
  }

  #copyId(bytes: Uint8Array, start: number, end: number): void {
    const filled = this.#filled + end - start;
    if (filled > this.#segment.bytes.length) {
      const larger = new Uint8Array(2 * filled);
      larger.set(this.#segment.bytes);
      this.#segment = { ...this.#segment, bytes: larger };
    }
    copyBytes(bytes, start, end, this.#segment.bytes, this.#filled);
    this.#filled = filled;
  }

  /** The hits of one query after the other, in the order of first appearance; its lines in the order of the file. A block is overwritten by the next one. */
  *blocks(): Iterable<readonly [queryId: string, hits: RunHits]> {
    const segments = [...this.#segments, this.#segment];
    const { firsts, order } = this.#linesByQuery(segments);
    let starts = new Int32Array(0);
    let ends = new Int32Array(0);
    let hashes = new Int32Array(0);
    let scores = new Float64Array(0);
    let bytes = new Uint8Array(SEGMENT);
    for (const [query, queryId] of this.#queries.ids.entries()) {
      const from = firsts[query] as number;
      const count = (firsts[query + 1] as number) - from;
      if (count > starts.length) [starts, ends, hashes, scores] = [new Int32Array(2 * count), new Int32Array(2 * count), new Int32Array(2 * count), new Float64Array(2 * count)];
      let filled = 0;
      for (let i = 0; i < count; i++) {
        const line = order[from + i] as number;
        const segment = segments[line >> SEGMENT_BITS] as Segment;
        const place = line & WITHIN_SEGMENT;
        const start = place === 0 ? 0 : (segment.ends[place - 1] as number);
        const end = segment.ends[place] as number;
        if (filled + end - start > bytes.length) {
          const larger = new Uint8Array(2 * (filled + end - start));
          larger.set(bytes);
          bytes = larger;
        }
        copyBytes(segment.bytes, start, end, bytes, filled);
        starts[i] = filled;
        ends[i] = filled += end - start;
        hashes[i] = segment.hashes[place] as number;
        scores[i] = segment.scores[place] as number;
      }
      yield [queryId, { count, bytes, starts, ends, hashes, scores, isAscii: this.#isAscii }];
    }
  }

  /** The numbers of the lines, those of one query together: the lines of query q stand from `firsts[q]` to `firsts[q + 1]`. */
  #linesByQuery(segments: readonly Segment[]): { firsts: Int32Array; order: Int32Array } {
    const firsts = new Int32Array(this.#queries.ids.length + 1);
    const queryOf = (line: number): number => (segments[line >> SEGMENT_BITS] as Segment).queries[line & WITHIN_SEGMENT] as number;
    for (let line = 0; line < this.#count; line++) (firsts[queryOf(line) + 1] as number)++;
    for (let query = 0; query < firsts.length - 1; query++) (firsts[query + 1] as number) += firsts[query] as number;
    const next = firsts.slice();
    const order = new Int32Array(this.#count);
    for (let line = 0; line < this.#count; line++) order[(next[queryOf(line)] as number)++] = line;
    return { firsts, order };
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
