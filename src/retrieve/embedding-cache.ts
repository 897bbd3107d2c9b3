/**
 * Where vectors are kept, so that no text is paid for twice.
 *
 * For those who implement it: keys are 64 hexadecimal digits and say nothing of the text. Identities are any
 * text; vectors of different ones must be kept apart. A vector that is there need not be replaced, since a
 * key has the same one always. What is damaged or gone is missing, not an error.
 */
export interface EmbeddingCache {
  /** A vector of its own for each key, in their order; undefined where there is none. */
  get(identity: string, keys: readonly string[]): Promise<readonly (Float32Array | undefined)[]>;
  /** Keeps vectors; called for each batch as it comes in, each key once. */
  set(identity: string, entries: readonly (readonly [key: string, vector: Float32Array])[]): Promise<void>;
}

/** A cache that lasts as long as the program. */
export function memoryEmbeddingCache(): EmbeddingCache {
  const kept = new Map<string, Map<string, Float32Array>>();
  return {
    async get(identity, keys) {
      // Copies: scaling a vector in place must not change the cached one.
      return keys.map((key) => kept.get(identity)?.get(key)?.slice());
    },
    async set(identity, entries) {
      const vectors = kept.get(identity) ?? new Map<string, Float32Array>();
      kept.set(identity, vectors);
      for (const [key, vector] of entries) vectors.set(key, vector.slice());
    },
  };
}
