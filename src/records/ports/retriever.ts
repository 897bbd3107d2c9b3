import type { SearchHit } from "../types/index.js";

/** What a search gets besides the words. */
export interface SearchOptions {
  /** The most hits that are wanted, from 1. */
  readonly limit: number;
  /** Id of the query where it has one, for retrievers that look answers up. */
  readonly queryId?: string | undefined;
  /** Aborted when the result is no longer needed. Pass it on to `fetch`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called with what else is known of the answer by searches that know it, also of one that fails or never
   * comes; of several calls the last counts.
   */
  readonly onTrace?: ((trace: SearchTrace) => void) | undefined;
}

/** How an answer came about. */
export interface SearchTrace {
  /** `X-Request-ID` of each request, by which it is found in the log of the service. Default none. */
  readonly request_ids?: readonly string[] | undefined;
  /** What the service says of how it searched. */
  readonly plan?: unknown;
  /** Ids by the name of a stage, best first. */
  readonly channels?: Readonly<Record<string, readonly string[]>> | undefined;
}

/**
 * Anything that finds chunks: an index of this package, your own system, an endpoint, a recorded run.
 *
 * For those who implement it: called once for each query and repeat, never twice at once by a benchmark. Hits
 * come best first, each chunk once, at most `limit`; none for a query that nothing matches. An error is the
 * query's result, not the end of the run.
 */
export interface Retriever {
  /** Hits for a question, best first; none where nothing matches. */
  search(query: string, options: SearchOptions): readonly SearchHit[] | Promise<readonly SearchHit[]>;
}
