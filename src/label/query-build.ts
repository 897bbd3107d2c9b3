import type { Rater } from "../records/index.js";
import type { Cost } from "./labeler.js";
import type { BatchTrace, StopReason } from "./stop-rule.js";

/** A batch, and how much of it had to be asked for. */
export interface BuiltBatch extends BatchTrace {
  /** Items of it that had a label of this rater before. */
  readonly known: number;
}

/** How many useful items may have been left unlabelled. */
export interface BelowStop {
  /** Items of the order that were not labelled. */
  readonly items: number;
  /** Useful items (grade 1 and above), and valid labels, of the last batches. */
  readonly last_useful: number;
  readonly last_valid: number;
  /**
   * Useful items below the stop, if they are as frequent there as in the last batches; they are rarer where
   * the order is any good. Ends of Wilson's 95 % interval of that share, times the items.
   */
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

/** What a deep rebuild did for one query, as it is written to `query_builds/`. */
export interface QueryBuild {
  readonly schema_version: 1;
  readonly tenant: string;
  /** Normalized. */
  readonly query: string;
  readonly rater: Rater;
  /** Its identity. */
  readonly reranker: string;
  /** Every setting of the rebuild, by its name. */
  readonly settings: Readonly<Record<string, number>>;
  readonly started_at: string;
  readonly ended_at: string;
  /** `X-Request-ID` of each request to the search, where it has one. */
  readonly request_ids: readonly string[];
  /** Hits of the search, repeated ones left out. */
  readonly hits: number;
  /** Ids that were found and about which nothing is known; they are neither reranked nor labelled. */
  readonly unknown_items: readonly string[];
  /** The head of the search, which is labelled first. */
  readonly pool: readonly string[];
  /** Ids in the order in which they are labelled: the pool, then what was reranked. */
  readonly order: readonly string[];
  /** The rerank score of each id of `order`; 1 for those of the pool, which are not reranked. */
  readonly scores: readonly number[];
  /** Items outside the pool with a score above the threshold. */
  readonly high: number;
  readonly batches: readonly BuiltBatch[];
  readonly stop: {
    /** `skipped`: too many items are high, nothing was labelled. `budget`: another build goes on. */
    readonly reason: StopReason | "skipped" | "budget";
    /** Other reasons that held, too. */
    readonly also_true: readonly StopReason[];
    /** Items up to the stop. */
    readonly items: number;
  };
  readonly below_stop: BelowStop;
  /** Requests whose answers are kept, of this and earlier runs of the build. */
  readonly calls: number;
  /** What the kept answers took. */
  readonly cost: Cost;
}
