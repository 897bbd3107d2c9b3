/** A document as rerankers see it. */
export interface RerankDocument {
  readonly id: string;
  readonly text: string;
}

/** What a reranking gets besides question and documents. */
export interface RerankOptions {
  /** Aborted when the result is no longer needed. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Scores documents for a question, each by itself.
 *
 * For those who implement it: called with any number of documents, from none; one finite number for each, in
 * their order, the higher the better. Scores from 0 to 1 fit the thresholds of a deep rebuild.
 */
export interface Reranker {
  /**
   * What scores depend on beyond question and text: address, model, version. Scores of different identities
   * are kept apart. Never holds a secret.
   */
  readonly identity: string;
  /** The scores. An abort rejects with its reason. */
  score(
    query: string,
    documents: readonly RerankDocument[],
    options?: RerankOptions,
  ): readonly number[] | Promise<readonly number[]>;
}
