/** What an embedding call gets besides the texts. */
export interface EmbedOptions {
  /** Some models embed questions and passages differently. Default `document`. */
  readonly kind?: "document" | "query" | undefined;
  /** Aborted when the result is no longer needed. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Told of vectors as they come in, with the places of their texts: what was paid for is kept then, also
   * where the call fails later. They are copied before it returns. A provider that asks for all at once need
   * not call it.
   */
  readonly onVectors?: ((vectors: readonly Float32Array[], places: readonly number[]) => void) | undefined;
  /** Called as vectors come in. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Turns texts into vectors.
 *
 * For those who implement it: called with any number of texts, from none; one vector for each, in their
 * order, all of one length, finite, not necessarily of unit length. A text without anything to embed may have
 * the zero vector: it is found by no query. In a call with nothing but such texts the vectors may have no
 * numbers, as long as their length is unknown.
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

/** How a provider is reached and used; what does not concern it, it ignores. */
export interface EmbeddingProviderSettings {
  /** For example `process.env`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Most texts in a request. */
  readonly batchSize?: number | undefined;
  readonly requestsPerMinute?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
  /** Told, before a request is sent again, why and when; for progress. */
  readonly onRetry?: ((message: string) => void) | undefined;
}

/** A provider that goes by a name, with what a command line or a form says of it. */
export interface EmbeddingProviderCard {
  readonly name: string;
  /** What it needs and where it works, in a few words. */
  readonly about: string;
  /**
   * How it asks a service, so that its vectors cost time and money and are worth keeping; left out where it
   * asks none.
   */
  readonly requests?: {
    /** Most texts in a request, where the settings do not say it. */
    readonly texts: number;
    readonly atOnce: number;
  };
  /** @throws InputError `EMBEDDING_CONFIG` when something that it needs is not set. */
  open(settings: EmbeddingProviderSettings): EmbeddingProvider;
}
