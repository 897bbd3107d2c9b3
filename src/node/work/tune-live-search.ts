import { backendTuning, findUnjudgedInView, type MeasuredExperiment } from "../../batch/index.js";
import { isRankproofError } from "../../foundation/errors/index.js";
import type { Validation } from "../../fusion-tuning/index.js";
import type { BackendTuning, EvalRun } from "../../records/index.js";
import { tuningOutputs } from "../../report/index.js";
import { loadStoredRun } from "../../runs/index.js";
import type { EvalStore } from "../../storage/index.js";
import { backendNamed } from "../datasets/batch-work.js";
import { labelsOfDataset, type LabelsChoice } from "../datasets/dataset-labels.js";
import { openLiveSearch, recordBatch, type AskOptions, type Watcher } from "../datasets/live-search.js";
import { backendFrom } from "../datasets/project-config.js";
import { groupsOfDataset } from "../datasets/query-groups.js";
import {
  experimentFiles,
  runExperiments,
  type RanExperiments,
  type RunExperimentsOptions,
  type TuningFiles,
} from "../tuning/index.js";
import { runIdFor, scoreExperiment } from "./score-experiment.js";
import { interruptionOf, type Tuning } from "./tuning-plan.js";

/** How a live search is asked, scored and held out while it is tuned. */
export interface LiveTuningSettings extends AskOptions, LabelsChoice {
  /** Of parts, sign flips and resamples. */
  readonly seed: number;
  /** What the held-out gain must exceed. */
  readonly margin: number;
  /** The share of the interval. */
  readonly confidence: number;
  /** How queries are held out; each by itself by default. */
  readonly validation?: Validation | undefined;
  /** Labels what came back with one configuration, before all are scored by the same labels. */
  readonly annotate?: ((run: EvalRun) => Promise<void>) | undefined;
}

/** Who watches a tuning, and may end it: then the original configuration is back before it has ended. */
export interface LiveTuningWatcher extends Pick<
  RunExperimentsOptions,
  "signal" | "onProgress" | "onWarning" | "onCount"
> {
  /** Watches the queries that one configuration is asked. */
  readonly asking: (name: string) => Watcher;
  /** Called with the mean of a configuration by the labels so far; null where no query has a score. */
  readonly onMeasured: (name: string, mean: number | null) => void;
}

/** What a tuning of a live search came to. */
export interface TunedLiveSearch {
  readonly report: BackendTuning;
  /** Hits in view without a label, by query. */
  readonly unjudged: ReadonlyMap<string, readonly string[]>;
}

/** Settings of a tuning that nobody says anything about. */
export const usualLiveTuning = { seed: 1, margin: 0, confidence: 0.95 } as const;

/**
 * Tries every experiment on the live search, one after another, puts its original configuration back, and
 * says which setting is best and whether that holds for queries held out.
 *
 * @throws AdapterError `RUN_INCOMPLETE` where the signal ended it: what was measured is kept.
 */
export async function tuneLiveSearch(
  tuning: Tuning,
  store: EvalStore,
  settings: LiveTuningSettings,
  watcher: LiveTuningWatcher,
): Promise<TunedLiveSearch> {
  const { config, dataset, metric, plan } = tuning;
  const known = new Map<string, MeasuredExperiment>();
  const ran = await experiment(tuning, store, known, settings, watcher);
  const measured = await scoreAll(tuning, ran, store, known, settings, watcher);
  const report = backendTuning(
    {
      ...ran,
      measured,
      metric,
      tuningId: plan.tuning_id,
      dataset: dataset.id,
      tenant: dataset.tenant,
      backend: backendNamed(dataset, backendFrom(config, dataset)),
      topK: settings.topK,
      queries: dataset.queries,
      startedAt: plan.started_at,
      evaluatedAt: new Date().toISOString(),
    },
    { ...settings, groups: await groupsOfDataset(dataset) },
  );
  return { report, unjudged: findUnjudgedInView(measured.values()) };
}

/** Runs what is left of the experiments, and puts their scores into `known`. */
async function experiment(
  tuning: Tuning,
  store: EvalStore,
  known: Map<string, MeasuredExperiment>,
  settings: LiveTuningSettings,
  watcher: LiveTuningWatcher,
): Promise<RanExperiments> {
  const { config, dataset, experiments } = tuning;
  const { stopAfterFailures } = config;
  const { signal, onWarning } = watcher;
  const judgments = await labelsOfDataset(config, dataset, settings, onWarning);
  try {
    return await runExperiments({
      ...tuning.backend,
      ...watcher,
      experiments,
      retryFailed: settings.retryFailed,
      stopAfterFailures,
      measure: async (name, files) => {
        const search = await openLiveSearch(config, dataset, settings.topK, { signal, onWarning });
        try {
          const { runId, isBegun } = runIdFor(files);
          const asked = { ...settings, runId, store, resume: isBegun, stopAfterFailures };
          const run = await recordBatch(search, asked, watcher.asking(name));
          const own = search.own ?? null;
          const measured = scoreExperiment(tuning, run, judgments, files, { seed: settings.seed, own });
          known.set(name, measured);
          watcher.onMeasured(name, measured.mean);
          return measured.failed.size;
        } finally {
          await search.backend.close?.();
        }
      },
    });
  } catch (error) {
    const isRestored = !(isRankproofError(error) && error.code === "TUNING_RESTORE");
    if (signal.aborted && isRestored) throw interruptionOf(tuning, error);
    throw error;
  }
}

/**
 * Scores all that was measured by the same labels, after what lacks one was labelled, if that is wanted; what
 * is known already is not scored again unless labels came since.
 */
async function scoreAll(
  tuning: Tuning,
  { tried }: RanExperiments,
  store: EvalStore,
  known: ReadonlyMap<string, MeasuredExperiment>,
  settings: LiveTuningSettings,
  { onProgress, onWarning }: LiveTuningWatcher,
): Promise<Map<string, MeasuredExperiment>> {
  const { config, dataset, experiments, files } = tuning;
  const { annotate } = settings;
  const measured = [null, ...experiments].flatMap((each, at) =>
    tried[at]?.error === null
      ? [{ name: tried[at].name, files: experimentFiles(files.folder, each, at) }]
      : [],
  );
  const runOf = (each: TuningFiles): Promise<EvalRun> => loadStoredRun(store, runIdFor(each).runId);
  if (annotate !== undefined) for (const each of measured) await annotate(await runOf(each.files));
  const judgments = await labelsOfDataset(config, dataset, settings, onWarning);
  const scores = new Map<string, MeasuredExperiment>();
  for (const { name, files: own } of measured) {
    onProgress(`scoring ${name}`);
    const before = annotate === undefined ? known.get(name) : undefined;
    scores.set(name, before ?? scoreExperiment(tuning, await runOf(own), judgments, own, settings));
  }
  return scores;
}

/** Everything that is written of a tuning that has ended, each by itself; last what says that it has. */
export function tuningForms(report: BackendTuning): readonly ((files: TuningFiles) => void)[] {
  return [
    ...tuningOutputs.map((output) => (files: TuningFiles) => {
      files.write(`report.${output.name}`, output.render(report));
    }),
    (files) => void files.write("report.json", `${JSON.stringify(report, null, 2)}\n`),
  ];
}
