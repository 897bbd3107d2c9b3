import { AdapterError, InputError, messageOf, quote } from "../foundation/errors/index.js";
import { CheckedVectors } from "../records/index.js";
import type { EmbeddingProvider, EmbedOptions } from "../records/index.js";
import { raceAbort } from "../foundation/async/index.js";

/** One vector for each text, in their order. Never called without texts. */
export type EmbedFunction = (
  texts: readonly string[],
  options: EmbedOptions,
) => EmbedFunctionVectors | Promise<EmbedFunctionVectors>;

/** Vectors as functions may return them. */
export type EmbedFunctionVectors = readonly (readonly number[] | Float32Array | Float64Array)[];

/** What a function of yours embeds with. */
export interface FunctionEmbedderOptions {
  /** What reports call it. Caches keep vectors by it: change it when the function embeds differently. */
  readonly model: string;
}

/**
 * A function of yours as an embedding provider: a local model, a client of some service.
 *
 * @throws AdapterError when embedding: `EMBEDDING_UNAVAILABLE` with what the function threw as `cause`;
 * `EMBEDDING_ANSWER` when there is not one vector for each text, all of one length and finite. An abort
 * rejects with its own reason.
 */
export function functionEmbedder(embed: EmbedFunction, options: FunctionEmbedderOptions): EmbeddingProvider {
  const { model } = checkFunction(embed, options);
  const where = `embed function ${quote(model)}`;
  const checked = new CheckedVectors(where);
  return {
    model,
    identity: `function/${model}`,
    async embed(texts, options = {}) {
      const { signal, onProgress } = options;
      signal?.throwIfAborted();
      if (texts.length === 0) return [];
      let answer: unknown;
      try {
        answer = await raceAbort(async () => embed(texts, options), signal);
      } catch (cause) {
        signal?.throwIfAborted();
        throw new AdapterError("EMBEDDING_UNAVAILABLE", `${where}: ${messageOf(cause)}`, {}, cause);
      }
      const vectors = checked.from(answer, texts.length);
      onProgress?.(texts.length, texts.length);
      return vectors;
    },
  };
}

function checkFunction(embed: unknown, options: unknown): FunctionEmbedderOptions {
  const { model } = (options ?? {}) as Partial<Record<"model", unknown>>;
  if (typeof embed !== "function" || typeof model !== "string" || model === "")
    throw new InputError(
      "ARGUMENT",
      "functionEmbedder takes a function and `{ model }`, a name by which vectors are kept, got " +
        `${typeof embed} and a model of ${typeof model}`,
    );
  return { model };
}
