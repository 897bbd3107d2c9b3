import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { AdapterError, InputError, quote } from "../foundation/errors/index.js";
import type { EmbeddingCache } from "./embedding-cache.js";
import { CheckedVectors, type EmbeddingProvider } from "../records/index.js";
import { checkKnownOptions, wholeNumber } from "../foundation/checks/index.js";

/** How a cached provider works. */
export interface CachedEmbedderOptions {
  /**
   * Texts that the provider is asked for at once; their vectors are kept before it is asked for more, and as
   * they come in where it tells of them. Default 256.
   */
  readonly saveEvery?: number | undefined;
}

const SAVE_EVERY = 256;

/**
 * A provider that remembers: the one underneath is asked only for texts that the cache does not have, each
 * distinct text once, and what comes in is kept at once, so that an interrupted job goes on where it was.
 *
 * Vectors are found by a hash of the provider's `identity`, the kind and the text. Progress counts distinct
 * texts whose vectors are kept.
 *
 * @throws InputError `ARGUMENT`, for a provider without `identity`, too
 * @throws AdapterError when embedding: `EMBEDDING_ANSWER` for what are no vectors of the texts, and for
 * vectors of another length than the kept ones; and whatever provider and cache throw.
 */
export function cachedEmbedder(
  provider: EmbeddingProvider,
  cache: EmbeddingCache,
  options: CachedEmbedderOptions = {},
): EmbeddingProvider {
  const { saveEvery = SAVE_EVERY } = checkKnownOptions(options, ["saveEvery"]);
  wholeNumber("saveEvery", saveEvery);
  const { model, identity } = provider;
  if (typeof identity !== "string" || identity === "")
    throw new InputError(
      "ARGUMENT",
      "a provider that is cached needs an `identity`, a text that is another one wherever its vectors are, " +
        `got ${quote(identity)}`,
    );
  return {
    model,
    identity,
    async embed(texts, { kind = "document", signal, onProgress } = {}) {
      signal?.throwIfAborted();
      const keys = texts.map((text) => cacheKey(identity, kind, text));
      const textOf = new Map(keys.map((key, index) => [key, texts[index] as string]));
      const vectors = await readKeptVectors(cache, identity, [...textOf.keys()]);
      let dimensions = commonLength([...vectors.values()], 0, model);
      const missing = [...textOf].filter(([key]) => !vectors.has(key));
      if (vectors.size > 0) onProgress?.(vectors.size, textOf.size);
      for (let start = 0; start < missing.length; start += saveEvery) {
        signal?.throwIfAborted();
        const portion = missing.slice(start, start + saveEvery);
        const asked = portion.map(([, text]) => text);
        const keep = async (answer: unknown, places: readonly number[]): Promise<void> => {
          const embedded = new CheckedVectors(model).from(
            answer,
            (places as ArrayLike<number> | undefined)?.length ?? 0,
            (at) => asked[places[at] as number]?.trim() === "",
          );
          dimensions = commonLength(embedded, dimensions, model);
          const fresh = embedded.flatMap((vector, at): [string, Float32Array][] => {
            const key = portion[places[at] as number]?.[0];
            return key === undefined || vectors.has(key) ? [] : [[key, vector]];
          });
          if (fresh.length === 0) return;
          // A vector without numbers is a zero vector whose length the provider did not know yet.
          await cache.set(
            identity,
            fresh.filter(([, vector]) => vector.length > 0),
          );
          for (const [key, vector] of fresh) vectors.set(key, vector);
          onProgress?.(vectors.size, textOf.size);
        };
        let told = Promise.resolve();
        const onVectors = (some: readonly Float32Array[], places: readonly number[]): void => {
          // A provider may use its memory again as soon as it has told of it.
          const copies: unknown = Array.isArray(some) ? some.map(copyOf) : some;
          told = told.then(() => keep(copies, places));
          // It is waited for below.
          told.catch(() => undefined);
        };
        const [outcome] = await Promise.allSettled([provider.embed(asked, { kind, signal, onVectors })]);
        const [kept] = await Promise.allSettled([told]);
        // Why the provider ended is told, not what became of what came before.
        if (outcome.status === "rejected") throw outcome.reason;
        // All of it is there, and kept, also where something was wrong with what was told before.
        await keep(outcome.value, [...asked.keys()]);
        if (kept.status === "rejected") throw kept.reason;
      }
      return keys
        .map((key) => vectors.get(key) as Float32Array)
        .map((vector) => (vector.length === 0 ? new Float32Array(dimensions) : vector));
    },
  };
}

function copyOf(vector: unknown): unknown {
  return vector instanceof Float32Array ? vector.slice() : vector;
}

/** As JSON, so that no two triples are written the same. */
function cacheKey(...parts: readonly [identity: string, kind: string, text: string]): string {
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(parts))));
}

async function readKeptVectors(
  cache: EmbeddingCache,
  identity: string,
  keys: readonly string[],
): Promise<Map<string, Float32Array>> {
  const kept = await cache.get(identity, keys);
  return new Map(keys.flatMap((key, index) => (kept[index] === undefined ? [] : [[key, kept[index]]])));
}

/** @param known of those before; 0 for none. */
function commonLength(vectors: readonly Float32Array[], known: number, model: string): number {
  const lengths = vectors.map(({ length }) => length).filter((length) => length > 0);
  const [first = 0, second] = new Set(known === 0 ? lengths : [known, ...lengths]);
  if (second === undefined) return first;
  throw new AdapterError(
    "EMBEDDING_ANSWER",
    `embedding cache: vectors of model ${quote(model)} have ${first} numbers, newer ones ${second}; ` +
      "another model answers to that name now: delete the cache, or embed under another name",
  );
}
