import { AdapterError } from "../foundation/errors/index.js";
import { batchesOf } from "../foundation/columns/index.js";
import { CheckedVectors } from "../records/index.js";
import { checkedApiKey, checkedBaseUrl } from "./endpoint-address.js";
import type { Reply } from "./ask-service.js";
import { answerError, parsed, type EndpointNames } from "./endpoint-errors.js";
import { embeddingEndpoint } from "./embedding-endpoint.js";
import type { EmbeddingProvider, EmbeddingProviderCard } from "../records/index.js";
import {
  DEFAULT_BASE_URL,
  DEFAULT_MODEL,
  embeddingSettingsFrom,
  type EmbeddingSource,
} from "./embedding-settings.js";
import { sleep as sleepByTheClock, type Sleep } from "../foundation/async/index.js";
import { wholeNumber } from "../foundation/checks/index.js";

/**
 * An OpenAI-compatible endpoint, and how it is used. The settings of {@link embeddingSettingsFrom} can be
 * given as they are.
 */
export interface OpenaiEmbedderOptions {
  /** Sent to the base URL's host and to no other. Without one nothing is sent: local servers need none. */
  readonly apiKey?: string | (() => string) | undefined;
  /** What `/embeddings` is appended to. Default `https://api.openai.com/v1`. */
  readonly baseUrl?: string | undefined;
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
  /** Longest time for an answer, in milliseconds. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * How often a request is sent again after statuses 408, 429 and 5xx, a broken connection or no answer in
   * time. Default 5.
   */
  readonly retries?: number | undefined;
  /** Most bytes of an answer, unpacked. Default 67,108,864 (64 MiB). */
  readonly maxAnswerBytes?: number | undefined;
  /** Most requests in any minute, tries again included, of all calls together. No limit by default. */
  readonly requestsPerMinute?: number | undefined;
  /** The variables that messages name. Default `RANKPROOF_EMBEDDING`. */
  readonly source?: EmbeddingSource | undefined;
  /** Another `fetch`, for example through a proxy. It must not follow redirects when told `manual`. */
  readonly fetch?: typeof fetch | undefined;
  /** How waiting is done; for tests. */
  readonly sleep?: Sleep | undefined;
  /** The time, in milliseconds since 1970; for tests. */
  readonly now?: (() => number) | undefined;
}

const BATCH_SIZE = 64;
const MAX_BATCH_CHARACTERS = 100_000;
const CONCURRENCY = 4;
const TIMEOUT_MS = 60_000;
const RETRIES = 5;
/** The longest time that a timer can wait. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

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
  const apiKey = checkedApiKey(
    typeof options.apiKey === "function" ? options.apiKey() : options.apiKey,
    "apiKey",
  );
  const address = `${checkedBaseUrl(options.baseUrl ?? DEFAULT_BASE_URL, apiKey, "baseUrl")}/embeddings`;
  const limits = {
    texts: wholeNumber("batchSize", options.batchSize ?? BATCH_SIZE),
    characters: wholeNumber("maxBatchCharacters", options.maxBatchCharacters ?? MAX_BATCH_CHARACTERS),
  };
  const concurrency = wholeNumber("concurrency", options.concurrency ?? CONCURRENCY);
  if (dimensions !== undefined) wholeNumber("dimensions", dimensions);
  if (options.requestsPerMinute !== undefined) wholeNumber("requestsPerMinute", options.requestsPerMinute);

  const names: EndpointNames = { address, model, apiKey, source };
  const checked = new CheckedVectors(address, dimensions);
  const post = embeddingEndpoint({
    names,
    timeoutMs: wholeNumber("timeoutMs", options.timeoutMs ?? TIMEOUT_MS, 1, LONGEST_TIMEOUT_MS),
    retries: wholeNumber("retries", options.retries ?? RETRIES, 0),
    maxAnswerBytes:
      options.maxAnswerBytes === undefined
        ? undefined
        : wholeNumber("maxAnswerBytes", options.maxAnswerBytes),
    requestsPerMinute: options.requestsPerMinute,
    // Looked up at each call, and called by itself: browsers refuse it as a method of anything but the
    // window.
    fetch: options.fetch ?? ((...request) => fetch(...request)),
    sleep: options.sleep ?? sleepByTheClock,
    now: options.now ?? Date.now,
  });

  const embedBatch = async (batch: readonly Waiting[], signal: AbortSignal): Promise<Float32Array[]> => {
    const reply = await post(
      {
        model,
        input: batch.map(({ text }) => text),
        encoding_format: "float",
        ...(dimensions === undefined ? {} : { dimensions }),
      },
      signal,
    );
    return checked.from(inOrder(reply, names), batch.length);
  };

  return {
    model,
    identity: JSON.stringify({ address, model, dimensions, queryPrefix, documentPrefix }),
    async embed(texts, { kind = "document", signal, onProgress } = {}) {
      signal?.throwIfAborted();
      const prefix = kind === "query" ? queryPrefix : documentPrefix;
      const waiting = texts.flatMap((text, index) =>
        text.trim() === "" ? [] : [{ text: prefix + text, index }],
      );
      const vectors = new Map<number, Float32Array>();
      let done = texts.length - waiting.length;
      await withWorkers(batchesOf(waiting, limits), concurrency, signal, async (batch, stop) => {
        const embedded = await embedBatch(batch, stop);
        batch.forEach(({ index }, place) => vectors.set(index, embedded[place] as Float32Array));
        done += batch.length;
        onProgress?.(done, texts.length);
      });
      return texts.map((_, index) => vectors.get(index) ?? new Float32Array(checked.dimensions ?? 0));
    },
  };
}

/** Works through a queue, several at once; the first error stops all, and so does the signal. */
async function withWorkers<T>(
  queue: readonly T[],
  count: number,
  signal: AbortSignal | undefined,
  work: (item: T, stop: AbortSignal) => Promise<void>,
): Promise<void> {
  const failure = new AbortController();
  const stop = signal === undefined ? failure.signal : AbortSignal.any([signal, failure.signal]);
  // The workers share one iterator; `shift` would move the whole queue for each item.
  const items = queue.values();
  const worker = async (): Promise<void> => {
    try {
      for (const item of items) {
        if (stop.aborted) return;
        await work(item, stop);
      }
    } catch (error) {
      failure.abort(error);
    }
  };
  await Promise.all(Array.from({ length: Math.min(count, queue.length) }, worker));
  stop.throwIfAborted();
}

/**
 * The `embedding` of each item of an answer, by `index`: servers may answer in any order. Without any index,
 * as they stand.
 */
function inOrder(reply: Reply, names: EndpointNames): unknown[] {
  const data = (parsed(reply.body) as { data?: unknown } | null | undefined)?.data;
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
