import { interruptible } from "../interruptible.js";
import { countOf, formatCount } from "../../foundation/numbers/index.js";
import { Option, type Command } from "commander";
import { AdapterError } from "../../index.js";
import { OTHER_RATER, type BuildSummary } from "../../label/index.js";
import {
  openLabelBuild,
  projectConfig,
  storeName,
  usualLabelBuild,
  type LabelBuildSettings,
  type LabelWatcher,
} from "../../node/index.js";
import { costText, labelPlanText } from "../../node/internal.js";
import { workersOptionOf, workTeller } from "../batch-work.js";
import { collect } from "../collect.js";
import {
  datasetFrom,
  datasetOptionsOf,
  labelerOptionOf,
  tenantOf,
  type DatasetFlags,
} from "../dataset-flags.js";
import { numberOption, seedOption, wholeNumberOption } from "../number-flag.js";
import { FOR_DEEP, rebuildOptionsOf } from "../rebuild-flags.js";
import { refuseIdleOptions } from "../refuse-idle-options.js";
import { plainLine, type Terminal } from "../terminal.js";
import { examples } from "./cli-command.js";
import { formatJson } from "../format-json.js";

type Flags = DatasetFlags &
  LabelBuildSettings & { readonly dryRun?: true; readonly json?: true; readonly workers?: "queue" };

/** `label build`. */
export function defineBuild(label: Command, terminal: Terminal): void {
  const command = labelerOptionOf(
    datasetOptionsOf(
      label
        .command("build")
        .description("label what has no label of this labeler yet; what is answered is never asked again")
        .argument("[dataset]", "of the configuration"),
    ),
  )
    .addOption(new Option("--mode <mode>", "how a model is asked").choices(["simple", "complex"]))
    .option(
      "--annotate-search-top-k <n>",
      "hits of each query that are labelled",
      wholeNumberOption("annotate-search-top-k"),
      usualLabelBuild.annotateSearchTopK,
    )
    .option(
      "--annotate-rerank-top-k <n>",
      "and so many of what the dataset's reranker makes of the search",
      wholeNumberOption("annotate-rerank-top-k", 0),
      usualLabelBuild.annotateRerankTopK,
    )
    .option(
      "--pool <run>",
      "label the heads of this run in place of the search; repeat it for several",
      collect,
    )
    .option(
      "--votes <n>",
      "how often each item is judged (default: of the labeler, or 1)",
      wholeNumberOption("votes"),
    )
    .option(
      "--batch-size <n>",
      "most items in a request (default: of the labeler, or 50)",
      wholeNumberOption("batch-size"),
    )
    .option(
      "--concurrency <n>",
      "queries that are labelled at once (default: of the labeler)",
      wholeNumberOption("concurrency"),
    )
    .addOption(seedOption("of the order of items in requests", usualLabelBuild.seed))
    .option(
      "--max-calls <n>",
      "end after so many requests; the same command goes on",
      wholeNumberOption("max-calls", 0),
    )
    .option("--max-tokens <n>", "end before so many tokens are passed", wholeNumberOption("max-tokens", 0))
    .option(
      "--max-money <n>",
      "end before so much is paid, in the currency of the labeler's price",
      numberOption("max-money", 0),
    )
    .option("--refresh-stale", "ask again for items that have changed since they were judged")
    .option("--retry-invalid", "ask again for items whose answer could not be used, or was a refusal")
    .option("--refresh-corpus", "list the items of the search again, where the dataset has no corpus")
    .option("--new-queries", "go on though the queries have changed since a build was interrupted");
  rebuildOptionsOf(workersOptionOf(command))
    .option("--dry-run", "say what would be asked, and ask no labeler and no live search")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      examples(
        "label build shop",
        "label build --queries queries.tsv --corpus products.jsonl",
        "label build shop --labeler gpt --dry-run",
        "label build shop --labeler gpt --max-money 5 --pool bm25.run --pool dense.run",
        "label build shop --labeler gpt --deep",
      ),
    )
    .action((dataset: string | undefined, flags: Flags, called: Command) => {
      if (flags.deep !== true && flags.forceRefreshLabels !== true)
        refuseIdleOptions(called, FOR_DEEP, "without --deep");
      return build(dataset, flags, terminal);
    });
}

async function build(given: string | undefined, flags: Flags, terminal: Terminal): Promise<void> {
  const config = await projectConfig(terminal);
  const dataset = await datasetFrom(config, given, flags, terminal);
  const isPlanned = flags.dryRun === true;
  const watcher = labelWatcherOf(terminal, dataset.queries.length);
  const { queries, corpus, language } = flags;
  const named = { queries, corpus, tenant: tenantOf(flags, terminal), language };
  const opened = await interruptible(
    terminal,
    "interrupted; nothing was labelled, and the items have to be listed again",
    () => openLabelBuild(config, dataset, { ...flags, env: terminal.env }, watcher, isPlanned),
  );
  const { name, path } = opened;
  try {
    if (isPlanned) {
      const plan = await opened.plan();
      if (flags.json === true) return terminal.out(formatJson(plan));
      return terminal.out(`${plainLine(labelPlanText(plan, name))}\n`);
    }
    const isQueued = flags.workers !== undefined;
    if (!isQueued)
      terminal.signal.addEventListener("abort", () =>
        terminal.talk(
          "stopping: answers that are on their way are paid, and waited for; Ctrl-C again ends it",
        ),
      );
    const { summary, failed } = await interruptible(
      terminal,
      isQueued
        ? "interrupted; the workers go on, and the same command waits for them"
        : `interrupted; what was answered is kept in ${path}, and the same command goes on`,
      () => (isQueued ? opened.runQueued({ onWork: workTeller(terminal) }, named) : opened.run()),
    );
    if (flags.json === true) terminal.out(formatJson(summary));
    else terminal.out(summaryText(summary, name, storeName(path)));
    if (failed.count > 0)
      throw new AdapterError(
        "RETRIEVER_FAILED",
        `the search failed for ${countOf(failed.count, "query")} of ${dataset.queries.length}, which have ` +
          `no new labels; the same command asks again; the first failure: ${failed.first}`,
      );
    const { answers } = summary;
    if (total(answers) > 0 && answers.graded + answers.cannot_tell === 0)
      throw new AdapterError(
        "LABELER_FAILED",
        `no answer of ${plainLine(name)} could be used; look at the reasons with \`rankproof label export` +
          `${flags.labels === undefined ? "" : ` --labels ${plainLine(flags.labels)}`}\``,
      );
  } finally {
    await opened.close();
  }
}

/** Tells of a build in lines. */
function labelWatcherOf(terminal: Terminal, queries: number): LabelWatcher {
  return {
    signal: terminal.signal,
    onWarning: terminal.warn,
    onNote: (message) => terminal.talk(plainLine(message)),
    onProgress: (message) => terminal.progress(plainLine(message)),
    onFailed: (query, message) =>
      terminal.talk(`${terminal.paint("failed:", "bad")} ${plainLine(query)}: ${message}`),
    onBuild: ({ queries: done, answers, calls }) =>
      terminal.progress(
        `${done} of ${countOf(queries, "query")}, ${countOf(total(answers), "answer")}, ` +
          countOf(calls, "request"),
      ),
  };
}

function total(answers: BuildSummary["answers"]): number {
  return Object.values(answers).reduce((sum, count) => sum + count, 0);
}

const NOTHING_ASKED =
  "the budget does not allow a single batch, which may take more than one request; give more, or a smaller " +
  "--batch-size";

function summaryText(summary: BuildSummary, name: string, path: string): string {
  const { queries, pairs, known, stale, unusable, calls, answers, cost, isEstimated, isDone, isOtherRater } =
    summary;
  const { graded, cannot_tell, invalid, refused } = answers;
  const others = [
    [cannot_tell, "not to tell"],
    [invalid, "not usable (--retry-invalid asks again)"],
    [refused, "refused (--retry-invalid asks again)"],
    [unusable, "asked for before, without a usable answer (--retry-invalid asks again)"],
  ] as const;
  const lines = [
    `${name}: ${formatCount(graded)} new of ${countOf(pairs, "label")} for ${countOf(queries, "query")}, ` +
      `${formatCount(known - unusable)} were there; ` +
      `${countOf(calls, "request")}${costText(cost, isEstimated ? "about " : "")}`,
    ...others.filter(([count]) => count > 0).map(([count, what]) => `  ${formatCount(count)} ${what}`),
    ...(stale > 0
      ? [`  ${formatCount(stale)} are of items that have changed since (--refresh-stale asks again)`]
      : []),
    ...(isDone
      ? []
      : [calls === 0 ? NOTHING_ASKED : "the budget ended it; the same command goes on where it was"]),
    ...(isOtherRater ? [`${OTHER_RATER}; the same command asks for what is left`] : []),
    `kept in ${path}`,
  ];
  return `${lines.join("\n")}\n`;
}
