import { AdapterError } from "../foundation/errors/index.js";
import { batchesOf } from "../foundation/columns/index.js";
import { CheckedVectors } from "../records/index.js";
import { answerError, type EndpointNames, type ServiceWords } from "./endpoint-errors.js";
import { serviceEndpoint, type EndpointOptions, type JsonReply } from "./endpoint.js";
import type { EmbeddingProvider, EmbeddingProviderCard } from "../records/index.js";
import { DEFAULT_MODEL, embeddingSettingsFrom, type EmbeddingSource } from "./embedding-settings.js";
import { withWorkers } from "../foundation/async/index.js";
import { wholeNumber } from "../foundation/checks/index.js";

/**
 * An OpenAI-compatible endpoint, and how it is used. The settings of {@link embeddingSettingsFrom} can be
 * given as they are.
 */
export interface OpenaiEmbedderOptions extends EndpointOptions {
  /** Default `text-embedding-3-small`. */
  readonly model?: string | undefined;
  /** Asks the model for shorter vectors, where it can. */
  readonly dimensions?: number | undefined;
  /** Put before questions, for models that were trained with such words: `query: `. */
  readonly queryPrefix?: string | undefined;
  /** Put before passages: `passage: `. */
  readonly documentPrefix?: string | undefined;
  /** Most texts in a request. Default 64; some services take no more than 10. */
  readonly batchSize?: number | undefined;
  /** Most characters in a request, as far as one text does not have more by itself. Default 100,000. */
  readonly maxBatchCharacters?: number | undefined;
  /** Most requests at once, for each call. Default 4. */
  readonly concurrency?: number | undefined;
  /** The variables that messages name. Default `RANKPROOF_EMBEDDING`. */
  readonly source?: EmbeddingSource | undefined;
}

const EMBEDDINGS: ServiceWords = {
  codes: {
    config: "EMBEDDING_CONFIG",
    refused: "EMBEDDING_REFUSED",
    unavailable: "EMBEDDING_UNAVAILABLE",
    answer: "EMBEDDING_ANSWER",
  },
  path: "/embeddings",
  missing: ", as at many chat relays",
  api: "an OpenAI-compatible API",
  answer: "embeddings",
  field: "data",
  variables: "RANKPROOF_EMBEDDING",
  rate: " (`--embedding-rate`)",
};

const BATCH_SIZE = 64;
const MAX_BATCH_CHARACTERS = 100_000;
const CONCURRENCY = 4;
const TIMEOUT_MS = 60_000;

interface Waiting {
  readonly text: string;
  /** Its place among the texts of the call. */
  readonly index: number;
}

/**
 * Embeds with a model behind an OpenAI-compatible `/embeddings`: OpenAI, Azure, Mistral, vLLM, Ollama,
 * llama.cpp and many more.
 *
 * A blank text is not sent, since many endpoints refuse it; it has the zero vector. Where nothing but blank
 * texts was ever embedded and `dimensions` is not given, the length is unknown and the vector is empty. The
 * key is in no message, no error and no property; a redirect to another host is not followed.
 *
 * @throws InputError `EMBEDDING_CONFIG`, `ARGUMENT` for impossible settings; when embedding,
 * `EMBEDDING_REFUSED` where trying again does not help
 * @throws AdapterError when embedding: `EMBEDDING_UNAVAILABLE` after the last try, `EMBEDDING_ANSWER` for
 * answers that cannot be used. An abort rejects with its own reason.
 */
export function openaiEmbedder(options: OpenaiEmbedderOptions = {}): EmbeddingProvider {
  const {
    model = DEFAULT_MODEL,
    dimensions,
    queryPrefix = "",
    documentPrefix = "",
    source = "RANKPROOF_EMBEDDING",
  } = options;
  const limits = {
    texts: wholeNumber("batchSize", options.batchSize ?? BATCH_SIZE),
    characters: wholeNumber("maxBatchCharacters", options.maxBatchCharacters ?? MAX_BATCH_CHARACTERS),
  };
  const concurrency = wholeNumber("concurrency", options.concurrency ?? CONCURRENCY);
  if (dimensions !== undefined) wholeNumber("dimensions", dimensions);
  const { names, post } = serviceEndpoint(
    { service: EMBEDDINGS, model, source, timeoutMs: TIMEOUT_MS },
    options,
  );
  const { address } = names;
  const checked = new CheckedVectors(address, dimensions);

  const embedBatch = async (
    batch: readonly Waiting[],
    signal: AbortSignal,
    stop: AbortSignal,
  ): Promise<Float32Array[]> => {
    const reply = await post(
      {
        model,
        input: batch.map(({ text }) => text),
        encoding_format: "float",
        ...(dimensions === undefined ? {} : { dimensions }),
      },
      signal,
      stop,
    );
    return checked.from(inOrder(reply, names), batch.length);
  };

  return {
    model,
    identity: JSON.stringify({ address, model, dimensions, queryPrefix, documentPrefix }),
    async embed(texts, { kind = "document", signal, onVectors, onProgress } = {}) {
      signal?.throwIfAborted();
      const prefix = kind === "query" ? queryPrefix : documentPrefix;
      const waiting = texts.flatMap((text, index) =>
        text.trim() === "" ? [] : [{ text: prefix + text, index }],
      );
      const vectors = new Map<number, Float32Array>();
      let done = texts.length - waiting.length;
      // Where one request fails, those on their way come to their end: their answers are paid for.
      const given = signal ?? new AbortController().signal;
      await withWorkers(batchesOf(waiting, limits), concurrency, signal, async (batch, stop) => {
        const embedded = await embedBatch(batch, given, stop);
        batch.forEach(({ index }, place) => vectors.set(index, embedded[place] as Float32Array));
        onVectors?.(
          embedded,
          batch.map(({ index }) => index),
        );
        done += batch.length;
        onProgress?.(done, texts.length);
      });
      return texts.map((_, index) => vectors.get(index) ?? new Float32Array(checked.dimensions ?? 0));
    },
  };
}

/**
 * The `embedding` of each item of an answer, by `index`: servers may answer in any order. Without any index,
 * as they stand.
 */
function inOrder(reply: JsonReply, names: EndpointNames): unknown[] {
  const data = (reply.json as { data?: unknown } | null | undefined)?.data;
  if (!Array.isArray(data)) throw answerError(reply, names);
  const items = data as readonly ({ index?: unknown; embedding?: unknown } | null)[];
  if (items.every((item) => item?.index === undefined)) return items.map((item) => item?.embedding);
  const places = new Map(items.map((item) => [item?.index, item?.embedding]));
  if (!items.every((_, index) => places.has(index))) {
    throw new AdapterError(
      "EMBEDDING_ANSWER",
      `${names.address}: the \`index\` of each vector must be its text's place, from 0 to ` +
        `${items.length - 1}, each once`,
    );
  }
  return items.map((_, index) => places.get(index));
}

export const openaiEmbedderCard: EmbeddingProviderCard = {
  name: "openai",
  about: "any endpoint like OpenAI's, set up by RANKPROOF_EMBEDDING_API_KEY, _BASE_URL and _MODEL",
  requests: { texts: BATCH_SIZE, atOnce: CONCURRENCY },
  open: ({ env, ...limits }) => openaiEmbedder({ ...embeddingSettingsFrom(env), ...limits }),
};
