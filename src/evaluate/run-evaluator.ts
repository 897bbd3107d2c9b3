import { InputError } from "../errors.js";
import { compareBytes, decodedId, ItemLookup, RepeatedItems, tableWithWholeGrades, TrecRunScanner, type QrelsTable, type RunBlock } from "../formats/trec/index.js";
import type { Metric } from "../metrics/index.js";
import type { Conventions } from "../schema/index.js";
import { settledConventions } from "./conventions.js";
import { settledMetrics, type EvaluateOptions } from "./evaluate.js";
import type { Evaluation } from "./evaluation.js";
import { judgeHits, unanswered, type QueryHits } from "./judge-hits.js";
import { NearIds } from "./near-ids.js";
import { ScoreSheet } from "./score-sheet.js";

/** A column with room for more. */
function roomFor<T extends Uint8Array | Int32Array | Float64Array>(column: T, needed: number, make: (size: number) => T): T {
  if (needed <= column.length) return column;
  const larger = make(Math.max(needed, 2 * column.length));
  larger.set(column);
  return larger;
}

/** All lines of a file whose queries do not stand together, at 24 bytes a line and the bytes of the ids. */
class GatheredLines {
  #bytes = new Uint8Array(1 << 16);
  #filled = 0;
  #count = 0;
  #ends = new Int32Array(1024);
  #hashes = new Int32Array(1024);
  #scores = new Float64Array(1024);
  #queries = new Int32Array(1024);
  readonly #numbers = new Map<string, number>();
  #isAscii = true;

  add({ queryId, bytes, count, starts, ends, hashes, scores, isAscii }: RunBlock): void {
    this.#isAscii &&= isAscii;
    const number = this.#numbers.get(queryId) ?? this.#numbers.size;
    this.#numbers.set(queryId, number);
    const needed = this.#count + count;
    this.#ends = roomFor(this.#ends, needed, (size) => new Int32Array(size));
    this.#hashes = roomFor(this.#hashes, needed, (size) => new Int32Array(size));
    this.#scores = roomFor(this.#scores, needed, (size) => new Float64Array(size));
    this.#queries = roomFor(this.#queries, needed, (size) => new Int32Array(size));
    for (let i = 0; i < count; i++) {
      const [start, end] = [starts[i] as number, ends[i] as number];
      this.#bytes = roomFor(this.#bytes, this.#filled + end - start, (size) => new Uint8Array(size));
      this.#bytes.set(bytes.subarray(start, end), this.#filled);
      this.#filled += end - start;
      this.#ends[this.#count] = this.#filled;
      this.#hashes[this.#count] = hashes[i] as number;
      this.#scores[this.#count] = scores[i] as number;
      this.#queries[this.#count++] = number;
    }
  }

  /** One block for each query, in the order of first appearance; its lines in the order of the file. */
  *blocks(): Iterable<RunBlock> {
    const firsts = new Int32Array(this.#numbers.size + 1);
    for (let i = 0; i < this.#count; i++) (firsts[(this.#queries[i] as number) + 1] as number)++;
    for (let number = 0; number < this.#numbers.size; number++) (firsts[number + 1] as number) += firsts[number] as number;
    const next = firsts.slice();
    const order = new Int32Array(this.#count);
    for (let i = 0; i < this.#count; i++) order[(next[this.#queries[i] as number] as number)++] = i;
    for (const [queryId, number] of this.#numbers) {
      const lines = order.subarray(firsts[number], firsts[number + 1]);
      const starts = lines.map((line) => (line === 0 ? 0 : (this.#ends[line - 1] as number)));
      const [ends, hashes] = [lines.map((line) => this.#ends[line] as number), lines.map((line) => this.#hashes[line] as number)];
      yield { queryId, count: lines.length, bytes: this.#bytes, starts, ends, hashes, scores: Float64Array.from(lines, (line) => this.#scores[line] as number), isAscii: this.#isAscii };
    }
  }
}

/** How a {@link RunEvaluator} reads. */
export interface RunEvaluatorOptions extends Omit<EvaluateOptions, "unit"> {
  /** What errors call the run. */
  readonly file?: string;
  /** Keep everything until the end, because lines of one query do not stand together. */
  readonly isUngrouped?: boolean;
}

/**
 * Scores a run in TREC's format that comes in chunks of any size. Queries are scored as they pass, and nothing of them is kept
 * but their scores; a query whose lines do not stand together is an error (`RUN_UNGROUPED`), after which one reads again with
 * `isUngrouped`. {@link evaluateRunFile} does all that.
 */
export class RunEvaluator {
  readonly #table: QrelsTable;
  readonly #conventions: Conventions;
  readonly #sheet: ScoreSheet;
  readonly #scanner: TrecRunScanner;
  readonly #lookup: ItemLookup;
  readonly #repeated = new RepeatedItems();
  #named = new Int32Array(1024);
  #entries = new Int32Array(1024);
  readonly #nearIds = new NearIds();
  readonly #seen = new Set<string>();
  readonly #gathered: GatheredLines | null;
  readonly #file: string;
  readonly #onQuery: EvaluateOptions["onQuery"];

  constructor(table: QrelsTable, metrics: readonly (string | Metric)[], options: RunEvaluatorOptions = {}) {
    this.#file = options.file ?? "run";
    this.#onQuery = options.onQuery;
    this.#conventions = settledConventions(options);
    this.#table = this.#conventions.grades === "cut" ? tableWithWholeGrades(table) : table;
    if (table.queries.size === 0 && this.#conventions.profile.startsWith("trec_eval")) throw new InputError("QRELS_SYNTAX", "there are no judgments, which trec_eval refuses");
    const settled = settledMetrics(metrics, this.#conventions);
    this.#sheet = new ScoreSheet(settled, { conventions: this.#conventions, highest: this.#table.highest, tieSpread: options.tieSpread ?? false, bounds: options.bounds ?? false });
    this.#lookup = new ItemLookup(this.#table);
    this.#gathered = options.isUngrouped === true ? new GatheredLines() : null;
    this.#scanner = new TrecRunScanner(this.#file, (block) => {
      if (this.#gathered === null) {
        if (this.#seen.has(block.queryId)) throw new InputError("RUN_UNGROUPED", `${this.#file}: the lines of query \`${block.queryId}\` do not stand together`);
        this.#judge(block);
        return;
      }
      this.#gathered.add(block);
    }, { comments: this.#conventions.profile !== "trec_eval" });
  }

  /** @throws InputError for what is wrong with the run, with line and column. */
  write(chunk: Uint8Array): void {
    this.#scanner.write(chunk);
  }

  /** @throws InputError for what is wrong with the run, with line and column. */
  end(): Evaluation {
    this.#scanner.end();
    if (!this.#scanner.hasLines && this.#conventions.profile.startsWith("trec_eval")) throw new InputError("RUN_SYNTAX", `${this.#file}: the run is empty, which trec_eval refuses; leave the profile out to score every judged query as unanswered`);
    for (const block of this.#gathered?.blocks() ?? []) this.#judge(block);
    for (const [queryId, query] of this.#table.queries) if (!this.#seen.has(queryId)) this.#sheet.missing(queryId, unanswered(query));
    return this.#sheet.result(this.#scanner.tag, this.#nearIds.warnings);
  }

  #judge(block: RunBlock): void {
    const { queryId } = block;
    this.#seen.add(queryId);
    const query = this.#table.queries.get(queryId);
    if (query === undefined) {
      this.#sheet.unjudged();
      return;
    }
    this.#lookup.load(query);
    const hits = this.#hitsOf(this.#conventions.identicalIds === "drop" ? withoutIdentical(block) : block);
    const judged = judgeHits(hits, query, this.#conventions);
    const { bytes, starts, ends } = block;
    if (!block.isAscii) this.#nearIds.look(queryId, block.count, (position) => nonAsciiId(bytes, starts[position] as number, ends[position] as number), this.#lookup);
    this.#sheet.answered(queryId, judged, hits.duplicates);
    this.#onQuery?.(queryId, judged.judged);
  }

  #hitsOf({ queryId, bytes, starts, ends, hashes, scores, count }: RunBlock): QueryHits {
    const { grades } = this.#table;
    if (this.#named.length < count) {
      this.#named = new Int32Array(2 * count);
      this.#entries = new Int32Array(2 * count);
    }
    const found = this.#lookup.findAll(bytes, starts, ends, hashes, count, this.#named, this.#entries);
    const named = this.#named.slice(0, found);
    const entries = this.#entries.slice(0, found);
    if (this.#conventions.precision === "single") for (let i = 0; i < count; i++) scores[i] = Math.fround(scores[i] as number);
    const repeated = this.#repeated.find(bytes, starts, ends, hashes, count);
    const [copy] = repeated ?? [];
    const ofNamed = new Float64Array(found);
    for (let i = 0; i < found; i++) ofNamed[i] = grades[entries[i] as number] as number;
    return {
      queryId,
      count,
      scores,
      ranks: null,
      named,
      grades: ofNamed,
      items: repeated === null ? null : entries,
      duplicates: repeated?.length ?? 0,
      duplicate: copy === undefined ? null : decodedId(bytes, starts[copy] as number, ends[copy] as number),
      tieOrder: (a, b) => compareBytes(bytes, starts[b] as number, ends[b] as number, starts[a] as number, ends[a] as number),
    };
  }
}

/** An id that Unicode may write in more than one way; null for ASCII, which cannot have white space here. */
function nonAsciiId(bytes: Uint8Array, start: number, end: number): string | null {
  for (let i = start; i < end; i++) if ((bytes[i] as number) >= 0x80) return decodedId(bytes, start, end);
  return null;
}

/** A block without the hit that has the id of the query. */
function withoutIdentical(block: RunBlock): RunBlock {
  const kept = Array.from({ length: block.count }, (_, i) => i).filter((i) => decodedId(block.bytes, block.starts[i] as number, block.ends[i] as number) !== block.queryId);
  if (kept.length === block.count) return block;
  const integers = (column: Int32Array): Int32Array => Int32Array.from(kept, (i) => column[i] as number);
  return { ...block, count: kept.length, starts: integers(block.starts), ends: integers(block.ends), hashes: integers(block.hashes), scores: Float64Array.from(kept, (i) => block.scores[i] as number) };
}

/** Chunks of a file, each time from its beginning. A chunk may be overwritten once the next one is asked for. */
export type ChunkSource = () => Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * Scores a run in TREC's format. Where the lines of a query do not stand together it is read twice.
 *
 * @param chunks opens the file; called once or twice.
 * @throws InputError for what is wrong with the run, with line and column.
 */
export async function evaluateRunFile(chunks: ChunkSource, table: QrelsTable, metrics: readonly (string | Metric)[], options: RunEvaluatorOptions = {}): Promise<Evaluation> {
  const read = async (isUngrouped: boolean): Promise<Evaluation> => {
    const evaluator = new RunEvaluator(table, metrics, { ...options, isUngrouped });
    for await (const chunk of chunks()) evaluator.write(chunk);
    return evaluator.end();
  };
  try {
    return await read(options.isUngrouped ?? false);
  } catch (error) {
    if (error instanceof InputError && error.code === "RUN_UNGROUPED") return read(true);
    throw error;
  }
}
