import { AdapterError } from "../../foundation/errors/index.js";
import { compareIds } from "../../foundation/ids/index.js";
import type { EvalRun, QueryResult } from "../../records/index.js";
import type { EvalStore } from "../../storage/index.js";
import type { BegunWork, PartDone, WorkPart } from "../../storage/postgres/index.js";
import type { NamedQuery } from "../datasets/dataset.js";
import { recordBatch, type AskOptions, type LiveSearch, type Watcher } from "../datasets/live-search.js";
import { storeName } from "../store-name.js";
import { awaitWork, openWorkQueue, queueDataset, type QueuedDataset } from "./queued-work.js";

/** A batch as it stands in the queue. */
export interface QueuedBatch {
  readonly kind: "batch run";
  readonly dataset: QueuedDataset;
  readonly runId: string;
  readonly asked: Pick<AskOptions, "topK" | "timeout">;
}

/** Asks the search one query as a part of queued work. */
export async function askQueued(
  search: LiveSearch,
  query: NamedQuery,
  { runId, asked }: QueuedBatch,
  watcher: Omit<Watcher, "onProgress">,
): Promise<PartDone> {
  const run = await recordBatch(
    { ...search, dataset: { ...search.dataset, queries: [query] } },
    { ...asked, concurrency: 1, runId, store: undefined, resume: false, stopAfterFailures: undefined },
    { ...watcher, onProgress: () => undefined },
  );
  return partOf(run, run.results[0]);
}

/**
 * Asks a live search every query of its dataset by the workers of a queue, and keeps what comes of it, as
 * {@link recordBatch} does.
 *
 * @param options `path`: the address of the store.
 * @throws AdapterError `RUN_INCOMPLETE` where it was interrupted; what was answered is kept.
 */
export async function recordQueuedBatch(
  search: LiveSearch,
  options: AskOptions & { readonly runId: string; readonly store: EvalStore; readonly path: string },
  watcher: Watcher & { readonly onNote: (message: string) => void },
  flags: QueuedDataset["named"],
): Promise<EvalRun> {
  const { dataset } = search;
  const { runId, store, path, topK, timeout, retryFailed } = options;
  const about: QueuedBatch = {
    kind: "batch run",
    dataset: queueDataset(dataset, flags),
    runId,
    asked: { topK, timeout },
  };
  const queue = await openWorkQueue(path);
  try {
    const earlier = await store.loadRun(runId);
    const results = new Map(earlier?.results.map((result) => [result.query_id, result]));
    const known = dataset.queries.flatMap(({ id, query }, part): WorkPart[] => {
      const result = results.get(id);
      const isKept = result?.query === query && !(retryFailed === true && result.error != null);
      return earlier == null || !isKept ? [] : [{ ...partOf(earlier, result), part }];
    });
    await queue.begin(
      { id: runId, total: dataset.queries.length, about },
      { isFailedAgain: retryFailed === true, known },
    );
    watcher.onNote(`batch ${runId} is in the queue`);
    const keep = async (): Promise<number> => {
      const runs = (await queue.parts(runId)).map(({ outcome }) => outcome as EvalRun);
      const [first] = runs;
      if (first === undefined) return 0;
      const incomplete = runs.length < dataset.queries.length;
      const run = {
        ...first,
        results: runs.flatMap((each) => each.results),
        ...(incomplete && { incomplete }),
      };
      await store.saveRun(run, { replace: true });
      return runs.length;
    };
    try {
      await awaitWork(queue, runId, path, {
        ...watcher,
        onWork: ({ done, total, failed }) => watcher.onProgress({ done, total, failed, query_id: "" }),
      });
    } catch (error) {
      if (!watcher.signal.aborted) throw error;
      const kept = await keep();
      if (kept === 0) await queue.remove(runId);
      throw new AdapterError(
        "RUN_INCOMPLETE",
        kept === 0
          ? "interrupted before a query was answered; nothing was kept"
          : `interrupted; the workers go on, and --resume ${runId} waits for them; ${kept} of ` +
              `${dataset.queries.length} queries are in ${storeName(path)}`,
        { run: runId },
        error,
      );
    }
    await keep();
    // Refuses what was recorded with another configuration than the one here.
    const run = await recordBatch(
      search,
      { ...options, resume: true, stopAfterFailures: undefined },
      watcher,
    );
    await queue.remove(runId);
    return run;
  } finally {
    await queue.close();
  }
}

/** The batches of a dataset that a queue has, in the order in which they were begun. */
export async function listQueuedBatches(
  store: string,
  dataset: string,
): Promise<Pick<BegunWork, "id" | "begun_at">[]> {
  const queue = await openWorkQueue(store);
  try {
    return (await queue.progress())
      .filter(({ about }) => isBatchOf(about as Partial<QueuedBatch>, dataset))
      .sort((a, b) => compareIds(a.begun_at, b.begun_at));
  } finally {
    await queue.close();
  }
}

function isBatchOf({ kind, dataset }: Partial<QueuedBatch>, id: string): boolean {
  return kind === "batch run" && dataset?.id === id;
}

function partOf(run: EvalRun, result: QueryResult | undefined): PartDone {
  return {
    failed: result?.error ?? null,
    calls: 0,
    input: 0,
    output: 0,
    amount: 0,
    outcome: { ...run, incomplete: undefined, results: result === undefined ? [] : [result] },
  };
}
