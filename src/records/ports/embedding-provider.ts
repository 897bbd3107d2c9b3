/** What an embedding call gets besides the texts. */
export interface EmbedOptions {
  /** Some models embed questions and passages differently. Default `document`. */
  readonly kind?: "document" | "query" | undefined;
  /** Aborted when nobody waits any more. */
  readonly signal?: AbortSignal | undefined;
  /** Called as vectors come in. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Turns texts into vectors.
 *
 * For those who implement it: called with any number of texts, from none; one vector for each, in their
 * order, all of one length, finite, not necessarily of unit length. A text without anything to embed may have
 * the zero vector: it is found by no query. In a call with nothing but such texts the vectors may have no
 * numbers, as long as nobody knows how many the others will have.
 */
export interface EmbeddingProvider {
  /**
   * What reports and run configurations call it: `hash-128`, `text-embedding-3-small`. Never holds a secret.
   */
  readonly model: string;
  /**
   * What vectors depend on beyond the text; caches keep vectors of different identities apart. Never holds a
   * secret.
   */
  readonly identity: string;
  /** The vectors of texts. An abort rejects with its reason. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<readonly Float32Array[]>;
}
