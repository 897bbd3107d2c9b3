import type { AssessmentOutcome, LabelItem } from "../records/index.js";
import type { LabelStore } from "../storage/index.js";
import type { Cost, Labeler } from "./labeler.js";

/** A query, and the items that want a label for it, in any order. */
export interface LabelTarget {
  readonly query: string;
  readonly items: readonly LabelItem[];
}

/** Where a build ends though it is not done; another one goes on. No limit by default. */
export interface Budget {
  /** Requests to the labeler. */
  readonly calls?: number | undefined;
  /** Tokens of requests and answers. */
  readonly tokens?: number | undefined;
  /** In the currency of the labeler's price. */
  readonly money?: number | undefined;
}

/** Who labels, and how far. */
export interface LabelingOptions {
  readonly labeler: Labeler;
  readonly store: LabelStore;
  /** Whose labels they are. Default `default`. */
  readonly tenant?: string | undefined;
  /** Most items in a request. Default 50. */
  readonly batchSize?: number | undefined;
  /** How often each item is judged, every time in other company and at another place. Default 1. */
  readonly votes?: number | undefined;
  /** Queries that are labelled at once. Default 1. */
  readonly concurrency?: number | undefined;
  /** Of the order of items in batches. Default 1. */
  readonly seed?: number | undefined;
  readonly budget?: Budget | undefined;
  /** Ask again for items that have changed since they were judged. Default false: they are counted. */
  readonly refreshStale?: boolean | undefined;
  /** Ask again for items whose answer could not be used, or that the labeler refused. Default false. */
  readonly retryInvalid?: boolean | undefined;
  /** Ask again for what was judged before this time, in UTC; by default nothing is. */
  readonly since?: string | undefined;
  /** Ask nothing: the summary says what would be asked, and what that takes, about. */
  readonly isDryRun?: boolean | undefined;
  /**
   * Ends the build; what was answered is kept. A request that is on its way is waited for, as it is paid for:
   * a labeler may cut it short by its own `signal`.
   */
  readonly signal?: AbortSignal | undefined;
  /** The time in milliseconds since 1970; for tests. */
  readonly now?: (() => number) | undefined;
  /** Called after each request, and waited for; what it throws ends the build. */
  readonly onProgress?: ((summary: BuildSummary) => unknown) | undefined;
  /** Called with a query that another build is labelling, before it is waited for. */
  readonly onWait?: ((query: string) => void) | undefined;
}

/** What is labelled, by whom, and how far. */
export interface BuildLabelsOptions extends LabelingOptions {
  readonly targets: Iterable<LabelTarget> | AsyncIterable<LabelTarget>;
}

/** What a build did. A pair is a query, an item and a vote. */
export interface BuildSummary {
  readonly queries: number;
  /** Pairs that were wanted. */
  readonly pairs: number;
  /** Those that this rater had answered before. */
  readonly known: number;
  /** Those of `known` whose item has changed since. */
  readonly stale: number;
  /** Those of `known` that have no label: the answer could not be used, or was a refusal. */
  readonly unusable: number;
  /** Requests to the labeler. */
  readonly calls: number;
  /** New answers by what came of them. */
  readonly answers: Readonly<Record<Exclude<AssessmentOutcome, "withdrawn">, number>>;
  /** What was paid. */
  readonly cost: Cost;
  /** Whether some of the cost is an estimate, because the labeler does not tell or nothing was asked. */
  readonly isEstimated: boolean;
  /** Whether every pair was asked for; false where the budget ended it. */
  readonly isDone: boolean;
  /**
   * Whether the labeler became another rater on the way, since its endpoint takes requests in another form
   * now: what it said before does not count, and the next build asks for what is left.
   */
  readonly isOtherRater: boolean;
}

/** What to say of a build that {@link BuildSummary.isOtherRater}. */
export const OTHER_RATER =
  "the labeler's endpoint takes requests in another form now, which makes it another rater: what it said " +
  "before does not count";
