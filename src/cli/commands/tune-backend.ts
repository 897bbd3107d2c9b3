import type { Command } from "commander";
import { backendTuning, unjudgedInView, type MeasuredExperiment } from "../../batch/index.js";
import { GateError, InputError, isRankproofError, type BackendTuning } from "../../index.js";
import {
  experimentFiles,
  openStore,
  runExperiments,
  type Dataset,
  type RanExperiments,
  type RunExperimentsOptions,
  type TuningFiles,
  backendNamed,
  checkDepth,
  backendFrom,
  projectConfig,
  labelsOfDataset,
  openLiveSearch,
  recordBatch,
  type AskOptions,
} from "../../node/index.js";
import type { EvalRun } from "../../records/index.js";
import { renderTuningText, tuningOutputs } from "../../report/index.js";
import { loadStoredRun } from "../../runs/index.js";
import type { EvalStore } from "../../storage/index.js";
import { applyBest, checkAppliable } from "../apply-best.js";
import { annotated, type AnnotateFlags, type ScorecardFlags, warningsOf, watcherOf } from "../batch-work.js";
import { datasetFrom, datasetOptionsOf, labelerOptionOf } from "../dataset-flags.js";
import { DEFAULT_STORE } from "../defaults.js";
import { formWriter } from "../form-writer.js";
import { checkHoldOut, holdOutOptionsOf, validationOf, type HoldOutFlags } from "../hold-out-flags.js";
import { leanHeap } from "../lean-heap.js";
import { runIdFor, scoreExperiment } from "../score-experiment.js";
import { aNumber, wholeNumber } from "../number-flag.js";
import { outputOptionsOf, wantedOutputs } from "../output-flags.js";
import { groupsOf } from "../query-groups.js";
import { poolText } from "../pool-text.js";
import { counted, plainLine, type Terminal } from "../terminal.js";
import { interruptedTuning, openTuning, tuningScorecard, type Tuning } from "../tuning-plan.js";
import { examples, printedJson, storeOption } from "./cli-command.js";

/** What `tune backend` is told. */
interface TuneBackendFlags extends AnnotateFlags, AskOptions, HoldOutFlags, ScorecardFlags {
  experimentsFile?: string;
  scoreMetric?: string;
  store?: string;
  resume?: string | true;
  pool?: string;
  applyBest?: true;
  json?: true;
}

/** `tune backend`. */
export function defineTuneBackend(tune: Command, terminal: Terminal): void {
  const command = storeOption(
    labelerOptionOf(
      datasetOptionsOf(
        tune
          .command("backend")
          .description(
            "try settings on a live search, one after another, and say whether the best holds; its " +
              "original " +
              "configuration always comes back",
          )
          .argument("[dataset]", "of the configuration, with a backend that `tuning` says how to configure"),
      ),
    ),
  )
    .option("--experiments-file <file>", "what is tried: JSON or YAML with `experiments`, `space` or both")
    .option("--score-metric <name>", "what is tuned for (default: the metric that decides in the scorecard)")
    .option("--scorecard <name>", "one of the configuration (default: that of the dataset, or `search`)")
    .option("-m, --metrics <names>", "these metrics in its place")
    .option("--top-k <n>", "hits that are asked for", wholeNumber("top-k"), 50)
    .option("--annotate", "label what came back and has no label of the labeler yet (may cost money)")
    .option("--concurrency <n>", "most queries at once", wholeNumber("concurrency"), 4)
    .option(
      "--timeout <ms>",
      "longest time for one query; after it the query has failed",
      aNumber("timeout"),
    );
  holdOutOptionsOf(command)
    .option("--resume [tuning]", "go on with this tuning, or the last one: what it has measured is kept")
    .option("--retry-failed", "with --resume: try experiments and queries that failed again")
    .option("--pool <file>", "write the hits in view without a label, as JSON lines")
    .option("--apply-best", "write the best setting into the configuration, if it holds for queries held out")
    .option("--force", "with --apply-best: write it though it does not hold")
    .option("--json", "print JSON");
  outputOptionsOf(command, tuningOutputs)
    .addHelpText(
      "after",
      "\nWhat it changes and how it restarts the search stands in the configuration: `tuning`, see " +
        "docs/tuning.md.\nThe original configuration comes back at the end, on errors, on Ctrl-C, and " +
        "after " +
        "a kill.\n" +
        examples(
          "tune backend shop --experiments-file experiments.yaml",
          "tune backend shop --experiments-file experiments.yaml --score-metric nDCG@10 --html tuning.html",
          "tune backend shop --resume",
          "tune backend shop --resume --apply-best",
        ),
    )
    .action((dataset: string | undefined, flags: TuneBackendFlags) => run(dataset, flags, terminal));
}

async function run(given: string | undefined, flags: TuneBackendFlags, terminal: Terminal): Promise<void> {
  leanHeap();
  checkFlags(flags);
  const config = await projectConfig(terminal);
  const dataset = await datasetFrom(config, given, flags, terminal);
  const { scorecard, metric } = tuningScorecard(config, dataset, flags);
  checkDepth(scorecard, flags.topK);
  const tuning = await openTuning({ config, dataset, scorecard, metric }, flags, terminal);
  const store = await openStore(flags.store ?? DEFAULT_STORE, { create: true });
  try {
    const known = new Map<string, MeasuredExperiment>();
    const ran = await experimented(tuning, store, known, flags, terminal);
    const measured = await scored(tuning, ran, store, known, flags, terminal);
    const report = backendTuning(
      {
        ...ran,
        measured,
        metric,
        tuningId: tuning.plan.tuning_id,
        dataset: dataset.id,
        tenant: dataset.tenant,
        backend: backendNamed(dataset, backendFrom(config, dataset)),
        topK: flags.topK,
        queries: dataset.queries,
        startedAt: tuning.plan.started_at,
        evaluatedAt: new Date().toISOString(),
      },
      { ...flags, validation: validationOf(flags), groups: await groupsOfDataset(dataset) },
    );
    await reportOn(tuning, report, unjudgedInView(measured.values()), flags, terminal);
  } finally {
    await store.close();
  }
}

function checkFlags(flags: TuneBackendFlags): void {
  const { applyBest, retryFailed, resume } = flags;
  checkHoldOut(flags, [applyBest === true, "--apply-best"]);
  if (retryFailed === true && resume === undefined)
    throw new InputError("ARGUMENT", "--retry-failed is for --resume");
}

/** The groups of paraphrases, where the queries are a golden set. */
async function groupsOfDataset({ config }: Dataset): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    return await groupsOf(config.queries);
  } catch (error) {
    if (isRankproofError(error)) return undefined;
    throw error;
  }
}

/** How the machinery says what it does. */
function toldBy(terminal: Terminal): Pick<RunExperimentsOptions, "onProgress" | "onWarning"> {
  return {
    onProgress: (what) => terminal.progress(plainLine(what)),
    onWarning: (message) => terminal.talk(`${terminal.paint("warning:", "strong")} ${message}`),
  };
}

/** Runs what is left of the experiments, and puts their scores into `known`. */
async function experimented(
  tuning: Tuning,
  store: EvalStore,
  known: Map<string, MeasuredExperiment>,
  flags: TuneBackendFlags,
  terminal: Terminal,
): Promise<RanExperiments> {
  const { config, dataset, metric, experiments } = tuning;
  const { stopAfterFailures } = config;
  const judgments = await labelsOfDataset(config, dataset, flags, warningsOf(terminal));
  terminal.signal.addEventListener("abort", () =>
    terminal.talk(
      "stopping: the original configuration is put back; after a second Ctrl-C a guard does that",
    ),
  );
  try {
    return await runExperiments({
      ...tuning.backend,
      experiments,
      retryFailed: flags.retryFailed,
      stopAfterFailures,
      signal: terminal.signal,
      ...toldBy(terminal),
      measure: async (name, files) => {
        const search = await openLiveSearch(config, dataset, flags.topK, watcherOf(terminal));
        try {
          const { runId, isBegun } = runIdFor(files);
          const asked = {
            ...flags,
            runId,
            store,
            resume: isBegun,
            stopAfterFailures,
          };
          const run = await recordBatch(search, asked, watcherOf(terminal, `${plainLine(name)}: `));
          const measured = scoreExperiment(tuning, run, judgments, files, {
            ...flags,
            own: search.own ?? null,
          });
          const { mean, failed } = measured;
          known.set(name, measured);
          // What is to be labelled first has no score yet.
          terminal.talk(
            `${plainLine(name)}: ` +
              `${flags.annotate === true ? "measured" : `${metric.name} ${mean.toFixed(4)}`}`,
          );
          return failed.size;
        } finally {
          await search.backend.close?.();
        }
      },
    });
  } catch (error) {
    const isRestored = !(isRankproofError(error) && error.code === "TUNING_RESTORE");
    if (terminal.signal.aborted && isRestored) throw interruptedTuning(tuning, error);
    throw error;
  }
}

/**
 * Scores all that was measured by the same labels, after what lacks one was labelled, if that is wanted; what
 * is known already is not scored again unless labels came since.
 */
async function scored(
  tuning: Tuning,
  { tried }: RanExperiments,
  store: EvalStore,
  known: ReadonlyMap<string, MeasuredExperiment>,
  flags: TuneBackendFlags,
  terminal: Terminal,
): Promise<Map<string, MeasuredExperiment>> {
  const { config, dataset, experiments, files } = tuning;
  const measured = [null, ...experiments].flatMap((experiment, at) =>
    tried[at]?.error === null
      ? [{ name: tried[at].name, files: experimentFiles(files.folder, experiment, at) }]
      : [],
  );
  const runOf = (each: TuningFiles): Promise<EvalRun> => loadStoredRun(store, runIdFor(each).runId);
  if (flags.annotate === true)
    for (const each of measured)
      await annotated(await runOf(each.files), dataset, config, { ...flags, isOneOfMany: true }, terminal);
  const judgments = await labelsOfDataset(config, dataset, flags, warningsOf(terminal));
  const scores = new Map<string, MeasuredExperiment>();
  for (const { name, files: own } of measured) {
    terminal.progress(`scoring ${plainLine(name)}`);
    const before = flags.annotate === true ? undefined : known.get(name);
    scores.set(name, before ?? scoreExperiment(tuning, await runOf(own), judgments, own, flags));
  }
  return scores;
}

/** Writes and prints the report, and applies what is the best, if that is wanted. */
async function reportOn(
  tuning: Tuning,
  report: BackendTuning,
  unjudged: ReadonlyMap<string, readonly string[]>,
  flags: TuneBackendFlags,
  terminal: Terminal,
): Promise<void> {
  const { files } = tuning;
  const { write, attempt, unwritten } = formWriter(terminal);
  const refused = await triedToApply(tuning, report, flags, terminal);
  const isApplied = flags.applyBest === true && refused === undefined;
  const told = { ...report, applied: isApplied ? report.chosen.name : null };
  attempt(() => files.write("report.json", printedJson(told)));
  for (const output of tuningOutputs)
    attempt(() => files.write(`report.${output.name}`, output.render(told)));
  if (unwritten.length === 0) terminal.talk(`wrote ${files.folder}/report.html, report.md and report.json`);
  for (const { output, file } of wantedOutputs(flags, tuningOutputs)) write(file, () => output.render(told));
  write(flags.pool, () => poolText(unjudged));
  terminal.out(flags.json === true ? printedJson(told) : renderTuningText(told, terminal));
  if (refused !== undefined) throw refused;
  const [first] = unwritten;
  if (first !== undefined) throw first;
}

/** Why the best setting was not applied although that was wanted: the report is printed all the same. */
async function triedToApply(
  tuning: Tuning,
  report: BackendTuning,
  flags: TuneBackendFlags,
  terminal: Terminal,
): Promise<Error | undefined> {
  if (flags.applyBest !== true) return undefined;
  try {
    await applied(tuning, report, flags, terminal);
    return undefined;
  } catch (error) {
    if (isRankproofError(error)) return error;
    throw error;
  }
}

async function applied(
  tuning: Tuning,
  report: BackendTuning,
  { force }: TuneBackendFlags,
  terminal: Terminal,
): Promise<void> {
  const { verdict, chosen } = report;
  checkAppliable(report);
  if (verdict.kind !== "better" && force !== true)
    throw new GateError(
      "NOT_BETTER",
      `not applied: ${verdict.sentence} With --force it is written all the same.`,
    );
  terminal.progress(`applying ${plainLine(chosen.name)}`);
  const files = await applyBest(tuning, report, toldBy(terminal));
  terminal.talk(
    `wrote ${plainLine(chosen.name)} to ${files.join(", ")}, and restarted the search` +
      (verdict.kind === "better"
        ? ""
        : `, by force: ${counted(report.queries, "query")} do not show that it holds`),
  );
}
