import { randomBytes } from "node:crypto";
import { probeEstimate, probeJudge, type ProbeOptions } from "../audit/index.js";
import { batchId, scorecardMetric } from "../batch/index.js";
import { wholeNumber } from "../foundation/checks/index.js";
import { InputError, shown } from "../foundation/errors/index.js";
import {
  artifactsPath,
  auditedLabels,
  labelsOfBoth,
  auditedSystems,
  auditLabeler,
  labelerFrom,
  labelerProbes,
  labelPlanText,
  openLabelBuild,
  openProbeAnswers,
  probePlanText,
  requiredRater,
  usualLabelBuild,
  usualProbes,
  writeAudit,
  type AuditedLabels,
  type LabelBuildSettings,
  type LabelWatcher,
} from "../node/index.js";
import type { WorkbenchPlan, WorkbenchWork } from "../records/index.js";
import { BATCH_TOP_K } from "./batch-job.js";
import type { DatasetCollection, ProjectPlaces } from "./collections/dataset-collection.js";
import type { JobReport, JobStart, JobWork } from "./jobs.js";
import { printedPrice } from "./printed-price.js";
import { Thread, type ThreadPlace } from "./thread.js";

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
export function wantedWork(
  given: Readonly<Record<string, unknown>>,
  batches: readonly string[],
): WorkbenchWork {
  const { kind, deep, max_calls = null, runs, metric = null } = given;
  if (kind === "labels") {
    if (max_calls !== null) wholeNumber("max_calls", Number(max_calls), 1);
    return { kind, deep: deep === true, max_calls: max_calls === null ? null : Number(max_calls) };
  }
  if (kind === "probe") return { kind };
  if (kind !== "fusion")
    throw new InputError("ARGUMENT", `there is no work ${shown(kind)}; known are labels, probe and fusion`);
  const chosen = Array.isArray(runs) ? [...new Set(runs as unknown[])] : [];
  const known = chosen.filter((run): run is string => typeof run === "string" && batches.includes(run));
  if (known.length < 2 || known.length > MOST_FUSED || known.length < chosen.length)
    throw new InputError("ARGUMENT", `2 to ${MOST_FUSED} batches of this dataset are fused; choose them`);
  if (metric !== null && typeof metric !== "string")
    throw new InputError("ARGUMENT", `metric must be the name of one, got ${shown(metric)}`);
  if (metric !== null) scorecardMetric(metric);
  return { kind, runs: known, metric };
}

/** How work is started. */
export function startOf(work: WorkbenchWork, collection: DatasetCollection, place: ThreadPlace): JobStart {
  const ofCollection = { kind: work.kind, collection: collection.id };
  switch (work.kind) {
    case "labels":
      return { ...ofCollection, unit: "query", work: labelJob(collection, place.places, work) };
    case "probe":
      return { ...ofCollection, unit: "request", work: probeJob(collection, place.places) };
    case "fusion":
      return { ...ofCollection, unit: "step", work: fusionJob(collection.id, place, work) };
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
      onBuild: ({ queries, calls, cost }) => tell({ done: queries, calls, price: printedPrice(cost) }),
    };
    const opened = await openLabelBuild(places.config, dataset, buildSettings(places, work), watcher, false);
    try {
      tell({ total: opened.queries, message: `${opened.name} labels` });
      const { summary, failed: without } = await opened.run();
      const { graded, cannot_tell, invalid, refused } = summary.answers;
      const others = cannot_tell + invalid + refused;
      return {
        result: null,
        message:
          `${opened.name} gave ${graded} new labels; ${summary.known} of ${summary.pairs} were there` +
          (others > 0 ? `; ${others} answers have no grade` : "") +
          (without.count > 0 ? `; the search failed for ${without.count}: ${without.first}` : "") +
          (summary.isDone ? "" : "; the limit of requests ended it, and the next build goes on"),
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
  const labels = await auditedLabels(config, dataset, path);
  const { name, rater: known } = await labels.labeler(undefined);
  const rater = requiredRater({ name, rater: known }, dataset);
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
    const systems = await auditedSystems({ config, dataset, store, metric, ...labelled, onNote });
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
    const tuning = batchId(Date.now(), randomBytes(2).toString("hex"));
    const thread = new Thread(place);
    const stop = (): void => void thread.close();
    signal.addEventListener("abort", stop);
    try {
      tell({ message: "reading the batches", result: tuning });
      const text = await thread.ask(
        { kind: "fuse", search: { collection, runs, metric, tuning } },
        ({ what, done, total }): void => tell({ message: what, done, total } satisfies JobReport),
      );
      return { result: tuning, message: JSON.parse(text) as string };
    } finally {
      signal.removeEventListener("abort", stop);
      await thread.close();
    }
  };
}

/** What work would take; a batch that has its answers labelled, too. */
export async function planOf(
  work: WorkbenchWork | { readonly kind: "batch" },
  collection: DatasetCollection,
  places: ProjectPlaces,
): Promise<WorkbenchPlan> {
  const dataset = await collection.dataset();
  const { config } = places;
  if (work.kind === "fusion") return { text: "It computes on this machine.", is_paid: false };
  // The built-in labeler is the only one of which it is known that it costs nothing.
  const is_paid = labelerFrom(config, dataset, undefined).settings.kind !== "overlap";
  if (work.kind === "probe") {
    const { options } = await probesOf(collection, places);
    return { text: `${probePlanText(probeEstimate(options), options.name)}.`, is_paid };
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
