import { createYielder, linkController, LONGEST_WAIT_MS, sleep, tell } from "../foundation/async/index.js";
import { AdapterError, isRankproofError, quoteWithin } from "../foundation/errors/index.js";
import type { EvalRun, GoldenQuery, QueryResult } from "../records/index.js";
import { placesToArchive } from "./evidence.js";
import type { RecordOptions } from "./record-options.js";
import { recordQuery, warmUpChecks } from "./record-query.js";

export const CONCURRENCY = 4;
export const CHECKPOINT_EVERY = 25;
/** Slow answers are dear. */
const LONGEST_UNSAVED_MS = 30_000;
/** How long a store that could be written before and cannot be reached now has, from try to try. */
const SAVE_AGAIN_MS = [1000, 5000, 15_000];
/** How long a save waits for queries that are on their way. */
const LONGEST_DRAIN_MS = 1000;
export const STOP_AFTER_FAILURES = 5;
const LONGEST_MESSAGE = 300;
/**
 * Saving may take this share of the time at most: a store that rewrites a growing file would take ever more
 * of it.
 */
const SAVING_SHARE = 0.1;

/** A recording on its way: what is asked for, what has come back, and when it was saved. */
export class Recording {
  readonly #queries: readonly GoldenQuery[];
  readonly #earlier: EvalRun | null;
  readonly #options: RecordOptions;
  readonly #results: Map<string, QueryResult>;
  readonly #createdAt: string;
  readonly waiting: readonly GoldenQuery[];
  #failed: number;
  /** The message that every query has failed with so far; null once one was answered, or failed otherwise. */
  #sameFailure: string | null | undefined;
  #lastFailure: string | null | undefined;
  /** What was thrown then: it knows where. */
  #lastCause: unknown;
  #asked = 0;
  /** Whether what the store has of this id is of this recording, and not of another one at the same time. */
  #isSaved: boolean;
  #sinceSave = 0;
  #onTheirWay = 0;
  #whenAllAreBack: (() => void) | undefined;
  /** Those who wait for any query to come back. */
  readonly #awaiting: (() => void)[] = [];
  #saving: Promise<void> | undefined;
  #savedAt = performance.now();
  #saveTook = 0;
  readonly #pause = createYielder();

  constructor(queries: readonly GoldenQuery[], earlier: EvalRun | null, options: RecordOptions) {
    this.#queries = queries;
    this.#earlier = earlier;
    this.#isSaved = earlier !== null;
    this.#options = options;
    this.#createdAt = earlier?.created_at ?? new Date((options.now ?? Date.now)()).toISOString();
    const texts = new Map(queries.map(({ id, query }) => [id, query]));
    // A query whose wording has changed since is another query; results outside the golden set are
    // kept.
    const isKept = ({ query_id, query, error }: QueryResult): boolean =>
      (query ?? texts.get(query_id)) === texts.get(query_id) &&
      (options.retryFailed !== true || error == null);
    const kept = (earlier?.results ?? []).filter((result) => !texts.has(result.query_id) || isKept(result));
    this.#results = new Map(kept.map((result) => [result.query_id, result]));
    this.#failed = kept.filter(({ query_id, error }) => texts.has(query_id) && error != null).length;
    this.waiting = queries.filter(({ id }) => !this.#results.has(id));
    // Queries that failed before and are asked again may well fail alike.
    if (options.retryFailed === true) this.#sameFailure = null;
  }

  /** Whether nothing but one failure, again and again, has come of it, so that there is nothing to save. */
  get isFailing(): boolean {
    return typeof this.#sameFailure === "string" && this.#stopAfter !== Infinity;
  }

  get #stopAfter(): number {
    return this.#options.stopAfterFailures ?? STOP_AFTER_FAILURES;
  }

  /** How many golden queries had a result before anything was asked. */
  get kept(): number {
    return this.#queries.length - this.waiting.length;
  }

  /** A query with hits of the earlier recording; undefined for none. */
  get sample(): { readonly query: GoldenQuery; readonly result: QueryResult } | undefined {
    for (const query of this.#queries) {
      const result = this.#results.get(query.id);
      if (result !== undefined && result.error == null && result.hits_top_k.length > 0)
        return { query, result };
    }
    return undefined;
  }

  /** How many golden queries have a result. */
  get done(): number {
    return this.kept + this.#asked;
  }

  run(): EvalRun {
    const { runId, suite, commitHash, config, awaitsGate } = this.#options;
    const golden = new Set(this.#queries.map(({ id }) => id));
    const commit = commitHash ?? this.#earlier?.commit_hash;
    const earlier = Object.entries(this.#earlier ?? {}).filter(([key]) => !OF_ONE_RECORDING.has(key));
    return {
      ...Object.fromEntries(earlier),
      run_id: runId,
      suite: suite ?? this.#earlier?.suite ?? "golden",
      created_at: this.#createdAt,
      ...(commit == null ? {} : { commit_hash: commit }),
      config_snapshot: config,
      results: [
        ...this.#queries.flatMap(({ id }) => this.#results.get(id) ?? []),
        ...[...this.#results.values()].filter(({ query_id }) => !golden.has(query_id)),
      ],
      // What a gate has said of it before is taken back by a gate alone.
      ...(this.done < this.#queries.length
        ? { incomplete: true }
        : awaitsGate === true && { gate_pending: true }),
    };
  }

  /** @param isPatient whether it waits for a store that was there before. */
  async save({ isPatient = true } = {}): Promise<void> {
    const { store, golden, replace = false } = this.#options;
    // A run that nothing has come of yet would stand in lists as if it were one.
    if (store === undefined || (this.#results.size === 0 && this.#queries.length > 0)) return;
    const run = this.run();
    const counted = this.#sinceSave;
    let start = 0;
    await saveAgain(isPatient && this.#isSaved ? SAVE_AGAIN_MS : [], this.#options.signal, async () => {
      // What was waited for before says nothing of how long a save takes.
      start = performance.now();
      const archive = await placesToArchive(store, run, golden);
      await store.saveRun(run, { replace: replace || this.#isSaved, archive });
    });
    this.#isSaved = true;
    this.#sinceSave -= counted;
    this.#savedAt = performance.now();
    this.#saveTook = this.#savedAt - start;
  }

  /** Asks for every waiting query, several at once; the first error that is not a query's own stops all. */
  async work(): Promise<void> {
    const { signal, concurrency = CONCURRENCY } = this.#options;
    warmUpChecks();
    // A promise that never settles and keeps nothing alive must not end the process in silence.
    const alive = setInterval(() => undefined, LONGEST_WAIT_MS);
    try {
      await this.#workOn(concurrency, signal);
    } finally {
      clearInterval(alive);
    }
  }

  async #workOn(concurrency: number, signal: AbortSignal | undefined): Promise<void> {
    const stop = new AbortController();
    const { controller: ended, letGo } = linkController(signal, stop.signal);
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < this.waiting.length && !stop.signal.aborted && signal?.aborted !== true) {
        if (this.#isHopeless()) {
          // What is on its way has its chance; if one is answered, all go on.
          if (this.#onTheirWay === 0) return;
          await new Promise<void>((resolve) => this.#awaiting.push(resolve));
          continue;
        }
        const saving = this.#saveWhenDue();
        if (saving !== undefined) {
          await saving;
          continue;
        }
        const query = this.waiting[next++] as GoldenQuery;
        this.#onTheirWay++;
        try {
          const result = await recordQuery(query, this.#options, stop.signal, (cause) => {
            this.#lastCause = cause;
          });
          if (result === null) return;
          this.#take(result);
        } finally {
          if (--this.#onTheirWay === 0) this.#whenAllAreBack?.();
          for (const goOn of this.#awaiting.splice(0)) goOn();
        }
        // At once: of several at a time each has a count of its own.
        const progress = {
          done: this.done,
          total: this.#queries.length,
          failed: this.#failed,
          query_id: query.id,
        };
        await tell(() => this.#options.onProgress?.(progress), ended.signal).catch((error: unknown) => {
          if (signal?.aborted !== true) throw error;
        });
        await this.#pause();
      }
    };
    await Promise.all(
      Array.from({ length: Math.min(concurrency, this.waiting.length) }, async () => {
        try {
          await worker();
        } catch (error) {
          stop.abort(error);
        }
      }),
    );
    letGo();
    if (stop.signal.aborted) throw stop.signal.reason;
    // Those that were on their way have had their chance.
    if (this.#isHopeless()) throw this.#hopeless();
  }

  /** A save, when it is time to, before anything more is asked; one at a time, which all wait for. */
  #saveWhenDue(): Promise<void> | undefined {
    if (this.#isSaveDue()) this.#saving ??= this.#saveUndisturbed().finally(() => (this.#saving = undefined));
    return this.#saving;
  }

  /**
   * Saves when no query is on its way, since a save would be part of the time that it took; but a system that
   * answers several at once may keep some until it is asked for more.
   */
  async #saveUndisturbed(): Promise<void> {
    if (this.#onTheirWay > 0)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LONGEST_DRAIN_MS);
        this.#whenAllAreBack = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    await this.save();
  }

  #take(result: QueryResult): void {
    const { error } = result;
    this.#results.set(result.query_id, result);
    this.#asked++;
    this.#sinceSave++;
    if (error != null) this.#failed++;
    const alike = error == null ? null : withoutDetails(error, result);
    if (this.#sameFailure === undefined) this.#sameFailure = alike;
    else if (this.#sameFailure !== alike) this.#sameFailure = null;
    this.#lastFailure = error;
  }

  /** Whether enough queries were asked to say that it is not a query that is wrong. */
  #isHopeless(): boolean {
    return this.isFailing && this.#asked >= Math.min(this.#stopAfter, this.#queries.length);
  }

  #hopeless(): AdapterError {
    return new AdapterError(
      "RUN_FAILING",
      `the first ${this.#asked === 1 ? "query" : `${this.#asked} queries all`} failed with ` +
        `${quoteWithin(LONGEST_MESSAGE, this.#lastFailure)}; nothing was recorded, fix that and record ` +
        "again (`stopAfterFailures`, --stop-after-failures, says after how many)",
      { error: this.#lastFailure },
      this.#lastCause,
    );
  }

  #isSaveDue(): boolean {
    return (
      this.#options.store !== undefined &&
      this.#sinceSave > 0 &&
      // What the first query was answered makes it a run that another call can go on with.
      (!this.#isSaved ||
        this.#sinceSave >= (this.#options.checkpointEvery ?? CHECKPOINT_EVERY) ||
        performance.now() - this.#savedAt >= LONGEST_UNSAVED_MS) &&
      !this.isFailing &&
      this.#mayTakeTime()
    );
  }

  #mayTakeTime(): boolean {
    return this.#saveTook <= SAVING_SHARE * (performance.now() - this.#savedAt);
  }
}

/** What is said of a recording that another one goes on with, and is not true of that one. */
const OF_ONE_RECORDING = new Set(["incomplete"]);

/** SQLSTATE of what no waiting fixes, such as a missing right; a connection comes back. */
const REFUSED = /^(?!08|57P0[123]|53300)\d[0-9A-Z]{4}$/;

/** A database that starts again takes a while: what was answered waits for it, and nothing more is asked. */
async function saveAgain(
  pauses: readonly number[],
  signal: AbortSignal | undefined,
  save: () => Promise<void>,
): Promise<void> {
  for (const pause of pauses)
    try {
      return await save();
    } catch (error) {
      const isPassing = isRankproofError(error) && error.code === "STORE_DATABASE";
      if (!isPassing || REFUSED.test(String(error.details["code"]))) throw error;
      await sleep(pause, signal).catch(() => {
        throw error;
      });
    }
  return save();
}

/** What messages have in common that differ by a port, a time, an id, or by the query that they repeat. */
function withoutDetails(message: string, { query_id, query }: QueryResult): string {
  const own = query?.includes(" ") === true ? message.replaceAll(query, "0") : message;
  // Shorter ones may be words of the message.
  return own.replace(/[\p{L}\p{N}_-]+/gu, (word) =>
    /\d/.test(word) || (word.length > 3 && (word === query_id || word === query)) ? "0" : word,
  );
}
