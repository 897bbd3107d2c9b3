import type { Answer, GivenWarning, Golden, GoldenQuery, SearchHit, SearchTrace } from "../records/index.js";
import type { EvalStore } from "../storage/index.js";

/** What your functions get besides the query's text. */
export interface QueryContext {
  readonly goldenQuery: GoldenQuery;
  /** Hits that are wanted, where that was said. */
  readonly limit?: number | undefined;
  /** Aborted when the recording is, or when the query has taken `timeoutMs`. Pass it on to `fetch`. */
  readonly signal: AbortSignal;
  /** Keeps with the result how it came about; of several calls the last counts. */
  readonly onTrace?: ((trace: SearchTrace) => void) | undefined;
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
  readonly retrieve: (
    query: string,
    context: QueryContext,
  ) => Promise<readonly SearchHit[]> | readonly SearchHit[];
  /** Returns the answer, or null where there is none. Called after `retrieve` with its hits. */
  readonly answer?:
    | ((
        query: string,
        hits: readonly SearchHit[],
        context: QueryContext,
      ) => Promise<Answer | null> | Answer | null)
    | undefined;
  /**
   * What a change is made of: chunker, models, prompts. Written as `config_snapshot`, secrets redacted;
   * comparisons show what differs.
   */
  readonly config: Readonly<Record<string, unknown>>;
  /** Where the run is saved, while it goes on and at the end. Without one it is only returned. */
  readonly store?: EvalStore | undefined;
  /** What the run belongs to: `rankproof run` compares with earlier ones of the same. Default `golden`. */
  readonly suite?: string | undefined;
  /** How it was searched, such as `hybrid`; kept with each result. Default `default`. */
  readonly mode?: string | undefined;
  /** The commit of what is measured. */
  readonly commitHash?: string | undefined;
  /** Most queries at once. Default 4. */
  readonly concurrency?: number | undefined;
  /** Longest time for one query, in milliseconds; after it the query has failed. No limit by default. */
  readonly timeoutMs?: number | undefined;
  /**
   * Stop when so many queries have been asked, or all where there are fewer, and all have failed alike: then
   * it is not a query that is wrong. Those that are on their way are waited for, so that up to `concurrency`
   * less one more are asked. Default 5; `Infinity` never stops.
   */
  readonly stopAfterFailures?: number | undefined;
  /** Go on with a run of this id that was interrupted; what it has is kept. */
  readonly resume?: boolean | undefined;
  /** With `resume`: ask again for the queries that failed, also when the run was finished. */
  readonly retryFailed?: boolean | undefined;
  /** Record over a run of this id. */
  readonly replace?: boolean | undefined;
  /**
   * A gate is held against the run: it is saved as one that waits for it (`gate_pending`), until it is saved
   * without. Whoever is killed in between has recorded no baseline.
   */
  readonly awaitsGate?: boolean | undefined;
  /**
   * Whether expected ids that the store's knowledge base does not have stop the recording (default), or are
   * let be.
   */
  readonly staleIds?: "error" | "ignore" | undefined;
  /**
   * Save the first result, then every so many (default 25), of slow systems every 30 s, and less often when
   * saving takes more than a tenth of the time. Queries on their way are waited for, for 1 s at most.
   */
  readonly checkpointEvery?: number | undefined;
  /** Told of what may not be as it was meant, such as secrets in `config`. Default: a line on the console. */
  readonly onWarning?: ((warning: GivenWarning) => void) | undefined;
  /** Called after every query, and waited for; what it throws interrupts the recording. */
  readonly onProgress?: ((progress: RecordProgress) => unknown) | undefined;
  /** Stops the recording: queries on their way are dropped, what is there is saved. */
  readonly signal?: AbortSignal | undefined;
  /** The time, in milliseconds since 1970; for tests. */
  readonly now?: (() => number) | undefined;
}
