import { dirname } from "node:path";
import type { Command } from "commander";
import { InputError, isRankproofError, type BackendTuning } from "../../index.js";
import {
  configPath,
  openStore,
  openTuning,
  projectConfig,
  tuneLiveSearch,
  tuningForms,
  tuningScorecard,
  type AskOptions,
  type LiveTuningWatcher,
  type RunExperimentsOptions,
  type Tuning,
} from "../../node/index.js";
import { checkDepth, readKeptExperiment } from "../../node/internal.js";
import { renderTuningText, tuningOutputs } from "../../report/index.js";
import { applyBest, checkAppliable } from "../apply-best.js";
import {
  annotateLabels,
  watcherOf,
  hitsOptionsOf,
  scorecardOptionsOf,
  type AnnotateFlags,
  type ScorecardFlags,
} from "../batch-work.js";
import { datasetFrom, datasetOptionsOf, labelerOptionOf } from "../dataset-flags.js";
import { DEFAULT_STORE } from "../defaults.js";
import { formWriter } from "../form-writer.js";
import {
  checkHoldOut,
  checkIsBetter,
  forceNote,
  holdOutOptionsOf,
  validationOf,
  type HoldOutFlags,
} from "../hold-out-flags.js";
import { splitNames } from "../../compare/index.js";
import { isFormPrinted, outputOptionsOf, listWantedOutputs } from "../output-flags.js";
import { poolText } from "../pool-text.js";
import { plainLine, type Terminal } from "../terminal.js";
import { examples, storeOption } from "./cli-command.js";
import { formatJson } from "../format-json.js";
import { OutputOption } from "../output-option.js";
import { askingOptionsOf } from "../asking-flags.js";

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
              "original configuration always comes back",
          )
          .argument("[dataset]", "of the configuration, with a backend that `tuning` says how to configure"),
      ),
    ),
  )
    .option("--experiments-file <file>", "what is tried: JSON or YAML with `experiments`, `space` or both")
    .option("--score-metric <name>", "what is tuned for (default: the metric that decides in the scorecard)");
  holdOutOptionsOf(askingOptionsOf(hitsOptionsOf(scorecardOptionsOf(command))))
    .option("--resume [tuning]", "go on with this tuning, or the last one: what it has measured is kept")
    .option("--retry-failed", "with --resume: try experiments and queries that failed again")
    .addOption(new OutputOption("--pool <file>", "write the hits in view without a label, as JSON lines"))
    .option("--apply-best", "write the best setting into the configuration, if it holds for queries held out")
    .option("--force", "with --apply-best: write it though it does not hold")
    .option("--json", "print JSON");
  outputOptionsOf(command, tuningOutputs)
    .addHelpText(
      "after",
      "\nWhat it changes and how it restarts the search stands in the configuration: `tuning`, see " +
        "docs/tuning.md.\nThe original configuration comes back at the end, on errors, on Ctrl-C, and " +
        "after a kill.\n" +
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
  terminal.leanHeap?.();
  checkFlags(flags);
  const config = await projectConfig(terminal);
  const dataset = await datasetFrom(config, given, flags, terminal);
  const metrics = flags.metrics === undefined ? undefined : splitNames(flags.metrics);
  const measured = tuningScorecard(config, dataset, { ...flags, metrics });
  checkDepth(measured.scorecard, flags.topK);
  const path = configPath(terminal);
  const project = path === undefined ? undefined : dirname(path);
  const tuning = await openTuning({ config, dataset, ...measured }, flags, project);
  const store = await openStore(flags.store ?? DEFAULT_STORE, { create: true });
  try {
    const { report, unjudged } = await tuneLiveSearch(
      tuning,
      store,
      {
        ...flags,
        validation: validationOf(flags),
        annotate:
          flags.annotate === true
            ? (made) => annotateLabels(made, dataset, config, { ...flags, isOneOfMany: true }, terminal)
            : undefined,
      },
      watcherIn(tuning, flags, terminal),
    );
    await reportOn(tuning, report, unjudged, flags, terminal);
  } finally {
    await store.close();
  }
}

/** Says what a tuning does. */
function watcherIn(
  { metric }: Tuning,
  { annotate }: TuneBackendFlags,
  terminal: Terminal,
): LiveTuningWatcher {
  const { signal } = terminal;
  signal.addEventListener("abort", () =>
    terminal.talk(
      "stopping: the original configuration is put back; after a second Ctrl-C a guard does that",
    ),
  );
  return {
    signal,
    ...progressOn(terminal),
    asking: (name) => watcherOf(terminal, `${plainLine(name)}: `),
    // What is to be labelled first has no score yet.
    onMeasured: (name, mean) =>
      terminal.talk(
        `${plainLine(name)}: ` +
          (annotate === true ? "measured" : `${metric.name} ${mean?.toFixed(4) ?? "has no score"}`),
      ),
  };
}

function checkFlags(flags: TuneBackendFlags): void {
  const { applyBest, retryFailed, resume } = flags;
  checkHoldOut(flags, [applyBest === true, "--apply-best"]);
  if (retryFailed === true && resume === undefined)
    throw new InputError("ARGUMENT", "--retry-failed is for --resume");
}

/** How the machinery says what it does. */
function progressOn(terminal: Terminal): Pick<RunExperimentsOptions, "onProgress" | "onWarning"> {
  return {
    onProgress: (what) => terminal.progress(plainLine(what)),
    onWarning: (message) => terminal.warn(message),
  };
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
  const { write, attempt, note, hasFailed, settle } = formWriter(terminal);
  const refused = await tryToApply(tuning, report, flags, terminal);
  const told = { ...report, applied: readKeptExperiment(files.folder) };
  for (const write of tuningForms(told)) attempt(() => write(files));
  if (!hasFailed()) terminal.talk(`wrote ${files.folder}/report.html, report.md and report.json`);
  for (const { output, file } of listWantedOutputs(flags, tuningOutputs))
    write(file, () => output.render(told));
  write(flags.pool, () => poolText(unjudged));
  if (flags.pool !== "-" && !isFormPrinted(flags, tuningOutputs))
    terminal.out(flags.json === true ? formatJson(told) : renderTuningText(told, terminal));
  if (refused !== undefined) note(refused);
  settle();
}

/** Why the best setting was not applied although that was wanted: the report is printed all the same. */
async function tryToApply(
  tuning: Tuning,
  report: BackendTuning,
  flags: TuneBackendFlags,
  terminal: Terminal,
): Promise<Error | undefined> {
  if (flags.applyBest !== true) return undefined;
  try {
    await applySettings(tuning, report, flags, terminal);
    return undefined;
  } catch (error) {
    if (isRankproofError(error)) return error;
    throw error;
  }
}

async function applySettings(
  tuning: Tuning,
  report: BackendTuning,
  flags: TuneBackendFlags,
  terminal: Terminal,
): Promise<void> {
  const { verdict, chosen } = report;
  checkAppliable(report);
  checkIsBetter(verdict, flags);
  terminal.progress(`applying ${plainLine(chosen.name)}`);
  const files = await applyBest(tuning, report, progressOn(terminal));
  terminal.talk(
    `wrote ${plainLine(chosen.name)} to ${files.join(", ")}, and restarted the search${forceNote(report)}`,
  );
}
