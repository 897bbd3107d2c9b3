import { configDiff } from "../compare/index.js";
import { AdapterError, InputError, shown } from "../errors.js";
import { checkedGoldenQueries, type Golden } from "../golden-set.js";
import { answerSchema, searchHitSchema, type Answer, type EvalRun, type GoldenQuery, type QueryResult, type SearchHit } from "../schema/index.js";
import { shapeProblems } from "../shape-problems.js";
import type { EvalStore } from "../storage/index.js";
import { placesToArchive } from "./evidence.js";
import { findStaleIds, staleIdsError } from "./stale-ids.js";

/** What your functions get besides the query's text. */
export interface QueryContext {
  readonly goldenQuery: GoldenQuery;
  /** Aborted when the recording is, or when the query has taken `timeoutMs`. Pass it on to `fetch`. */
  readonly signal: AbortSignal;
}

/** How far a recording is. */
export interface RecordProgress {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
  readonly query_id: string;
}

/** A recording: your system as functions, and what to remember about it. */
export interface RecordOptions {
  readonly golden: Golden;
  readonly runId: string;
  /** Returns the hits of a query, best first; a hit without a `rank` has the one of its place. */
  readonly retrieve: (query: string, context: QueryContext) => Promise<readonly SearchHit[]> | readonly SearchHit[];
  /** Returns the answer, or null where there is none. Called after `retrieve` with its hits. */
  readonly answer?: ((query: string, hits: readonly SearchHit[], context: QueryContext) => Promise<Answer | null> | Answer | null) | undefined;
  /** What a change is made of: chunker, models, prompts. Written as `config_snapshot`; comparisons show what differs. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Where the run is saved, while it goes on and at the end. Without one it is only returned. */
  readonly store?: EvalStore | undefined;
  readonly suite?: string | undefined;
  readonly mode?: string | undefined;
  readonly commitHash?: string | undefined;
  /** Most queries at once. Default 4. */
  readonly concurrency?: number | undefined;
  /** Longest time for one query, in milliseconds; after it the query has failed. No limit by default. */
  readonly timeoutMs?: number | undefined;
  /** Go on with a run of this id that was interrupted; what it has is kept. */
  readonly resume?: boolean | undefined;
  /** With `resume`: ask again for the queries that failed, also when the run was finished. */
  readonly retryFailed?: boolean | undefined;
  /** Record over a run of this id. */
  readonly replace?: boolean | undefined;
  /** Whether expected ids that the store's knowledge base does not have stop the recording (default), or are let be. */
  readonly staleIds?: "error" | "ignore" | undefined;
  /** How many results may be lost when the process is killed. Default 25. */
  readonly checkpointEvery?: number | undefined;
  /** Called after every query. */
  readonly onProgress?: ((progress: RecordProgress) => void) | undefined;
  /** Stops the recording: queries on their way are dropped, what is there is saved. */
  readonly signal?: AbortSignal | undefined;
  /** The time, in milliseconds since 1970; for tests. */
  readonly now?: (() => number) | undefined;
}

const CONCURRENCY = 4;
const CHECKPOINT_EVERY = 25;

/**
 * Runs your system over a golden set and records what it returns: hits, answers, times, and errors as part of the results.
 *
 * An interrupted recording (by `signal`, or a killed process) is saved as far as it came, marked `incomplete`, and goes on with
 * `resume`.
 *
 * @throws InputError `GOLDEN_STALE_IDS`, `STORE_RUN_EXISTS`, `RUN_RESUME` before the first query
 * @throws AdapterError `RUN_INCOMPLETE` when it was aborted; `details.run` has what there is
 */
export async function recordRun(options: RecordOptions): Promise<EvalRun> {
  const { golden, runId, store, config, concurrency = CONCURRENCY, signal } = options;
  if (!Number.isSafeInteger(concurrency) || concurrency < 1) throw new InputError("ARGUMENT", `concurrency must be a whole number from 1, got ${shown(concurrency)}`);
  const queries = checkedGoldenQueries(golden);
  const now = options.now ?? Date.now;
  const earlier = await earlierRun(options);
  const kept = (earlier?.results ?? []).filter(({ error }) => options.retryFailed !== true || error == null);
  if (earlier !== null && earlier.incomplete !== true && kept.length === earlier.results.length) return earlier;
  if (store !== undefined && options.staleIds !== "ignore") {
    const stale = await findStaleIds(store, golden);
    if (stale.length > 0) throw staleIdsError(stale);
  }

  const results = new Map(kept.map((result) => [result.query_id, result]));
  const created_at = earlier?.created_at ?? new Date(now()).toISOString();
  const runSoFar = (incomplete: boolean): EvalRun => ({
    run_id: runId,
    suite: options.suite ?? "golden",
    created_at,
    ...(options.commitHash === undefined ? {} : { commit_hash: options.commitHash }),
    config_snapshot: { ...config },
    results: queries.flatMap(({ id }) => results.get(id) ?? []),
    ...(incomplete ? { incomplete } : {}),
  });
  const save = async (incomplete: boolean): Promise<void> => {
    const run = runSoFar(incomplete);
    await store?.saveRun(run, { replace: true, archive: await placesToArchive(store, run, golden) });
  };

  // Saves follow each other: one that began earlier must not end later, with less in it.
  let saving = Promise.resolve();
  let sinceSave = 0;
  const waiting = queries.filter(({ id }) => !results.has(id));
  const worker = async (): Promise<void> => {
    for (let query = waiting.shift(); query !== undefined && signal?.aborted !== true; query = waiting.shift()) {
      const result = await recordQuery(query, options);
      if (result === null) return;
      results.set(query.id, result);
      const failed = [...results.values()].filter(({ error }) => error != null).length;
      options.onProgress?.({ done: results.size, total: queries.length, failed, query_id: query.id });
      if (++sinceSave >= (options.checkpointEvery ?? CHECKPOINT_EVERY) && waiting.length > 0) {
        sinceSave = 0;
        saving = saving.then(() => save(true));
        await saving;
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(concurrency, waiting.length) }, worker));
  } finally {
    await saving;
  }
  const incomplete = signal?.aborted === true && results.size < queries.length;
  await save(incomplete);
  const run = runSoFar(incomplete);
  if (incomplete) {
    throw new AdapterError("RUN_INCOMPLETE", `run ${shown(runId)} was interrupted after ${results.size} of ${queries.length} queries; record it again with \`resume\` to go on`, { run }, signal?.reason);
  }
  return run;
}

async function earlierRun({ store, runId, resume = false, replace = false, config }: RecordOptions): Promise<EvalRun | null> {
  const earlier = replace ? null : ((await store?.loadRun(runId)) ?? null);
  if (earlier === null) return null;
  if (!resume) throw new InputError("STORE_RUN_EXISTS", `run ${shown(runId)} is in the store already; choose another id, or say \`resume\` or \`replace\``, { runId });
  const differences = configDiff(earlier.config_snapshot, config);
  if (differences.length > 0) {
    throw new InputError("RUN_RESUME", `run ${shown(runId)} was recorded with another configuration (${differences.map(({ path }) => path).join(", ")}), so it cannot go on with this one; choose another id`, { runId, differences });
  }
  return earlier;
}

/** One query's result; null when the recording was aborted before it was there. */
async function recordQuery(query: GoldenQuery, { retrieve, answer, mode, signal, timeoutMs }: RecordOptions): Promise<QueryResult | null> {
  // Not AbortSignal.timeout: its timer lets the process end while a query that never answers is waited for.
  const tooLate = new AbortController();
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => tooLate.abort(new Error("timeout")), timeoutMs);
  const limits = AbortSignal.any([...(signal === undefined ? [] : [signal]), tooLate.signal]);
  const context: QueryContext = { goldenQuery: query, signal: limits };
  let hits: SearchHit[] = [];
  let said: Answer | null = null;
  let error: string | null = null;
  const start = performance.now();
  try {
    hits = ranked(await orAborted(async () => retrieve(query.query, context), limits));
    if (answer !== undefined) said = checkedAnswer(await orAborted(async () => answer(query.query, hits, context), limits));
  } catch (cause) {
    if (signal?.aborted === true) return null;
    error = tooLate.signal.aborted ? `no result within ${timeoutMs} ms` : messageOf(cause);
  } finally {
    clearTimeout(timer);
  }
  return { query_id: query.id, query: query.query, mode: mode ?? "default", hits_top_k: hits, answer: said, elapsed_ms: milliseconds(performance.now() - start), error };
}

/** A function that does not heed the signal must not keep the recording from stopping. */
function orAborted<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    call()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", abort));
  });
}

function ranked(hits: readonly SearchHit[]): SearchHit[] {
  if (!Array.isArray(hits)) throw new InputError("RUN_SHAPE", `retrieve must return a list of hits, got ${shown(hits)}`);
  return hits.map((hit: SearchHit, index) => {
    const [problem] = shapeProblems(searchHitSchema, hit, { code: "RUN_SHAPE", locate: () => ({ where: "" }) });
    if (problem !== undefined) throw new InputError("RUN_SHAPE", `retrieve returned a hit (number ${index + 1}) whose ${problem.message}`);
    return { ...hit, rank: hit.rank ?? index + 1 };
  });
}

function checkedAnswer(answer: Answer | null): Answer | null {
  const [problem] = answer === null ? [] : shapeProblems(answerSchema, answer, { code: "RUN_SHAPE", locate: () => ({ where: "" }) });
  if (problem !== undefined) throw new InputError("RUN_SHAPE", `answer returned an answer whose ${problem.message}`);
  return answer;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}

/** To the microsecond: further digits of the clock are noise. */
function milliseconds(elapsed: number): number {
  return Math.round(elapsed * 1000) / 1000;
}
