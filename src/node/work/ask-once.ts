import { batchId } from "../../batch/index.js";
import type { Config, EvalRun } from "../../records/index.js";
import { recordRun } from "../../runs/index.js";
import { openBackend } from "../datasets/backends.js";
import type { Dataset } from "../datasets/dataset.js";
import { backendFrom } from "../datasets/project-config.js";

/**
 * Asks the live search of a dataset its queries, and keeps nothing: for a dataset that is cut to few of them.
 * A query that fails has its error among the results.
 */
export async function askOnce(
  config: Config,
  dataset: Dataset,
  {
    topK,
    signal,
    stopAfterFailures = Infinity,
  }: {
    readonly topK: number;
    readonly signal?: AbortSignal | undefined;
    /** So many failures at the beginning, without an answer, end it. Default: it goes on. */
    readonly stopAfterFailures?: number;
  },
): Promise<EvalRun> {
  const backend = await openBackend(dataset, backendFrom(config, dataset), topK);
  try {
    return await recordRun({
      golden: dataset.queries.map(({ id, query }) => ({ id, query })),
      runId: batchId(Date.now(), "query"),
      suite: dataset.id,
      retrieve: (text, { goldenQuery, signal: own, onTrace }) =>
        backend.search(text, { limit: topK, queryId: goldenQuery.id, signal: own, onTrace }),
      config: {},
      stopAfterFailures,
      signal,
    });
  } finally {
    await backend.close?.();
  }
}
