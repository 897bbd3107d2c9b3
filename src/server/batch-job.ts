import { batchSummary } from "../batch/index.js";
import {
  annotateRun,
  artifactsPath,
  batchFiles,
  batchForms,
  labelsOfDataset,
  openLiveSearch,
  openStore,
  recordBatch,
  reportBatch,
  withListedHits,
} from "../node/index.js";
import { deepestOf, newBatchId } from "../node/internal.js";
import type { DatasetCollection } from "./collections/dataset-collection.js";
import type { ProjectPlaces } from "./project-places.js";
import type { JobWork } from "./jobs.js";
import { printPrice } from "./print-price.js";

/** Hits that are asked for, unless the scorecard looks deeper. */
export const BATCH_TOP_K = 50;
/** Queries that a search is asked at once. */
export const CONCURRENCY = 4;

/** How a batch is run from the page. */
export interface BatchJobOptions {
  /** Label what came back and has no label yet, which may cost money. */
  readonly annotate: boolean;
  /** Go on with this batch; null begins a new one. */
  readonly resume: string | null;
}

/** Asks the live search every query, and scores it; the same as `rankproof batch run`. */
export function batchJob(
  collection: DatasetCollection,
  { config, store: path, labels }: ProjectPlaces,
  { annotate, resume }: BatchJobOptions,
): JobWork {
  return async (tell, signal, before) => {
    const dataset = await collection.dataset();
    const { scorecard } = collection;
    const topK = Math.max(BATCH_TOP_K, deepestOf(scorecard));
    const warn = (message: string): void => tell({ message });
    const search = await openLiveSearch(config, dataset, topK, { signal, onWarning: warn });
    try {
      const store = await openStore(path, { create: true });
      try {
        const begun = before ?? resume;
        const runId = begun ?? newBatchId();
        tell({ total: dataset.queries.length, message: `asking ${search.named.name}`, result: runId });
        const run = await recordBatch(
          search,
          {
            topK,
            concurrency: CONCURRENCY,
            runId,
            store,
            resume: begun !== null,
            stopAfterFailures: config.stopAfterFailures,
          },
          {
            signal,
            onWarning: warn,
            onProgress: ({ done, total, failed }) => tell({ done, total, failed }),
          },
        );
        if (annotate) {
          tell({ message: "labelling what came back" });
          await annotateRun(run, dataset, config, {
            labels,
            depth: topK,
            signal,
            onProgress: ({ calls, cost }) =>
              tell({
                calls,
                price: printPrice(cost),
              }),
          });
        }
        tell({ message: "scoring" });
        const judgments = await labelsOfDataset(config, dataset, { labels }, warn);
        const report = reportBatch(run, dataset, judgments, { backend: search.named, topK, scorecard });
        const files = batchFiles(artifactsPath(config), dataset.id, runId);
        const made = { dataset, config, heads: withListedHits(run), own: search.own, hasTexts: true };
        for (const write of batchForms(report, made)) write(files);
        files.list(batchSummary(report));
        return { result: runId, message: "" };
      } finally {
        await store.close();
      }
    } finally {
      await search.backend.close?.();
    }
  };
}
