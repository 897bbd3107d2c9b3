import type { BenchTier, Retriever, Warning } from "../records/index.js";

/** A mode of a benchmark: any retriever, and what is said of it. */
export interface BenchSystem {
  /**
   * `fts_only`, `embedding_only` and `hybrid` are what the decision is about; in the live tier with `@live`
   * behind. Other names only take part.
   */
  readonly mode: string;
  readonly retriever: Retriever;
  /** Default `offline`. */
  readonly tier?: BenchTier | undefined;
  /** What it consists of, in words, without secrets. */
  readonly description?: string | undefined;
  readonly embeddingModel?: string | undefined;
  /** How it fuses its channels, by the method's printed name: `rrf(k=60)`. */
  readonly fusion?: string | undefined;
  /** Answers come from a record, so that no time of its own can be measured. */
  readonly isRecorded?: boolean | undefined;
  /** What a reader of its numbers must know. */
  readonly warnings?: readonly Warning[] | undefined;
  /** The modes that it is fused of, for the diagnosis of what fusion lost. */
  readonly channels?: readonly string[] | undefined;
}

/** What everything else is held against. */
export const BASELINE = "fts_only";

/** The hybrid whose weights are tuned: decided is by it where it is there. */
export const TUNED = "hybrid_tuned";
