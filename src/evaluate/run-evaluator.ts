import { ownMemory, ReusedMemory, type ColumnMemory } from "../foundation/columns/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { TrecRunScanner, type QrelsTable, type RunHits } from "../formats/trec/index.js";
import {
  compareBytes,
  decodeId,
  ItemLookup,
  RepeatedItems,
  tableWithWholeGrades,
  RankOrder,
} from "../formats/trec/internal.js";
import type { Metric } from "../metrics/index.js";
import {
  checkShard,
  isInShard,
  type Conventions,
  type EvaluationPartial,
  type GivenWarning,
  type Shard,
} from "../records/index.js";
import { resolveConventions } from "./conventions.js";
import { resolveMetrics, type EvaluateOptions, type FilledSheet } from "./evaluate.js";
import type { Evaluation } from "./evaluation.js";
import { GatheredLines } from "./gathered-lines.js";
import { judgeHits, judgeUnanswered, type QueryHits } from "./judge-hits.js";
import { tableDigest } from "./judgment-digest.js";
import { LikelyIdMismatch } from "./likely-id-mismatch.js";
import { partialOf } from "./partial.js";
import { ScoreSheet, type SheetOptions } from "./score-sheet.js";

/** Few queries have more hits. */
const USUAL_HITS = 4096;

/** How a {@link RunEvaluator} reads. */
export interface RunEvaluatorOptions extends Omit<EvaluateOptions, "unit"> {
  /** What errors call the run. */
  readonly file?: string | undefined;
  /** Keep everything until the end, because lines of one query do not stand together. */
  readonly isUngrouped?: boolean | undefined;
}

/**
 * Scores a run in TREC's format that comes in chunks of any size. Queries are scored as they pass, and
 * nothing of them is kept but their scores; a query whose lines do not stand together is an error
 * (`RUN_UNGROUPED`), after which one reads again with `isUngrouped`. {@link evaluateRunFile} does all that.
 */
export class RunEvaluator {
  readonly #table: QrelsTable;
  readonly #conventions: Conventions;
  readonly #metrics: readonly Metric[];
  readonly #sheetOptions: SheetOptions;
  readonly #sheet: ScoreSheet;
  readonly #shard: Shard | undefined;
  readonly #scanner: TrecRunScanner;
  readonly #lookup: ItemLookup;
  readonly #repeated = new RepeatedItems();
  #named = new Int32Array(USUAL_HITS);
  #entries = new Int32Array(USUAL_HITS);
  /** Of the query that is judged; who is told of queries may keep them. */
  readonly #memory: ColumnMemory;
  readonly #nearIds: LikelyIdMismatch;
  readonly #rankOrder = new RankOrder();
  readonly #warnings: readonly GivenWarning[];
  readonly #seen = new Set<string>();
  readonly #gathered: GatheredLines | null;
  readonly #file: string;
  readonly #onQuery: EvaluateOptions["onQuery"];

  constructor(table: QrelsTable, metrics: readonly (string | Metric)[], options: RunEvaluatorOptions = {}) {
    this.#file = options.file ?? "run";
    this.#onQuery = options.onQuery;
    this.#warnings = options.warnings ?? [];
    this.#memory = options.onQuery === undefined ? new ReusedMemory() : ownMemory;
    this.#conventions = resolveConventions(options);
    this.#table = this.#conventions.grades === "cut" ? tableWithWholeGrades(table) : table;
    if (table.queries.size === 0 && this.#conventions.profile.startsWith("trec_eval"))
      throw new InputError("QRELS_SYNTAX", "there are no judgments, which trec_eval refuses");
    this.#metrics = resolveMetrics(metrics, this.#conventions);
    this.#sheetOptions = {
      conventions: this.#conventions,
      highest: this.#table.highest,
      tieSpread: options.tieSpread ?? false,
      bounds: options.bounds ?? false,
      queries: this.#table.queries.size,
    };
    this.#sheet = new ScoreSheet(this.#metrics, this.#sheetOptions);
    this.#nearIds = new LikelyIdMismatch(this.#table.queries.size);
    this.#shard = options.shard && checkShard(options.shard);
    this.#lookup = new ItemLookup(this.#table);
    this.#gathered = options.isUngrouped === true ? new GatheredLines() : null;
    this.#scanner = new TrecRunScanner(
      this.#file,
      (block) => {
        this.#rankOrder.addBlock(block);
        if (this.#gathered !== null) {
          this.#gathered.add(block);
          return;
        }
        const queryId = decodeId(block.bytes, block.queryStart, block.queryEnd);
        if (this.#seen.has(queryId))
          throw new InputError(
            "RUN_UNGROUPED",
            `${this.#file}: the lines of query ${quote(queryId)} do not stand together`,
          );
        this.#judge(queryId, block);
      },
      { comments: this.#conventions.profile !== "trec_eval" },
    );
  }

  /** @throws InputError for what is wrong with the run, with line and column. */
  write(chunk: Uint8Array): void {
    this.#scanner.write(chunk);
  }

  /** @throws InputError for what is wrong with the run, with line and column. */
  end(): Evaluation {
    const { sheet, runId, nearIds, warnings } = this.#fill();
    return sheet.result(runId, [...warnings, ...nearIds.warnings]);
  }

  /**
   * Ends with a partial of the queries in `shard`, in place of an evaluation.
   *
   * @throws InputError for what is wrong with the run, with line and column.
   */
  endPartial(): EvaluationPartial {
    return partialOf(this.#fill(), this.#shard, tableDigest(this.#table));
  }

  #fill(): FilledSheet {
    this.#scanner.end();
    if (!this.#scanner.hasLines && this.#conventions.profile.startsWith("trec_eval"))
      throw new InputError(
        "RUN_SYNTAX",
        `${this.#file}: the run is empty, which trec_eval refuses; leave the profile out to score ` +
          "every judged query as unanswered",
      );
    for (const [queryId, hits] of this.#gathered?.hits() ?? []) this.#judge(queryId, hits);
    for (const [queryId, query] of this.#table.queries)
      if (!this.#seen.has(queryId) && isInShard(queryId, this.#shard))
        this.#sheet.missing(queryId, judgeUnanswered(query));
    return {
      sheet: this.#sheet,
      metrics: this.#metrics,
      options: this.#sheetOptions,
      runId: this.#scanner.tag,
      nearIds: this.#nearIds,
      warnings: [...this.#warnings, ...this.#rankOrder.warnings],
    };
  }

  #judge(id: string, given: RunHits): void {
    const query = this.#table.queries.get(id);
    // The judgments' own string, so that a million queries are not kept twice.
    const queryId = query?.id ?? id;
    this.#seen.add(queryId);
    if (!isInShard(queryId, this.#shard)) return;
    if (query === undefined) {
      this.#sheet.addUnjudged(queryId);
      return;
    }
    this.#lookup.load(query);
    this.#memory.clear?.();
    const hits = this.#hitsOf(
      queryId,
      this.#conventions.identicalIds === "drop" ? withoutId(given, queryId) : given,
    );
    const judged = judgeHits(hits, query, this.#conventions, undefined, this.#memory);
    const { bytes, starts, ends } = given;
    if (!given.isAscii)
      this.#nearIds.look(
        queryId,
        given.count,
        (position) => nonAsciiId(bytes, starts[position] as number, ends[position] as number),
        this.#lookup,
      );
    this.#sheet.addAnswered(queryId, judged, hits.duplicates);
    this.#onQuery?.(queryId, judged.judged);
  }

  #hitsOf(queryId: string, { bytes, starts, ends, hashes, scores, count }: RunHits): QueryHits {
    const { grades } = this.#table;
    if (this.#named.length < count) {
      this.#named = new Int32Array(2 * count);
      this.#entries = new Int32Array(2 * count);
    }
    const found = this.#lookup.findAll(bytes, starts, ends, hashes, count, this.#named, this.#entries);
    const named = this.#named.subarray(0, found);
    const entries = this.#entries.subarray(0, found);
    if (this.#conventions.precision === "single") roundToSingle(scores, count);
    const repeated = this.#repeated.find(bytes, starts, ends, hashes, count);
    const [copy] = repeated ?? [];
    return {
      queryId,
      count,
      scores,
      ranks: null,
      named,
      grades: gradesOf(entries, grades, this.#memory.doubles(found)),
      items: repeated === null ? null : entries,
      duplicates: repeated?.length ?? 0,
      duplicate: copy === undefined ? null : decodeId(bytes, starts[copy] as number, ends[copy] as number),
      tieOrder: (a, b) =>
        compareBytes(bytes, starts[b] as number, ends[b] as number, starts[a] as number, ends[a] as number),
    };
  }
}

// Loops of their own, so that the engine compiles them and not all that stands around them.

function roundToSingle(scores: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) scores[i] = Math.fround(scores[i] as number);
}

function gradesOf(entries: Int32Array, grades: Float64Array, found: Float64Array): Float64Array {
  for (let i = 0; i < found.length; i++) found[i] = grades[entries[i] as number] as number;
  return found;
}

/** An id that Unicode may write in more than one way; null for ASCII, which cannot have white space here. */
function nonAsciiId(bytes: Uint8Array, start: number, end: number): string | null {
  for (let i = start; i < end; i++) if ((bytes[i] as number) >= 0x80) return decodeId(bytes, start, end);
  return null;
}

/** Hits without the one that has a certain id. */
function withoutId(hits: RunHits, id: string): RunHits {
  const kept = Array.from({ length: hits.count }, (_, i) => i).filter(
    (i) => decodeId(hits.bytes, hits.starts[i] as number, hits.ends[i] as number) !== id,
  );
  if (kept.length === hits.count) return hits;
  const integers = (column: Int32Array): Int32Array => Int32Array.from(kept, (i) => column[i] as number);
  return {
    ...hits,
    count: kept.length,
    starts: integers(hits.starts),
    ends: integers(hits.ends),
    hashes: integers(hits.hashes),
    scores: Float64Array.from(kept, (i) => hits.scores[i] as number),
  };
}

/**
 * Chunks of a file, each time from its beginning. A chunk may be overwritten once the next one is asked for.
 */
export type ChunkSource = () => Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * Scores a run in TREC's format. Where the lines of a query do not stand together it is read twice.
 *
 * @param chunks opens the file; called once or twice. The second time `onQuery` begins anew.
 * @throws InputError for what is wrong with the run, with line and column.
 */
export async function evaluateRunFile(
  chunks: ChunkSource,
  table: QrelsTable,
  metrics: readonly (string | Metric)[],
  options: RunEvaluatorOptions = {},
): Promise<Evaluation> {
  return read(chunks, table, metrics, options, (evaluator) => evaluator.end());
}

/**
 * The partial of one shard of a run in TREC's format; see {@link evaluatePartial}.
 *
 * @param chunks opens the file; called once or twice. The second time `onQuery` begins anew.
 * @throws InputError for what is wrong with the run, with line and column.
 */
export async function evaluateRunFilePartial(
  chunks: ChunkSource,
  table: QrelsTable,
  metrics: readonly (string | Metric)[],
  options: RunEvaluatorOptions = {},
): Promise<EvaluationPartial> {
  return read(chunks, table, metrics, options, (evaluator) => evaluator.endPartial());
}

/** Reads a run as if its lines were grouped, and once more where they are not. */
async function read<T>(
  chunks: ChunkSource,
  table: QrelsTable,
  metrics: readonly (string | Metric)[],
  options: RunEvaluatorOptions,
  end: (evaluator: RunEvaluator) => T,
): Promise<T> {
  if (typeof (chunks as unknown) !== "function")
    throw new InputError("ARGUMENT", "chunks must be a function that opens the file: `() => chunks`");
  const lengths: number[] = [];
  const readOnce = async (isUngrouped: boolean): Promise<T> => {
    const evaluator = new RunEvaluator(table, metrics, { ...options, isUngrouped });
    const pass = lengths.push(0) - 1;
    for await (const chunk of chunks()) {
      (lengths[pass] as number) += chunk.length;
      evaluator.write(chunk);
    }
    if ((lengths[pass] as number) < (lengths[0] as number))
      throw new InputError(
        "ARGUMENT",
        `${options.file ?? "run"}: its lines are not grouped by query, so that it is read twice, and the ` +
          "second time there was less of it; open it anew at each call",
      );
    return end(evaluator);
  };
  try {
    return await readOnce(options.isUngrouped ?? false);
  } catch (error) {
    if (error instanceof InputError && error.code === "RUN_UNGROUPED") return readOnce(true);
    throw error;
  }
}
