import { probeEstimate, probeJudge, type ProbeOptions } from "../audit/index.js";
import { scorecardMetric } from "../batch/index.js";
import { wholeNumber } from "../foundation/checks/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { OTHER_RATER } from "../label/index.js";
import { Refused } from "./refused.js";
import {
  artifactsPath,
  auditLabeler,
  labelerFrom,
  labelerProbes,
  openLabelBuild,
  openStore,
  openTuning,
  readAuditedLabels,
  requireRater,
  scoreAuditedSystems,
  tuneLiveSearch,
  tuningForms,
  tuningScorecard,
  usualLabelBuild,
  usualLiveTuning,
  usualProbes,
  writeAudit,
  type AuditedLabels,
  type LabelBuildSettings,
  type LabelWatcher,
  type Tuning,
  type TuningStart,
} from "../node/index.js";
import {
  deepestOf,
  labelPlanText,
  labelsOfBoth,
  newBatchId,
  openProbeAnswers,
  probePlanText,
  tellCommand,
} from "../node/internal.js";
import type { WorkbenchPlan, WorkbenchWork } from "../records/index.js";
import { BATCH_TOP_K, CONCURRENCY } from "./batch-job.js";
import type { DatasetCollection } from "./collections/dataset-collection.js";
import type { ProjectPlaces } from "./project-places.js";
import type { JobReport, JobStart, JobWork } from "./jobs.js";
import { printPrice } from "./print-price.js";
import { Thread } from "./thread.js";
import type { ThreadPlace } from "./project.js";

/** What systems are measured by in an audit, as on the command line. */
const AUDIT_METRIC = "nDCG@10";
/** Most batches that are fused. */
const MOST_FUSED = 6;

/**
 * What a page wants to be started.
 *
 * @param batches ids of the batches that there are.
 * @throws InputError `ARGUMENT` for what is no such work.
 */
export function checkWork(
  given: Readonly<Record<string, unknown>>,
  batches: readonly string[],
): WorkbenchWork {
  const { kind, deep, max_calls = null, runs, metric = null } = given;
  if (kind === "labels") {
    if (max_calls !== null) wholeNumber("max_calls", max_calls as number, 1);
    return { kind, deep: deep === true, max_calls: max_calls as number | null };
  }
  if (kind === "probe") return { kind };
  if (kind === "backend") return { kind, resume: given["resume"] === true };
  if (kind !== "fusion")
    throw new InputError(
      "ARGUMENT",
      `there is no work ${quote(kind)}; known are labels, probe, fusion and backend`,
    );
  const chosen = Array.isArray(runs) ? [...new Set(runs as unknown[])] : [];
  const known = chosen.filter((run): run is string => typeof run === "string" && batches.includes(run));
  if (known.length < 2 || known.length > MOST_FUSED || known.length < chosen.length)
    throw new InputError(
      "ARGUMENT",
      `2 to ${MOST_FUSED} batches of this dataset are fused, with runs that the store has; choose them`,
    );
  if (metric !== null && typeof metric !== "string")
    throw new InputError("ARGUMENT", `metric must be the name of one, got ${quote(metric)}`);
  if (metric !== null) scorecardMetric(metric);
  return { kind, runs: known, metric };
}

/**
 * How work is started.
 *
 * @param commandFolder where commands of the configuration may be run; undefined where they may not.
 */
export function startOf(
  work: WorkbenchWork,
  collection: DatasetCollection,
  place: ThreadPlace,
  commandFolder: string | undefined,
): JobStart {
  const ofCollection = { kind: work.kind, collection: collection.id };
  switch (work.kind) {
    case "labels":
      return { ...ofCollection, unit: "query", work: labelJob(collection, place.places, work) };
    case "probe":
      return { ...ofCollection, unit: "request", work: probeJob(collection, place.places) };
    case "fusion":
      return { ...ofCollection, unit: "step", work: fusionJob(collection.id, place, work) };
    case "backend": {
      const folder = requireFolder(commandFolder);
      return {
        ...ofCollection,
        unit: "configuration",
        work: backendJob(collection, place.places, folder, work),
      };
    }
  }
}

type LabelsWork = Extract<WorkbenchWork, { kind: "labels" }>;

function buildSettings({ labels }: ProjectPlaces, { deep, max_calls }: LabelsWork): LabelBuildSettings {
  return {
    ...usualLabelBuild,
    ...(labels !== undefined && { labels }),
    ...(deep && { deep }),
    ...(max_calls !== null && { maxCalls: max_calls }),
  };
}

/** Nothing to watch: a plan. */
const UNWATCHED: LabelWatcher = {
  signal: new AbortController().signal,
  onWarning: () => undefined,
  onNote: () => undefined,
  onProgress: () => undefined,
  onFailed: () => undefined,
  onBuild: () => undefined,
};

/** Labels what has no label; the same as `rankproof label build`. */
function labelJob(collection: DatasetCollection, places: ProjectPlaces, work: LabelsWork): JobWork {
  return async (tell, signal) => {
    const dataset = await collection.dataset();
    let failed = 0;
    const watcher: LabelWatcher = {
      signal,
      onWarning: (message) => tell({ message }),
      onNote: (message) => tell({ message }),
      onProgress: (message) => tell({ message }),
      onFailed: (query, message) => tell({ failed: ++failed, message: `${query}: ${message}` }),
      onBuild: ({ queries, calls, cost }) => tell({ done: queries, calls, price: printPrice(cost) }),
    };
    const opened = await openLabelBuild(places.config, dataset, buildSettings(places, work), watcher, false);
    try {
      tell({ total: opened.queries, message: `${opened.name} labels` });
      const { summary, failed: without } = await opened.run();
      // Queries of which nothing came back are done, too.
      if (summary.isDone) tell({ done: opened.queries - without.count });
      const { pairs, known, unusable } = summary;
      const { graded, cannot_tell, invalid, refused } = summary.answers;
      const others = cannot_tell + invalid + refused;
      return {
        result: null,
        message:
          `${opened.name} gave ${graded} new labels; ${known - unusable} of ${pairs} were there` +
          (unusable > 0 ? `; ${unusable} had no usable answer before` : "") +
          (others > 0 ? `; ${others} answers have no grade` : "") +
          (without.count > 0 ? `; the search failed for ${without.count}: ${without.first}` : "") +
          (summary.isDone ? "" : "; the limit of requests ended it, and the next build goes on") +
          (summary.isOtherRater ? `; ${OTHER_RATER}, and the next build asks for what is left` : ""),
      };
    } finally {
      await opened.close();
    }
  };
}

/** A labeler that is tried, and what it has labelled. */
async function probesOf(
  collection: DatasetCollection,
  { config, labels: path }: ProjectPlaces,
): Promise<{
  readonly labels: AuditedLabels;
  readonly second: { readonly name: string; readonly rater: string };
  readonly options: ProbeOptions;
}> {
  const dataset = await collection.dataset();
  const labels = await readAuditedLabels(config, dataset, path);
  const { name, rater: known } = await labels.labeler(undefined);
  const rater = requireRater({ name, rater: known }, dataset);
  const options = await labelerProbes(config, dataset, { labels, rater }, usualProbes);
  return { labels, second: { name, rater }, options };
}

/** Tries the labeler and audits its labels; the same as `rankproof audit --probe`. */
function probeJob(collection: DatasetCollection, places: ProjectPlaces): JobWork {
  return async (tell, signal) => {
    const { config, store } = places;
    const dataset = await collection.dataset();
    const { labels, second, options } = await probesOf(collection, places);
    const answers = openProbeAnswers(artifactsPath(config), dataset.id);
    tell({ message: `${options.name} is tried with changed items` });
    const probes = await probeJudge({
      ...options,
      answers,
      signal,
      onProgress: (done, total) => tell({ done, total, calls: Math.max(0, done - answers.used) }),
    });
    tell({ message: "auditing" });
    const pair = { first: null, second };
    const metric = scorecardMetric(AUDIT_METRIC);
    const labelled = labelsOfBoth(labels, pair);
    const onNote = (message: string): void => tell({ message });
    const systems = await scoreAuditedSystems({ config, dataset, store, metric, ...labelled, onNote });
    const audit = auditLabeler(dataset, labels, pair, { seed: usualProbes.seed, metric, systems, probes });
    return { result: null, message: `written to ${writeAudit(artifactsPath(config), audit)}` };
  };
}

/** Searches for the best weights of batches, in a thread of its own. */
function fusionJob(
  collection: string,
  place: ThreadPlace,
  { runs, metric }: Extract<WorkbenchWork, { kind: "fusion" }>,
): JobWork {
  return async (tell, signal) => {
    const tuning = newBatchId();
    const thread = new Thread(place);
    const stop = (): void => void thread.close();
    signal.addEventListener("abort", stop);
    try {
      tell({ message: "reading the batches", result: tuning });
      const text = await thread.ask(
        { kind: "fuse", search: { collection, runs, metric, tuning } },
        {
          onProgress: ({ what, done, total }): void =>
            tell({ message: what, done, total } satisfies JobReport),
        },
      );
      return { result: tuning, message: JSON.parse(text) as string };
    } finally {
      signal.removeEventListener("abort", stop);
      await thread.close();
    }
  };
}

/** @throws Refused where the page may not run commands. */
function requireFolder(commandFolder: string | undefined): string {
  if (commandFolder === undefined)
    throw new Refused(
      403,
      "this page may not run the commands of the configuration; start it with `rankproof ui --allow-run`",
    );
  return commandFolder;
}

/** A tuning of the live search, as the configuration has it. */
async function tuningOf(
  collection: DatasetCollection,
  { config }: ProjectPlaces,
  folder: string,
  start: Omit<TuningStart, "topK">,
): Promise<Tuning> {
  const dataset = await collection.dataset();
  const measured = tuningScorecard(config, dataset);
  const topK = Math.max(BATCH_TOP_K, deepestOf(measured.scorecard));
  return openTuning({ config, dataset, ...measured }, { ...start, topK }, folder);
}

/** What a tuning would do. */
function backendPlanText({ plan, dataset, experiments, backend }: Tuning, isBegun: boolean): string {
  const { files, hook, restart } = backend.config;
  const named = files.map((file) => `\`${file}\``).join(", ");
  const settings = experiments.length === 1 ? "1 setting" : `${experiments.length} settings`;
  return (
    `${isBegun ? `It goes on with ${plan.tuning_id}. ` : ""}It tries ${settings} besides the original one ` +
    `on the live search, with ${dataset.queries.length} queries each. For each it ` +
    (hook === undefined ? `writes ${named}` : `runs ${tellCommand(hook)}, which changes ${named},`) +
    (restart === undefined ? "" : ` and runs ${tellCommand(restart)}`) +
    ". However it ends, the original configuration comes back."
  );
}

/** Tries the experiments of the configuration on the live search; the same as `rankproof tune backend`. */
function backendJob(
  collection: DatasetCollection,
  places: ProjectPlaces,
  folder: string,
  { resume }: Extract<WorkbenchWork, { kind: "backend" }>,
): JobWork {
  return async (tell, signal, before) => {
    const tuning = await tuningOf(collection, places, folder, {
      resume: before ?? (resume ? true : undefined),
    });
    const { files, plan, metric } = tuning;
    const say = (message: string): void => tell({ message });
    tell({ result: plan.tuning_id });
    const store = await openStore(places.store, { create: true });
    try {
      const settings = {
        ...usualLiveTuning,
        topK: plan.top_k,
        concurrency: CONCURRENCY,
        labels: places.labels,
      };
      const { report } = await tuneLiveSearch(tuning, store, settings, {
        signal,
        onProgress: say,
        onWarning: say,
        onCount: (done, total) => tell({ done, total }),
        asking: (name) => ({
          signal,
          onWarning: say,
          onProgress: ({ done, total, failed }) =>
            tell({
              message: `${name}: ${done} of ${total} queries${failed > 0 ? `, ${failed} failed` : ""}`,
            }),
        }),
        onMeasured: (name, mean) => say(`${name}: ${metric.name} ${mean?.toFixed(4) ?? "has no score"}`),
      });
      for (const write of tuningForms(report)) write(files);
      return { result: plan.tuning_id, message: report.verdict.sentence };
    } finally {
      await store.close();
    }
  };
}

/** What work would take; a batch that has its answers labelled, too. */
export async function planOf(
  work: WorkbenchWork | { readonly kind: "batch" },
  collection: DatasetCollection,
  places: ProjectPlaces,
  commandFolder: string | undefined,
): Promise<WorkbenchPlan> {
  const dataset = await collection.dataset();
  const { config } = places;
  if (work.kind === "backend") {
    const { resume } = work;
    const start = { resume: resume ? (true as const) : undefined, isDry: true };
    const tuning = await tuningOf(collection, places, requireFolder(commandFolder), start);
    return { text: backendPlanText(tuning, resume), is_paid: false };
  }
  if (work.kind === "fusion") return { text: "It computes on this machine.", is_paid: false };
  // The built-in labeler is the only one of which it is known that it costs nothing.
  const is_paid = labelerFrom(config, dataset, undefined).settings.kind !== "overlap";
  if (work.kind === "probe") {
    const { options } = await probesOf(collection, places);
    const answers = openProbeAnswers(artifactsPath(config), dataset.id);
    return { text: `${probePlanText(probeEstimate({ ...options, answers }), options.name)}.`, is_paid };
  }
  const settings =
    work.kind === "labels"
      ? buildSettings(places, work)
      : {
          ...buildSettings(places, { kind: "labels", deep: false, max_calls: null }),
          annotateSearchTopK: BATCH_TOP_K,
          annotateRerankTopK: 0,
        };
  const opened = await openLabelBuild(config, dataset, settings, UNWATCHED, true);
  try {
    return { text: `${labelPlanText(await opened.plan(), opened.name)}.`, is_paid };
  } finally {
    await opened.close();
  }
}
