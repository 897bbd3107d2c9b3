import { countOf, formatAmount } from "../foundation/numbers/index.js";
import { Option, type Command } from "commander";
import type { Scorecard } from "../batch/index.js";
import { interruptible } from "./interruptible.js";
import {
  annotateRun,
  labelsPath,
  scorecardOf,
  storeName,
  type Dataset,
  type Watcher,
} from "../node/index.js";
import type { Config, EvalRun } from "../records/index.js";
import type { WorkProgress } from "../storage/postgres/index.js";
import type { DatasetFlags } from "./dataset-flags.js";
import { splitNames } from "../compare/index.js";
import { plainLine, type Terminal } from "./terminal.js";
import { wholeNumberOption } from "./number-flag.js";

/** What a live search is measured by, as commander gives it. */
export interface ScorecardFlags {
  scorecard?: string;
  metrics?: string;
}

/** `--scorecard` and `--metrics`. */
export function scorecardOptionsOf(command: Command): Command {
  return command
    .option("--scorecard <name>", "one of the configuration (default: that of the dataset, or `search`)")
    .option("-m, --metrics <names>", "these metrics in its place; the first decides");
}

/** `--top-k` and `--annotate`, for commands that ask a live search. */
export function hitsOptionsOf(command: Command): Command {
  return command
    .option("--top-k <n>", "hits that are asked for", wholeNumberOption("top-k"), 50)
    .option("--annotate", "label what came back and has no label of the labeler yet (may cost money)");
}

/** `--force-refresh-labels`, for commands that ask each query once. */
export function refreshOptionOf(command: Command): Command {
  return command.option("--force-refresh-labels", "label all that came back again (costs money again)");
}

/** The scorecard that flags mean. */
export function scorecardFrom(
  config: Config,
  dataset: Pick<Dataset, "config">,
  { scorecard, metrics }: ScorecardFlags,
): Scorecard {
  return scorecardOf(config, dataset, {
    scorecard,
    metrics: metrics === undefined ? undefined : splitNames(metrics),
  });
}

/**
 * Shows how far the asking of a search is.
 *
 * @param prefix stands before what progress says.
 */
export function watcherOf(terminal: Terminal, prefix = ""): Watcher {
  return {
    signal: terminal.signal,
    onWarning: terminal.warn,
    onProgress: ({ done, total, failed }) =>
      terminal.progress(
        `${prefix}${done} of ${countOf(total, "query")}${failed > 0 ? `, ${failed} failed` : ""}`,
      ),
  };
}

/** `--workers`. */
export function workersOptionOf(command: Command): Command {
  return command.addOption(
    new Option(
      "--workers <how>",
      "queue: the queries are done by every `rankproof work` on the same PostgreSQL database; this command " +
        "waits for them",
    ).choices(["queue"]),
  );
}

/** Shows how far work in a queue is, and what it cost so far, whoever does it. */
export function workTeller(terminal: Terminal): (work: WorkProgress) => void {
  return ({ done, total, running, failed, calls, amount }) =>
    terminal.progress(
      `${done} of ${countOf(total, "query")}, ${running} under way` +
        (failed > 0 ? `, ${failed} failed` : "") +
        (calls > 0 ? `, ${countOf(calls, "request")}` : "") +
        (amount > 0 ? `, price ${formatAmount(amount)}` : ""),
    );
}

/** What may be labelled on the way. */
export interface AnnotateFlags extends DatasetFlags {
  annotate?: true;
  forceRefreshLabels?: true;
}

/**
 * Labels what came back and has no label of this labeler yet; with `--force-refresh-labels` all of it again.
 *
 * @throws AdapterError `LABELER_FAILED`, `RUN_INCOMPLETE` where Ctrl-C ended it.
 */
export async function annotateLabels(
  run: EvalRun,
  dataset: Dataset,
  config: Config,
  flags: AnnotateFlags & { readonly topK: number; readonly isOneOfMany?: boolean },
  terminal: Terminal,
): Promise<void> {
  const { name, path, summary, unknown } = await labelBatch(run, dataset, config, flags, terminal);
  const { graded, cannot_tell, invalid, refused } = summary.answers;
  const { tokens, price } = summary.cost;
  if (summary.calls > 0 || flags.isOneOfMany !== true)
    terminal.talk(
      `${plainLine(name)}: ${graded} new ${graded === 1 ? "label" : "labels"} in ${storeName(path)}, ` +
        `${countOf(summary.calls, "request")}` +
        (tokens ? `, ${Math.round(tokens.input + tokens.output)} tokens` : "") +
        (price ? `, ${formatAmount(price.amount)} ${price.currency}` : "") +
        (invalid + refused + cannot_tell > 0 ? `; ${invalid + refused + cannot_tell} without a grade` : ""),
    );
  if (unknown.length > 0)
    terminal.warn(
      `nothing is known of ${countOf(unknown.length, "hit")}, such as ${unknown[0] ?? ""}; they cannot be ` +
        "labelled",
    );
}

async function labelBatch(
  run: EvalRun,
  dataset: Dataset,
  config: Config,
  flags: AnnotateFlags & { readonly topK: number },
  terminal: Terminal,
): ReturnType<typeof annotateRun> {
  const path = labelsPath(config, flags.labels);
  const kept = `the search's answers and ${storeName(path)} keep what is there`;
  const message = `interrupted; ${kept}, and --resume goes on`;
  return interruptible(terminal, message, (signal) =>
    annotateRun(run, dataset, config, {
      labels: flags.labels,
      labeler: flags.labeler,
      depth: flags.topK,
      since: flags.forceRefreshLabels === true ? new Date().toISOString() : undefined,
      env: terminal.env,
      onRetry: terminal.progress,
      signal,
      onProgress: ({ queries, calls }) =>
        terminal.progress(`labelling: ${countOf(queries, "query")}, ${countOf(calls, "request")}`),
    }),
  );
}
