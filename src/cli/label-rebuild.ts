import type { Command } from "commander";
import {
  rebuildDefaults,
  rebuildLabels,
  rebuildSearchSize,
  stopDefaults,
  type BatchTrace,
  type BuildSummary,
  type QueryBuild,
  type RebuildOptions,
  type StopOptions,
} from "../label/index.js";
import { openReranker, writeQueryBuild, artifactsPath, rerankerFrom } from "../node/index.js";
import { mostOf, requestsOf, type LabelPlan, type LabelWork } from "./label-work.js";
import { aNumber, wholeNumber } from "./number-flag.js";
import { counted, plainLine } from "./terminal.js";

/** The flags of a deep rebuild. */
export interface RebuildFlags {
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
  readonly forceRefreshRerank?: true;
}

/** Adds them to a command. */
export function rebuildOptionsOf(command: Command): Command {
  const count = (flag: string, about: string, usual: number, least = 1): void => {
    command.option(`--${flag} <n>`, about, wholeNumber(flag, least), usual);
  };
  const share = (flag: string, about: string, usual: number): void => {
    command.option(`--${flag} <share>`, about, aNumber(flag, 0), usual);
  };
  command.option(
    "--deep",
    "label from the head of the search on, then what a reranker finds in the corpus, until little is left",
  );
  count(
    "search-depth",
    "hits that the search is asked for, by --deep or for a reranker",
    rebuildDefaults.searchDepth,
  );
  count("search-recall-top-k", "hits that --deep labels as searched", rebuildDefaults.recallTopK, 0);
  count("rerank-depth", "further documents that --deep reranks", rebuildDefaults.rerankDepth, 0);
  command.option(
    "--rerank-high-threshold <score>",
    "a document with a score above it is high",
    aNumber("rerank-high-threshold", -Infinity),
    rebuildDefaults.highThreshold,
  );
  count(
    "rerank-high-skip-count",
    "a query with more high documents is skipped",
    rebuildDefaults.highSkipCount,
    0,
  );
  count("rebuild-llm-batch-size", "items in a batch of --deep", stopDefaults.batchSize);
  count("rebuild-min-batches", "batches that always run, and are not counted", stopDefaults.minBatches, 0);
  count("rebuild-max-batches", "no more batches of a query", stopDefaults.maxBatches);
  share(
    "rebuild-irrelevant-stop-ratio",
    "a batch is bad above this share of grade 0",
    stopDefaults.irrelevantStop,
  );
  share(
    "rebuild-irrel-low-combined-stop-ratio",
    "and above this share of grades 0 and 1",
    stopDefaults.combinedStop,
  );
  count("rebuild-irrelevant-stop-streak", "so many bad batches in a row end a query", stopDefaults.streak);
  return command
    .option("--force-refresh-labels", "a deep rebuild that asks again for every label")
    .option("--force-refresh-rerank", "ask again for rerank scores that are kept");
}

/** The reranker where a dataset names none. */
const BUILT_IN = { name: "overlap", settings: { kind: "overlap" } } as const;

/** Rebuilds the labels of each query in order, and writes what was done for it. */
export async function rebuild(work: LabelWork, flags: RebuildFlags): Promise<BuildSummary> {
  const { config, dataset, backend, failures, terminal, options } = work;
  const { name, settings } = rerankerFrom(config, dataset) ?? BUILT_IN;
  const { reranker, ...rerank } = await openReranker(name, settings, dataset, terminal.env);
  const folder = artifactsPath(config);
  return rebuildLabels({
    ...options,
    queries: dataset.queries,
    search: backend === null ? () => [] : failures.watched(backend),
    onFailed: failures.onFailed,
    corpus: dataset.items,
    reranker,
    rerank: { ...rerank, isForced: flags.forceRefreshRerank },
    depth: depthOf(flags),
    stop: stopOf(flags),
    onRerank: (query, done, total) =>
      terminal.progress(`${plainLine(query)}: ${done} of ${counted(total, "document")} reranked`),
    onBatch: (query, batch, trace) =>
      terminal.talk(`${plainLine(query)} batch ${batch}: ${traceLine(trace)}`),
    onQuery: (build) => {
      const path = writeQueryBuild(folder, dataset.id, build);
      terminal.talk(`${plainLine(build.query)}: ${endLine(build)}; ${path}`);
    },
  });
}

/** @returns what it would ask, whatever is kept already. */
export function plannedRebuild(work: LabelWork, flags: RebuildFlags): LabelPlan {
  const { dataset, options } = work;
  const { minBatches, maxBatches, batchSize } = stopOf(flags);
  const items = dataset.items.size || Infinity;
  const each = dataset.queries.length * (options.votes ?? 1);
  const batches = Math.min(maxBatches, Math.ceil(items / batchSize));
  return {
    ...requestsOf(work, rebuildSearchSize(depthOf(flags)), Math.min(flags.rerankDepth, items)),
    // A query that is too easily satisfied is skipped.
    calls_at_least:
      dataset.items.size === 0 || items > flags.rerankHighSkipCount
        ? 0
        : each * Math.min(minBatches, batches),
    ...mostOf(options.labeler, dataset, batchSize, each * batches),
  };
}

function depthOf(flags: RebuildFlags): RebuildOptions {
  return {
    searchDepth: flags.searchDepth,
    recallTopK: flags.searchRecallTopK,
    rerankDepth: flags.rerankDepth,
    highThreshold: flags.rerankHighThreshold,
    highSkipCount: flags.rerankHighSkipCount,
  };
}

function stopOf(flags: RebuildFlags): Record<keyof StopOptions, number> {
  return {
    batchSize: flags.rebuildLlmBatchSize,
    minBatches: flags.rebuildMinBatches,
    irrelevantStop: flags.rebuildIrrelevantStopRatio,
    combinedStop: flags.rebuildIrrelLowCombinedStopRatio,
    streak: flags.rebuildIrrelevantStopStreak,
    maxBatches: flags.rebuildMaxBatches,
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
    return `skipped, since ${counted(high, "document")} outside its head are above the threshold`;
  const { items, estimate, low, high: most } = below_stop;
  const below =
    items === 0
      ? ""
      : `; below it are ${counted(items, "item")}, useful of them perhaps ${Math.round(estimate)} ` +
        `(${Math.floor(low)} to ${Math.ceil(most)}) at the rate of the last batches`;
  return `${counted(stop.items, "item")} labelled, ended by ${ENDS[stop.reason]}${below}`;
}
