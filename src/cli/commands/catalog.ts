import { evaluateSummary } from "./evaluate-summary.js";
import type { Configured } from "../config-flags.js";
import type { CliCommand } from "./cli-command.js";

/**
 * What is known of a command before it is loaded: enough for the help, and for a name that is nearly a
 * command's.
 */
export interface CatalogedCommand extends Configured {
  readonly name: string;
  /** The heading that it stands below in the help. */
  readonly group?: string;
  readonly summary: string;
  readonly load: () => Promise<CliCommand>;
}

/** Every command, in the order of the help text. Only the one that is called is loaded. */
export const commandCatalog: readonly CatalogedCommand[] = [
  {
    name: "init",
    group: "Begin",
    summary: "write a golden set to fill in, and a store if asked",
    load: async () => (await import("./init.js")).initCommand,
  },
  {
    name: "check",
    group: "Begin",
    summary: "validate a golden set, and its ids against a store's knowledge base",
    configured: ["store"],
    load: async () => (await import("./check.js")).checkCommand,
  },
  {
    name: "run",
    group: "Record and keep",
    summary: "record your own search, score it, compare it with the run before",
    configured: ["store", "scoring", "gates", "system"],
    makesStore: true,
    load: async () => (await import("./run.js")).runCommand,
  },
  {
    name: "import",
    group: "Record and keep",
    summary: "keep runs in a store, with the places of their chunks",
    configured: ["store"],
    makesStore: true,
    load: async () => (await import("./import.js")).importCommand,
  },
  {
    name: "export",
    group: "Record and keep",
    summary: "print a stored run",
    configured: ["store"],
    load: async () => (await import("./export.js")).exportCommand,
  },
  {
    name: "runs",
    group: "Record and keep",
    summary: "list, show or delete stored runs",
    configured: ["store"],
    load: async () => (await import("./runs.js")).runsCommand,
  },
  {
    name: "aggregate",
    group: "Score and compare",
    summary: "score a run against a golden set",
    configured: ["store", "scoring"],
    load: async () => (await import("./aggregate.js")).aggregateCommand,
  },
  {
    name: "datasets",
    group: "Label",
    summary: "list the datasets of the configuration, or check all of them",
    load: async () => (await import("./datasets.js")).datasetsCommand,
  },
  {
    name: "label",
    group: "Label",
    summary: "grade what a search returns, by a model, by people or offline, and keep it for good",
    load: async () => (await import("./label.js")).labelCommand,
  },
  {
    name: "ui",
    group: "Label",
    summary: "the workbench in the browser: queries, labels, comparisons, history",
    load: async () => (await import("./ui.js")).uiCommand,
  },
  {
    name: "batch",
    group: "Label",
    summary: "ask a live search every query of a dataset, and score it against the labels",
    configured: ["store"],
    makesStore: true,
    load: async () => (await import("./batch.js")).batchCommand,
  },
  {
    name: "work",
    group: "Label",
    summary: "do queries of builds and batches that others have put into the queue of a database",
    configured: ["store"],
    load: async () => (await import("./work.js")).workCommand,
  },
  {
    name: "audit",
    group: "Label",
    summary: "how far labels can be trusted: agreement with people, and samples for people to label",
    configured: ["store"],
    load: async () => (await import("./audit.js")).auditCommand,
  },
  {
    name: "compare",
    group: "Score and compare",
    summary:
      "compare runs with a baseline: what got better, what got worse, for which queries, and " +
      "whether it is real",
    configured: ["store", "scoring", "gates"],
    load: async () => (await import("./compare.js")).compareCommand,
  },
  {
    name: "tune",
    group: "Score and compare",
    summary: "search for the best way to fuse runs, and say whether it holds",
    configured: ["store"],
    makesStore: true,
    load: async () => (await import("./tune.js")).tuneCommand,
  },
  {
    name: "report",
    group: "Score and compare",
    summary: "show the scores of one run, or a stored result again, in any form",
    configured: ["store", "scoring"],
    load: async () => (await import("./report.js")).reportCommand,
  },
  {
    name: "power",
    group: "Score and compare",
    summary:
      "is the query set big enough? what difference it can detect, and how many queries a difference needs",
    load: async () => (await import("./power.js")).powerCommand,
  },
  {
    name: "agree",
    group: "Score and compare",
    summary: "how alike are rankings? without judgments: which queries changed most",
    load: async () => (await import("./agree.js")).agreeCommand,
  },
  {
    name: "paraphrases",
    group: "Score and compare",
    summary: "how steady a run is when one intent is worded differently",
    configured: ["store", "scoring"],
    load: async () => (await import("./paraphrases.js")).paraphrasesCommand,
  },
  {
    name: "evaluate",
    group: "Runs and judgments of other tools",
    summary: evaluateSummary,
    load: async () => (await import("./evaluate.js")).evaluateCommand,
  },
  {
    name: "merge",
    group: "Runs and judgments of other tools",
    summary: "make one evaluation of shards that were scored anywhere: the same bytes as in one pass",
    load: async () => (await import("./merge.js")).mergeCommand,
  },
  {
    name: "fuse",
    group: "Runs and judgments of other tools",
    summary: "make one run of several",
    load: async () => (await import("./fuse.js")).fuseCommand,
  },
  {
    name: "convert",
    group: "Runs and judgments of other tools",
    summary: "write a run, judgments or a golden set in another format",
    load: async () => (await import("./convert.js")).convertCommand,
  },
  {
    name: "bench",
    group: "Retrieval",
    summary:
      "do embeddings earn their keep? full text against embeddings against both, on one fixture, " +
      "and the decision",
    configured: ["fusion"],
    load: async () => (await import("./bench.js")).benchCommand,
  },
  {
    name: "search",
    group: "Retrieval",
    summary: "search a corpus, to look at hits by hand",
    configured: ["fusion"],
    load: async () => (await import("./search.js")).searchCommand,
  },
  {
    name: "metrics",
    group: "Score and compare",
    summary: "explain the metrics",
    load: async () => (await import("./metrics.js")).metricsCommand,
  },
  {
    name: "conformance",
    group: "Runs and judgments of other tools",
    summary: "score a collection with every profile, and show how many values other programs agree with",
    load: async () => (await import("./conformance.js")).conformanceCommand,
  },
  {
    name: "demo",
    group: "Begin",
    summary: "record and compare real runs over rankproof's own documentation",
    load: async () => (await import("./demo.js")).demoCommand,
  },
  {
    name: "completion",
    group: "Begin",
    summary: "print a script by which a shell completes commands, options and ids of stored runs",
    load: async () => (await import("./completion.js")).completionCommand,
  },
];
