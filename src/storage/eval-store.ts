import { expectShape, kindOfObject, listOf, recordOf } from "../foundation/checks/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { configPath } from "../foundation/text/index.js";
import { type AggregateMetrics, type ChunkRecord, type EvalRun, resultsByQuery } from "../records/index.js";

/** A run as a list shows it: everything but its results. */
export interface RunSummary {
  readonly run_id: string;
  readonly suite: string;
  readonly created_at: string;
  readonly commit_hash: string | null;
  readonly total_queries: number;
  /** How many of its results have an error. */
  readonly failed_queries: number;
  readonly has_aggregate: boolean;
  /** Whether its recording was cut short. */
  readonly is_incomplete: boolean;
}

/** What a save does besides writing the run. */
export interface SaveOptions {
  /** Overwrite a run of the same id, and its aggregate. Without it such a run is an error. */
  readonly replace?: boolean | undefined;
  /**
   * Chunks whose places are to be kept when the knowledge base is indexed again; saved together with the run
   * or not at all. The newest place of a chunk counts, but one without `source_spans` says nothing about an
   * older one that has some.
   */
  readonly archive?: readonly ChunkRecord[] | undefined;
}

/** Which chunks to look up: those with one of the ids, and those of documents at one of the paths. */
export interface ChunkQuery {
  readonly chunkIds?: Iterable<string> | undefined;
  readonly docPaths?: Iterable<string> | undefined;
}

/**
 * Where runs are kept. An adapter implements all of it and passes `storeContract` of `rankproof/testing`.
 *
 * Every call may be the first, and calls may overlap. A call that rejects has changed nothing. What is loaded
 * equals what was saved, unknown fields included, and the caller may do with it what it likes.
 */
export interface EvalStore {
  /**
   * Saves a run with all its results, or nothing. Results keep their order. Rejects with `STORE_RUN_EXISTS`
   * unless `replace`.
   */
  saveRun(run: EvalRun, options?: SaveOptions): Promise<void>;
  /** The run, or null when there is none with that id. */
  loadRun(runId: string): Promise<EvalRun | null>;
  /** All runs, by `created_at`, then by id, in the order of their bytes. */
  listRuns(): Promise<RunSummary[]>;
  /** Deletes a run and its results; the chunk archive stays. Resolves to whether there was one. */
  deleteRun(runId: string): Promise<boolean>;
  /** Writes a run's aggregate and nothing else. Resolves to whether there is such a run. */
  writeAggregate(runId: string, aggregate: AggregateMetrics): Promise<boolean>;
  /** The aggregate as it was written, or null when there is none. */
  loadAggregate(runId: string): Promise<AggregateMetrics | null>;
  /** Makes these chunks the knowledge base's current ones, in place of those before. The archive stays. */
  saveChunks(chunks: readonly ChunkRecord[]): Promise<void>;
  /** Whether the store knows the current chunks of the knowledge base at all. */
  hasCorpus(): Promise<boolean>;
  /** The wanted chunks of the knowledge base as it is now. */
  findChunks(query: ChunkQuery): Promise<ChunkRecord[]>;
  /** The archived places of chunks; one id may stand for several, of different chunkers. */
  findArchivedChunks(chunkIds: Iterable<string>): Promise<ChunkRecord[]>;
  /** Those of the ids that are documents of the knowledge base as it is now. */
  findKnownDocuments(docIds: Iterable<string>): Promise<Set<string>>;
  /**
   * Claims a name, which no other process has until it is given back, or this one ends; undefined where one
   * has it. A store of files has none: what records holds a lock beside them.
   */
  claim?(name: string): Promise<(() => Promise<void>) | undefined>;
  /** Lets go of what the store holds. Further calls reject with `STORE_CLOSED`. */
  close(): Promise<void>;
}

/** The error for a run id that is taken. */
export function runExists(runId: string, name: string): InputError {
  return new InputError(
    "STORE_RUN_EXISTS",
    `${name}: run ${quote(runId)} is there already; choose another id, or replace it`,
    { runId },
  );
}

const withResults = recordOf({ results: listOf() }, "give an object with `run_id` and `results`");

/**
 * Refuses runs that not every store could give back as they were.
 *
 * @throws InputError `RUN_ID`, `RUN_SHAPE`, `RUN_DUPLICATE_QUERY`
 */
export function checkRun(run: EvalRun): void {
  expectShape(run, withResults, "RUN_SHAPE", "a run");
  const { run_id, suite, created_at } = run;
  for (const [field, value] of [
    ["suite", suite],
    ["created_at", created_at],
  ] as const) {
    if (typeof value !== "string" || !value.isWellFormed())
      throw new InputError(
        "RUN_SHAPE",
        `run ${quote(run_id)}: ${field} must be well-formed text, got ${quote(value)}`,
        { runId: run_id },
      );
  }
  if (
    typeof (run_id as unknown) !== "string" ||
    run_id === "" ||
    run_id.includes("\0") ||
    !run_id.isWellFormed()
  ) {
    throw new InputError(
      "RUN_ID",
      `run id ${quote(run_id)} must be well-formed text that is not empty and has no null character`,
      { runId: run_id },
    );
  }
  resultsByQuery(run);
}

/**
 * A record as JSON text.
 *
 * @throws InputError `RUN_SHAPE` for what JSON cannot hold: a BigInt, a cycle, nesting deeper than the call
 * stack, a number that is not finite, a map or a set.
 */
export function jsonText(record: unknown, where: string): string {
  let json: string;
  try {
    json = JSON.stringify(record);
  } catch (cause) {
    throw new InputError(
      "RUN_SHAPE",
      `${where} cannot be written as JSON: ` +
        `${cause instanceof RangeError ? "it is nested too deeply" : String(cause)}`,
      {},
      cause,
    );
  }
  // Of a function, or of nothing, JSON has no text.
  if (typeof (json as unknown) !== "string")
    throw new InputError("RUN_SHAPE", `${where} must be a record, got ${quote(record)}`);
  // JSON writes one of these for them, so that a text without any has none.
  const lost = ["null", "{}", '{"0":'].some((sign) => json.includes(sign)) ? findLost(record) : undefined;
  if (lost !== undefined) throw new InputError("RUN_SHAPE", `${where} cannot be written as JSON: ${lost}`);
  return json;
}

/** Where the first value stands that JSON cannot hold, and what it is. */
function findLost(record: unknown): string | undefined {
  const pending: { value: unknown; path: string }[] = [{ value: record, path: "" }];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const { value, path } = node;
    if (typeof value === "number" && !Number.isFinite(value))
      return `${quote(path)} is no finite number; use null for what is not known`;
    if (path.endsWith("]") && ["undefined", "function", "symbol"].includes(typeof value))
      return `${quote(path)} is ${typeof value}; use null for what is not known`;
    if (isEmptiedByJson(value)) {
      const kind = kindOfObject(value);
      const what = kind === "Object" ? "an object with nothing of its own" : `a ${kind}`;
      return `${quote(path)} is ${what}; use a plain object or a list`;
    }
    if (typeof value === "object" && value !== null && !("toJSON" in value))
      for (const [key, member] of Object.entries(value))
        pending.push({ value: member, path: configPath(path, key, Array.isArray(value)) });
  }
  return undefined;
}

/** Whether JSON has nothing of an object, such as a map or an error, or no list where it is one. */
function isEmptiedByJson(value: unknown): value is object {
  if (typeof value !== "object" || value === null || "toJSON" in value) return false;
  if (ArrayBuffer.isView(value)) return true;
  return !(KEPT_OBJECTS.has(kindOfObject(value)) && isPlain(value)) && Object.keys(value).length === 0;
}

/** Whether it is of no class of its own, whose getters JSON would pass over; of any realm. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return kindOfObject(value) !== "Object" || prototype === null || Object.getPrototypeOf(prototype) === null;
}

const KEPT_OBJECTS = new Set(["Object", "Array", "Number", "Boolean", "String"]);

/**
 * The parts of a chunk that a store keeps: its place, not its text. Without a path of its own a document's id
 * is its path.
 */
export function chunkPlaceOf({
  chunk_id,
  doc_id,
  doc_path,
  source_spans,
  chunker_version,
}: ChunkRecord): ChunkRecord & { doc_path: string } {
  return {
    chunk_id,
    doc_id,
    doc_path: doc_path ?? doc_id,
    source_spans: source_spans ?? [],
    ...(chunker_version == null ? {} : { chunker_version }),
  };
}
