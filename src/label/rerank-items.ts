import { createYielder, withWorkers } from "../foundation/async/index.js";
import { wholeNumber } from "../foundation/checks/index.js";
import { AdapterError, quote } from "../foundation/errors/index.js";
import type { LabelItem, RerankDocument, Reranker } from "../records/index.js";
import type { LabelStore, RerankScore } from "../storage/index.js";
import { itemText, textHash } from "./item-text.js";
import { DEFAULT_TENANT, normalizeQuery } from "./query-text.js";

/** What is reranked, and where scores are kept. */
export interface RerankItemsOptions {
  readonly reranker: Reranker;
  readonly store: LabelStore;
  readonly query: string;
  /** Each once. */
  readonly items: readonly LabelItem[];
  /** Whose scores they are. Default `default`. */
  readonly tenant?: string | undefined;
  /** Most documents in a request. Default 80. */
  readonly batchSize?: number | undefined;
  /** Most requests at once. Default 1. */
  readonly concurrency?: number | undefined;
  /** Most characters of an item that are sent. Default 2,000. */
  readonly maxCharacters?: number | undefined;
  /** Ask for all of them again. Default false: what is kept of the same text is taken. */
  readonly isForced?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after each request. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

const RERANK_BATCH = 80;
/** How long scores wait before they are written: a transaction for each request takes too long. */
const KEPT_AFTER_MS = 250;

/**
 * The scores of items for a query: those that are kept of the same text, and the others from the reranker,
 * which are kept then, also where it fails or is stopped half-way.
 *
 * @returns a score for each item.
 * @throws AdapterError `RERANKER_FAILED` for answers that are no scores; what the reranker rejects with.
 */
export async function rerankItems(options: RerankItemsOptions): Promise<Map<string, number>> {
  const { reranker, store, items, tenant = DEFAULT_TENANT, isForced = false, signal, onProgress } = options;
  const { batchSize = RERANK_BATCH, concurrency = 1, maxCharacters } = options;
  wholeNumber("batchSize", batchSize);
  wholeNumber("concurrency", concurrency);
  const query = normalizeQuery(options.query);
  const key = { tenant, query, reranker: reranker.identity };
  const kept = new Map(isForced ? [] : (await store.scores(key)).map((score) => [score.item, score]));
  const scores = new Map<string, number>();
  const missing: (RerankDocument & { readonly hash: number })[] = [];
  for (const item of items) {
    const text = itemText(item, maxCharacters);
    const hash = textHash(text);
    const before = kept.get(item.id);
    if (before?.textHash === hash) scores.set(item.id, before.score);
    else missing.push({ id: item.id, text, hash });
  }
  const yieldNow = createYielder();
  let waiting: RerankScore[] = [];
  const keepWaiting = async (): Promise<void> => {
    const list = waiting;
    waiting = [];
    if (list.length === 0) return;
    try {
      await store.keepScores(key, list);
    } catch (error) {
      waiting = [...list, ...waiting];
      throw error;
    }
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let keeping = Promise.resolve();
  // One after the other; what failed is tried again with what has come since.
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    keeping = keeping.catch(() => undefined).then(keepWaiting);
    return keeping;
  };
  let failed: Promise<void> | undefined;
  const flushLater = (): void => {
    const kept = flush();
    kept.catch(() => {
      failed = kept;
    });
  };
  try {
    await withWorkers(slices(missing, batchSize), concurrency, signal, async (documents, stop) => {
      await yieldNow();
      stop.throwIfAborted();
      const answer: unknown = await reranker.score(
        query,
        documents.map(({ id, text }) => ({ id, text })),
        { signal: stop },
      );
      const list = checkScores(answer, documents.length, query);
      documents.forEach(({ id, hash }, at) => {
        const score = list[at] as number;
        scores.set(id, score);
        waiting.push({ item: id, score, textHash: hash });
      });
      onProgress?.(scores.size, items.length);
      // What could not be kept in the meantime is told here.
      await failed;
      timer ??= setTimeout(flushLater, KEPT_AFTER_MS);
    });
  } finally {
    await flush();
  }
  return scores;
}

function* slices<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size);
}

function checkScores(answer: unknown, count: number, query: string): readonly number[] {
  if (!Array.isArray(answer) || answer.length !== count || !answer.every(Number.isFinite))
    throw new AdapterError(
      "RERANKER_FAILED",
      `the reranker must return one finite number for each of ${count} documents of query ` +
        `${quote(query)}, in their order`,
      { query },
    );
  return answer as readonly number[];
}
