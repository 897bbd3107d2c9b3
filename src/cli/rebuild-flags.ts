import type { Command } from "commander";
import { rebuildDefaults, stopDefaults } from "../label/index.js";
import { numberOption, wholeNumberOption } from "./number-flag.js";

/** What only a deep rebuild looks at. */
export const FOR_DEEP: readonly string[] = [
  "searchRecallTopK",
  "rerankDepth",
  "rerankHighThreshold",
  "rerankHighSkipCount",
  "rebuildLlmBatchSize",
  "rebuildMinBatches",
  "rebuildMaxBatches",
  "rebuildIrrelevantStopRatio",
  "rebuildIrrelLowCombinedStopRatio",
  "rebuildIrrelevantStopStreak",
];

/** Adds the flags of a deep rebuild to a command. */
export function rebuildOptionsOf(command: Command): Command {
  const count = (flag: string, about: string, usual: number, least = 1): void => {
    command.option(`--${flag} <n>`, about, wholeNumberOption(flag, least), usual);
  };
  const share = (flag: string, about: string, usual: number): void => {
    command.option(`--${flag} <share>`, about, numberOption(flag, 0), usual);
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
    numberOption("rerank-high-threshold", -Infinity),
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
