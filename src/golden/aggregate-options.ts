import type { ChunkRecord, CorpusSnapshot, JudgedUnit, TextMatch } from "../records/index.js";
import type { Metric } from "../metrics/index.js";

/** How a run is scored. Every choice has one default. */
export interface AggregateOptions {
  /** The knowledge base's chunks. Without it citations cannot be checked, and `citation_coverage` is null. */
  readonly corpus?: CorpusSnapshot | undefined;
  /**
   * Places of chunks that the knowledge base may have no longer: for matching by document and span, not for
   * citations.
   */
  readonly archive?: readonly ChunkRecord[] | undefined;
  /** Whether a golden query without a result scores 0 (default) or is left out. */
  readonly missingQueries?: "zero" | "skip" | undefined;
  /** How `must_contain` and `forbidden` are looked for. Default `"caseSensitive"`. */
  readonly textMatch?: TextMatch | undefined;
  /** Whether an expected chunk is found by its id (default), or by its document and place in it. */
  readonly matching?: "exact" | "docSpan" | undefined;
  /** Further metrics, keyed by their printed names in `metrics`. */
  readonly metrics?: readonly Metric[] | undefined;
  /** What the further metrics are about. Default `"chunk"`. */
  readonly unit?: JudgedUnit | undefined;
}

/** Every chunk whose place the caller knows. */
export function listKnownPlaces({ corpus, archive = [] }: AggregateOptions): ChunkRecord[] {
  return [...(corpus?.chunks ?? []), ...archive];
}
