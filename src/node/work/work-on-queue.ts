import { messageOf } from "../../foundation/errors/index.js";
import type { BegunWork } from "../../storage/postgres/index.js";
import { openLiveSearch } from "../datasets/live-search.js";
import type { Dataset } from "../datasets/dataset.js";
import { openLabelBuild, usualLabelBuild } from "./label-build.js";
import { askQueued, type QueuedBatch } from "./queued-batch.js";
import type { QueuedBuild } from "./queued-label-build.js";
import { datasetOfWork, openWorkQueue, Performers, type Performer, type WorkPlace } from "./queued-work.js";

/** How a process works for a queue. */
export interface WorkerOptions {
  /** Queries at once. */
  readonly concurrency: number;
  /** Ends when there is nothing left, in place of waiting for more. */
  readonly isUntilDone: boolean;
  /** Ends when what is under way is done. */
  readonly signal: AbortSignal;
  /** Called with each query that has ended. */
  readonly onQuery: (name: string, done: number) => void;
  /** Called with a query that failed and is tried again later. */
  readonly onFailed: (name: string, message: string) => void;
}

/**
 * Does queries of builds and batches that stand in the queue of a store, until the signal.
 *
 * @returns how many it were.
 * @throws what several queries in a row ended with.
 */
export async function workOnQueue(place: WorkPlace, options: WorkerOptions): Promise<number> {
  const queue = await openWorkQueue(place.store);
  const performers = new Performers((work) => open(place, work));
  let done = 0;
  try {
    await queue.work({
      concurrency: options.concurrency,
      signal: options.signal,
      isUntilDone: options.isUntilDone,
      stopAfterFailures: place.config.stopAfterFailures,
      perform: performers.perform,
      onPart: (work) => options.onQuery(workName(work), ++done),
      onFailed: (work, part, error) =>
        options.onFailed(`${workName(work)}, query ${part + 1}`, messageOf(error)),
    });
    return done;
  } finally {
    await performers.close();
    await queue.close();
  }
}

/** Work as messages name it. */
export function workName({ about }: Pick<BegunWork, "about">): string {
  const { kind, dataset } = about as QueuedBuild | QueuedBatch;
  return `${kind} ${dataset.id}`;
}

/** What is under way is done even where the worker is to end. */
const NEVER = new AbortController().signal;

async function open(
  place: WorkPlace,
  { about }: BegunWork,
): Promise<{ dataset: Dataset; performer: Performer }> {
  const { config, store, env, onWarning, onNote } = place;
  const queued = about as QueuedBuild | QueuedBatch;
  const dataset = await datasetOfWork(place, queued.dataset);
  if (queued.kind === "batch run") {
    const watcher = { signal: NEVER, onWarning };
    const search = await openLiveSearch(config, dataset, queued.asked.topK, watcher);
    return {
      dataset,
      performer: {
        perform: (query) => askQueued(search, query, queued, watcher),
        close: async () => void (await search.backend.close?.()),
      },
    };
  }
  const quiet = { onProgress: () => undefined, onFailed: () => undefined, onBuild: () => undefined };
  const build = await openLabelBuild(
    config,
    dataset,
    { ...usualLabelBuild, ...queued.settings, labels: store, env },
    { ...quiet, signal: NEVER, onWarning, onNote },
    false,
    queued,
  );
  try {
    return { dataset, performer: { perform: await build.performer(), close: () => build.close() } };
  } catch (error) {
    await build.close();
    throw error;
  }
}
