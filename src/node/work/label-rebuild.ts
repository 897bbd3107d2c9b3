import { countOf } from "../../foundation/numbers/index.js";
import {
  rebuildLabels,
  rebuildSearchSize,
  type BatchTrace,
  type QueryBuild,
  type RebuildOptions,
  type StopOptions,
} from "../../label/index.js";
import { artifactsPath, rerankerFrom } from "../datasets/project-config.js";
import { writeQueryBuild } from "../datasets/query-builds.js";
import { openReranker } from "../datasets/rerankers.js";
import { mostOf, requestsOf, type LabelPlan, type LabelQueries, type LabelWork } from "./label-windows.js";

/** How deep a rebuild goes, and where it stops. */
export interface RebuildSettings {
  readonly searchDepth: number;
  readonly searchRecallTopK: number;
  readonly rerankDepth: number;
  readonly rerankHighThreshold: number;
  readonly rerankHighSkipCount: number;
  readonly rebuildLlmBatchSize: number;
  readonly rebuildMinBatches: number;
  readonly rebuildMaxBatches: number;
  readonly rebuildIrrelevantStopRatio: number;
  readonly rebuildIrrelLowCombinedStopRatio: number;
  readonly rebuildIrrelevantStopStreak: number;
  readonly forceRefreshRerank?: true | undefined;
}

/** The reranker where a dataset names none. */
const BUILT_IN = { name: "overlap", settings: { kind: "overlap" } } as const;

/** Opens what rebuilds the labels of each query in order, and writes what was done for it. */
export async function openRebuild(work: LabelWork, settings: RebuildSettings): Promise<LabelQueries> {
  const { config, dataset, env, backend, failures, watcher, options } = work;
  const found = rerankerFrom(config, dataset) ?? BUILT_IN;
  const { reranker, ...rerank } = await openReranker(found.name, found.settings, dataset, {
    env,
    onRetry: watcher.onProgress,
  });
  const folder = artifactsPath(config);
  return (queries = dataset.queries, budget = options.budget) =>
    rebuildLabels({
      ...options,
      budget,
      queries,
      search: backend === null ? () => [] : failures.watchWork(backend),
      onFailed: failures.onFailed,
      corpus: dataset.items,
      reranker,
      rerank: { ...rerank, isForced: settings.forceRefreshRerank },
      depth: depthOf(settings),
      stop: stopOf(settings),
      onRerank: (query, done, total) =>
        watcher.onProgress(`${query}: ${done} of ${total} documents reranked`),
      onBatch: (query, batch, trace) => watcher.onNote(`${query} batch ${batch}: ${traceLine(trace)}`),
      onQuery: (build) => {
        const path = writeQueryBuild(folder, dataset.id, build);
        watcher.onNote(`${build.query}: ${endLine(build)}; ${path}`);
      },
    });
}

/** @returns what it would ask, whatever is kept already. */
export function planRebuild(work: LabelWork, settings: RebuildSettings): LabelPlan {
  const { dataset, options } = work;
  const { minBatches, maxBatches, batchSize } = stopOf(settings);
  const items = dataset.items.size || Infinity;
  const each = dataset.queries.length * (options.votes ?? 1);
  const batches = Math.min(maxBatches, Math.ceil(items / batchSize));
  return {
    ...requestsOf(work, rebuildSearchSize(depthOf(settings)), Math.min(settings.rerankDepth, items)),
    // A query that is too easily satisfied is skipped.
    calls_at_least:
      dataset.items.size === 0 || items > settings.rerankHighSkipCount
        ? 0
        : each * Math.min(minBatches, batches),
    ...mostOf(options.labeler, dataset, batchSize, each * batches),
  };
}

function depthOf(settings: RebuildSettings): RebuildOptions {
  return {
    searchDepth: settings.searchDepth,
    recallTopK: settings.searchRecallTopK,
    rerankDepth: settings.rerankDepth,
    highThreshold: settings.rerankHighThreshold,
    highSkipCount: settings.rerankHighSkipCount,
  };
}

function stopOf(settings: RebuildSettings): Record<keyof StopOptions, number> {
  return {
    batchSize: settings.rebuildLlmBatchSize,
    minBatches: settings.rebuildMinBatches,
    irrelevantStop: settings.rebuildIrrelevantStopRatio,
    combinedStop: settings.rebuildIrrelLowCombinedStopRatio,
    streak: settings.rebuildIrrelevantStopStreak,
    maxBatches: settings.rebuildMaxBatches,
  };
}

function traceLine(trace: BatchTrace): string {
  const of = (share: number | null): string => (share === null ? "none" : share.toFixed(4));
  return [
    `exact_ratio ${of(trace.exact_ratio)}`,
    `irrelevant_ratio ${of(trace.irrelevant_ratio)}`,
    `low_ratio ${of(trace.low_ratio)}`,
    `irrelevant_plus_low_ratio ${of(trace.irrelevant_plus_low_ratio)}`,
    ...(trace.streak > 0 ? [`bad batches in a row ${trace.streak}`] : []),
  ].join(", ");
}

/** Why a query ended, as a clause. */
const ENDS: Readonly<Record<QueryBuild["stop"]["reason"], string>> = {
  streak: "bad batches in a row",
  exhausted: "nothing left",
  max_batches: "as many batches as are allowed",
  skipped: "skipped",
  budget: "the budget is spent",
};

function endLine({ stop, high, below_stop }: QueryBuild): string {
  if (stop.reason === "skipped")
    return `skipped, since ${countOf(high, "document")} outside its head are above the threshold`;
  const { items, estimate, low, high: most } = below_stop;
  const below =
    items === 0
      ? ""
      : `; below it are ${countOf(items, "item")}, useful of them perhaps ${Math.round(estimate)} ` +
        `(${Math.floor(low)} to ${Math.ceil(most)}) at the rate of the last batches`;
  return `${countOf(stop.items, "item")} labelled, ended by ${ENDS[stop.reason]}${below}`;
}
