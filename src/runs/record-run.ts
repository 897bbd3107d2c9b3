import { countOf, formatCount } from "../foundation/numbers/index.js";
import {
  checkGoldenQueries,
  type EvalRun,
  type GivenWarning,
  type GoldenQuery,
  type QueryResult,
} from "../records/index.js";
import { configDiff } from "../compare/index.js";
import { AdapterError, InputError, messageOf, quote, quoteWithin } from "../foundation/errors/index.js";
import { parseJson, REDACTED, redactSecrets, type RedactedConfig } from "../foundation/text/index.js";
import { createYielder, LONGEST_WAIT_MS } from "../foundation/async/index.js";
import { knownOptions, wholeNumber } from "../foundation/checks/index.js";
import { checkRun } from "../storage/index.js";
import { placesToArchive } from "./evidence.js";
import type { RecordOptions } from "./record-options.js";
import { recordQuery, warmUpChecks } from "./record-query.js";
import { findStaleIds, staleIdsError } from "./stale-ids.js";

const OPTIONS: readonly (keyof RecordOptions)[] = [
  ...(["golden", "runId", "retrieve", "answer", "config", "store", "suite", "mode", "commitHash"] as const),
  ...(["concurrency", "timeoutMs", "stopAfterFailures", "resume", "retryFailed", "replace"] as const),
  ...(["staleIds", "checkpointEvery", "onWarning", "onProgress", "signal", "now"] as const),
];
const CONCURRENCY = 4;
const CHECKPOINT_EVERY = 25;
/** Slow answers are dear. */
const LONGEST_UNSAVED_MS = 30_000;
/** How long a save waits for queries that are on their way. */
const LONGEST_DRAIN_MS = 1000;
const STOP_AFTER_FAILURES = 5;
const LONGEST_MESSAGE = 300;
/**
 * Saving may take this share of the time at most: a store that rewrites a growing file would take ever more
 * of it.
 */
const SAVING_SHARE = 0.1;

/**
 * Runs your system over a golden set and records what it returns: hits, answers, times, and errors as part of
 * the results.
 *
 * An interrupted recording (by `signal`, by an error of the store or of `onProgress`, or a killed process) is
 * saved as far as it came, marked `incomplete`, and goes on with `resume`.
 *
 * @throws InputError `GOLDEN_STALE_IDS`, `STORE_RUN_EXISTS`, `RUN_RESUME`, `ARGUMENT` before the first query
 * @throws AdapterError `RUN_INCOMPLETE` when it was aborted; `details.run` has what there is. `RUN_FAILING`
 * when the first queries all fail alike; nothing is saved of them
 */
export async function recordRun(given: RecordOptions): Promise<EvalRun> {
  checkGiven(given);
  knownOptions(given, OPTIONS);
  checkOptions(given);
  warnOfSecrets(given);
  // As it is now: whoever records several settings may change one object from call to call.
  const options = { ...given, config: redactConfig(given.config).config };
  const { golden, store, signal } = options;
  const queries = checkGoldenQueries(golden);
  const earlier = await earlierRun(options);
  const recording = new Recording(queries, earlier, options);
  // What no store takes is said before anything is asked.
  checkRun(recording.run());
  if (earlier !== null && recording.waiting.length === 0 && earlier.incomplete !== true) return earlier;
  if (store !== undefined && options.staleIds !== "ignore") {
    const stale = await findStaleIds(store, golden);
    if (stale.length > 0) throw staleIdsError(stale);
  }
  try {
    await recording.work();
  } catch (error) {
    // Best effort: when the store itself failed, the first error is the one to tell.
    if (!recording.isFailing) await recording.save().catch(() => undefined);
    throw error;
  }
  await recording.save();
  const run = recording.run();
  if (run.incomplete === true) {
    throw new AdapterError(
      "RUN_INCOMPLETE",
      `run ${quote(run.run_id)} was interrupted after ${formatCount(recording.done)} of ` +
        `${countOf(queries.length, "query")}; record it again with \`resume\` (--resume) to go on`,
      { run },
      signal?.reason,
    );
  }
  return run;
}

/** The configuration as it will be read back: without functions and secrets, dates as text. */
function redactConfig(config: RecordOptions["config"]): RedactedConfig {
  return redactSecrets(parseJson(JSON.stringify(config, asPlain)) as Record<string, unknown>);
}

/** JSON has `{}` for any map or set, so that two configurations would seem to be one. */
function asPlain(_key: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  return value instanceof Set ? [...(value as ReadonlySet<unknown>)] : value;
}

// eslint-disable-next-line no-console -- a recording must not silently differ from what was asked
const tellConsole = ({ message }: GivenWarning): void => console.warn(`rankproof: ${message}`);

function warnOfSecrets({ config, onWarning = tellConsole }: RecordOptions): void {
  const { paths } = redactConfig(config);
  if (paths.length === 0) return;
  const what = paths.length === 1 ? "looks like a secret and is" : "look like secrets and are";
  onWarning({
    code: "SECRETS_REDACTED",
    message:
      `config: ${paths.map(quote).join(", ")} ${what} recorded as \`${REDACTED}\`; leave secrets out ` +
      "of `config`, it is for what a change is made of",
    count: paths.length,
  });
}

/** What nothing works without, for code without types. @throws InputError `ARGUMENT` */
function checkGiven(options: unknown): void {
  const given = (typeof options === "object" ? options : null) as Readonly<Record<string, unknown>> | null;
  const needed: readonly (readonly [name: string, isRight: boolean, what: string])[] = [
    ["golden", typeof given?.["golden"] === "object", "a golden set, as `readGolden` reads it"],
    ["runId", typeof given?.["runId"] === "string" && given["runId"] !== "", "the id of the run"],
    ["retrieve", typeof given?.["retrieve"] === "function", "a function that returns the hits of a query"],
    [
      "config",
      typeof given?.["config"] === "object" && given["config"] !== null && !Array.isArray(given["config"]),
      "what a change is made of, or `{}`",
    ],
  ];
  const missing = needed.find(([, isRight]) => !isRight);
  if (missing === undefined) return;
  const [name, , what] = missing;
  throw new InputError("ARGUMENT", `recordRun needs \`${name}\`: ${what}; got ${quote(given?.[name])}`);
}

function checkOptions({
  concurrency = CONCURRENCY,
  checkpointEvery = CHECKPOINT_EVERY,
  stopAfterFailures = STOP_AFTER_FAILURES,
  timeoutMs,
  config,
  staleIds = "error",
  ...texts
}: RecordOptions): void {
  for (const name of ["suite", "mode", "commitHash"] as const)
    if (texts[name] !== undefined && typeof texts[name] !== "string")
      throw new InputError("ARGUMENT", `${name} must be a text, got ${quote(texts[name])}`);
  if (!["error", "ignore"].includes(staleIds))
    throw new InputError("ARGUMENT", `staleIds must be \`error\` or \`ignore\`, got ${quote(staleIds)}`);
  wholeNumber("checkpointEvery", checkpointEvery);
  wholeNumber("concurrency", concurrency);
  if (stopAfterFailures !== Infinity) wholeNumber("stopAfterFailures", stopAfterFailures);
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs <= LONGEST_WAIT_MS)) {
    throw new InputError(
      "ARGUMENT",
      `timeoutMs must be a number above 0 and up to ${LONGEST_WAIT_MS}, got ` +
        `${quote(String(timeoutMs))}; leave it out for no limit`,
    );
  }
  try {
    redactConfig(config);
  } catch (cause) {
    throw new InputError("ARGUMENT", `config cannot be written as JSON: ${messageOf(cause)}`, {}, cause);
  }
}

/** A recording on its way: what is asked for, what has come back, and when it was saved. */
class Recording {
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

  /** How many golden queries have a result. */
  get done(): number {
    return this.#queries.length - this.waiting.length + this.#asked;
  }

  run(): EvalRun {
    const { runId, suite, commitHash, config } = this.#options;
    const golden = new Set(this.#queries.map(({ id }) => id));
    const commit = commitHash ?? this.#earlier?.commit_hash;
    const { incomplete: _, ...earlier } = this.#earlier ?? {};
    return {
      ...earlier,
      run_id: runId,
      suite: suite ?? this.#earlier?.suite ?? "golden",
      created_at: this.#createdAt,
      ...(commit == null ? {} : { commit_hash: commit }),
      config_snapshot: redactConfig(config).config,
      results: [
        ...this.#queries.flatMap(({ id }) => this.#results.get(id) ?? []),
        ...[...this.#results.values()].filter(({ query_id }) => !golden.has(query_id)),
      ],
      ...(this.done < this.#queries.length ? { incomplete: true } : {}),
    };
  }

  async save(): Promise<void> {
    const { store, golden, replace = false } = this.#options;
    // A run that nothing has come of yet would stand in lists as if it were one.
    if (store === undefined || (this.#results.size === 0 && this.#queries.length > 0)) return;
    const start = performance.now();
    const run = this.run();
    const counted = this.#sinceSave;
    const archive = await placesToArchive(store, run, golden);
    await store.saveRun(run, { replace: replace || this.#isSaved, archive });
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
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < this.waiting.length && !stop.signal.aborted && signal?.aborted !== true) {
        if (this.#isHopeless()) return;
        const saving = this.#saveWhenDue();
        if (saving !== undefined) {
          await saving;
          continue;
        }
        const query = this.waiting[next++] as GoldenQuery;
        this.#onTheirWay++;
        const result = await recordQuery(query, this.#options, stop.signal, (cause) => {
          this.#lastCause = cause;
        });
        if (--this.#onTheirWay === 0) this.#whenAllAreBack?.();
        if (result === null) return;
        this.#take(result);
        // At once: of several at a time each has a count of its own.
        this.#options.onProgress?.({
          done: this.done,
          total: this.#queries.length,
          failed: this.#failed,
          query_id: query.id,
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
    const alike = error == null ? null : withoutNumbers(error);
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
        `${quoteWithin(LONGEST_MESSAGE, this.#lastFailure)}; nothing was recorded, mend that and record ` +
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

async function earlierRun({
  store,
  runId,
  resume = false,
  replace = false,
  config,
}: RecordOptions): Promise<EvalRun | null> {
  const earlier = replace ? null : ((await store?.loadRun(runId)) ?? null);
  if (earlier === null) return null;
  if (!resume)
    throw new InputError(
      "STORE_RUN_EXISTS",
      `run ${quote(runId)} is in the store already; choose another id, or say \`resume\` or ` +
        "`replace` (--resume, --replace)",
      { runId },
    );
  const differences = configDiff(redactSecrets(earlier.config_snapshot).config, redactConfig(config).config);
  if (differences.length > 0) {
    throw new InputError(
      "RUN_RESUME",
      `run ${quote(runId)} was recorded with another configuration ` +
        `(${differences.map(({ path }) => path).join(", ")}), so it cannot go on with this one; ` +
        "choose another id",
      { runId, differences },
    );
  }
  return earlier;
}

/** What messages that differ by a port, a time or an id have in common. */
function withoutNumbers(message: string): string {
  return message.replace(/\d+/g, "0");
}
