import { countOf } from "../../foundation/numbers/index.js";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { scorecardMetric, type Scorecard } from "../../batch/index.js";
import { parseExperiments, type Experiment } from "../../formats/index.js";
import { AdapterError, InputError, quote } from "../../foundation/errors/index.js";
import type { Metric } from "../../metrics/index.js";
import type { Config } from "../../records/index.js";
import { scorecardOf } from "../datasets/batch-work.js";
import type { Dataset } from "../datasets/dataset.js";
import { newBatchId } from "../datasets/new-batch-id.js";
import { artifactsPath } from "../datasets/project-config.js";
import { contentOf } from "../evaluate/index.js";
import {
  tuningFiles,
  tuningsFolder,
  hasBegun,
  type TunedBackendOptions,
  type TuningFiles,
} from "../tuning/index.js";

/** A tuning of a live search: what is tried, and where it is written. */
export interface Tuning {
  readonly config: Config;
  readonly dataset: Dataset;
  readonly scorecard: Scorecard;
  /** What is tuned for: the first of the scorecard. */
  readonly metric: Metric;
  readonly plan: TuningPlan;
  readonly experiments: readonly Experiment[];
  readonly files: TuningFiles;
  readonly backend: TunedBackendOptions;
}

/** What a tuning that was interrupted must agree with to go on: `plan.json` in its folder. */
export interface TuningPlan {
  readonly schema_version: 1;
  readonly kind: "tuning_plan";
  readonly tuning_id: string;
  readonly started_at: string;
  readonly dataset: string;
  readonly tenant: string;
  readonly backend: string;
  readonly top_k: number;
  /** What is tuned for; a plan of version 0.1 does not say. */
  readonly score_metric?: string;
  readonly experiments: readonly { readonly name: string; readonly parameters: object }[];
  /** Digests of queries and template. */
  readonly queries: string;
  readonly template: string | null;
}

const PLAN = "plan.json";
/** Is there when it has ended. */
const REPORT = "report.json";

/** What a tuning is for and measured by; what is left out is as the dataset has it. */
export interface TuningMetrics {
  /** The name of the metric that is tuned for. */
  readonly scoreMetric?: string | undefined;
  /** A scorecard of the configuration. */
  readonly scorecard?: string | undefined;
  /** Names of metrics in its place. */
  readonly metrics?: readonly string[] | undefined;
}

/** What a tuning is measured by, and whether somebody chose it. */
export interface TuningScorecard extends Pick<Tuning, "scorecard" | "metric"> {
  readonly isChosen: boolean;
}

/** What is tried in a tuning. */
export interface TuningStart {
  /** A file of experiments; the one that the configuration names by default. */
  readonly experimentsFile?: string | undefined;
  /** The id of a tuning to go on with; true for the last one that was begun. */
  readonly resume?: string | true | undefined;
  /** Hits that are asked for. */
  readonly topK: number;
  /** Only to look what it would be: nothing is written. */
  readonly isDry?: boolean | undefined;
}

/**
 * The scorecard of a tuning, with the metric that it is for at its head.
 *
 * @throws InputError `ARGUMENT` for a metric that is no mean over queries of which higher is better.
 */
export function tuningScorecard(
  config: Config,
  dataset: Dataset,
  { scoreMetric, scorecard: called, metrics }: TuningMetrics = {},
): TuningScorecard {
  const scorecard = scorecardOf(config, dataset, { scorecard: called, metrics });
  const isChosen = (scoreMetric ?? called ?? metrics) !== undefined;
  return { ...leadBy(scorecard, scoreMetric ?? scorecard.metrics[0]?.name), isChosen };
}

/** A scorecard with the metric at its head that is tuned for. */
function leadBy(scorecard: Scorecard, name: string | undefined): Pick<Tuning, "scorecard" | "metric"> {
  const metric = name === undefined ? undefined : scorecardMetric(name);
  const { aggregate, higherIsBetter } = metric?.definition ?? { aggregate: undefined, higherIsBetter: true };
  if (metric === undefined || aggregate !== undefined || !higherIsBetter)
    throw new InputError(
      "ARGUMENT",
      `${metric?.name ?? "nothing"} cannot be tuned for; name a mean over queries of which higher is ` +
        "better, such as --score-metric nDCG@10",
    );
  const others = scorecard.metrics.filter(({ name }) => name !== metric.name);
  return { scorecard: { ...scorecard, metrics: [metric, ...others] }, metric };
}

/**
 * Begins a tuning, or goes on with one.
 *
 * @param project the folder of the configuration; undefined where there is none.
 * @throws InputError `CONFIG` where nothing says how the search is configured, `ARGUMENT` where nothing says
 * what to try or there is no such tuning, `TUNING_RESUME` where something has changed since.
 */
export async function openTuning(
  { config, dataset, ...given }: Pick<Tuning, "config" | "dataset"> & TuningScorecard,
  { experimentsFile: wanted, resume, topK, isDry = false }: TuningStart,
  project: string | undefined,
): Promise<Tuning> {
  const name = dataset.config.backend ?? "";
  const settings = config.tuning?.[name];
  if (dataset.config.backend === undefined || settings === undefined || project === undefined)
    throw new InputError(
      "CONFIG",
      dataset.config.backend === undefined
        ? `dataset ${quote(dataset.id)} is searched by the built-in search, which has no ` +
            "configuration to tune; give it a `backend`, or tune its fusion with `rankproof tune fusion`"
        : `nothing says how ${quote(name)} is configured; write it under \`tuning: ` +
            `{${name}: …}\`, ` +
            "see docs/tuning.md",
    );
  const all = tuningsFolder(artifactsPath(config));
  const before = resume === undefined ? undefined : planToResume(all, resume, dataset, name);
  const { scorecard, metric } =
    before?.score_metric === undefined || given.isChosen
      ? given
      : leadBy(given.scorecard, before.score_metric);
  const experimentsFile = wanted ?? (before === undefined ? settings.experiments : undefined);
  if (experimentsFile === undefined && before === undefined)
    throw new InputError(
      "ARGUMENT",
      "nothing says what to try; give --experiments-file FILE, or name it in the configuration: " +
        `\`tuning: {${name}: {experiments: FILE}}\``,
    );
  const experiments =
    experimentsFile === undefined
      ? (before?.experiments ?? []).map((each) => ({ ...each, where: PLAN }) as Experiment)
      : parseExperiments(await contentOf(experimentsFile), experimentsFile);
  const plan: TuningPlan = {
    schema_version: 1,
    kind: "tuning_plan",
    tuning_id: before?.tuning_id ?? newBatchId(),
    started_at: before?.started_at ?? new Date().toISOString(),
    dataset: dataset.id,
    tenant: dataset.tenant,
    backend: name,
    top_k: topK,
    score_metric: metric.name,
    experiments: experiments.map(({ name: called, parameters }) => ({ name: called, parameters })),
    queries: digest(dataset.queries.map(({ id: query, query: words }) => [query, words])),
    template:
      settings.template === undefined ? null : digest((await contentOf(settings.template)).toString()),
  };
  if (before !== undefined) checkSame(before, plan);
  const files = tuningFiles(resolve(all, plan.tuning_id));
  if (before === undefined && !isDry) files.write(PLAN, `${JSON.stringify(plan, null, 2)}\n`);
  const backend = {
    backend: name,
    config: settings,
    project: resolve(project),
    tuning: plan.tuning_id,
    folder: files.folder,
  };
  return { config, dataset, scorecard, metric, plan, experiments, files, backend };
}

/** What is said of a tuning that Ctrl-C ended. */
export function interruptionOf({ plan }: Tuning, cause: unknown): AdapterError {
  return new AdapterError(
    "RUN_INCOMPLETE",
    "interrupted; the original configuration is back, what was measured is kept, and --resume " +
      `${plan.tuning_id} goes on`,
    {},
    cause,
  );
}

function planToResume(
  all: string,
  resume: string | true,
  { id, tenant }: Dataset,
  backend: string,
): TuningPlan {
  const plans = (existsSync(all) ? readdirSync(all).sort() : []).flatMap(
    (name) => planIn(join(all, name)) ?? [],
  );
  const own = plans.filter(
    (plan) => plan.dataset === id && plan.tenant === tenant && plan.backend === backend,
  );
  // One that ended before anything was measured has nothing to go on with.
  const begun = own.filter(({ tuning_id }) => hasBegun(join(all, tuning_id)));
  const found =
    resume === true ? (begun.at(-1) ?? own.at(-1)) : own.find(({ tuning_id }) => tuning_id === resume);
  if (found !== undefined) return found;
  const last = own.at(-1)?.tuning_id;
  throw new InputError(
    "ARGUMENT",
    `there is no tuning ${resume === true ? "" : `${quote(resume)} `}of ${quote(backend)} with dataset ` +
      `${quote(id)} to go on with; ${last === undefined ? "leave out --resume" : `the last is ${last}`}`,
  );
}

/** The last tuning of a dataset's live search, where it was begun and has no report; undefined for none. */
export function findUnfinishedTuning(all: string, dataset: string): string | undefined {
  if (!existsSync(all)) return undefined;
  const names = readdirSync(all).sort().reverse();
  const last = names.find((name) => planIn(join(all, name))?.dataset === dataset);
  return last !== undefined && hasBegun(join(all, last)) && !existsSync(join(all, last, REPORT))
    ? last
    : undefined;
}

function planIn(folder: string): TuningPlan | undefined {
  try {
    const plan = JSON.parse(readFileSync(join(folder, PLAN), "utf8")) as TuningPlan;
    return plan.kind === "tuning_plan" ? plan : undefined;
  } catch {
    // Another folder, or one whose making was cut short.
    return undefined;
  }
}

function checkSame(before: TuningPlan, now: TuningPlan): void {
  const words: Readonly<Partial<Record<keyof TuningPlan, string>>> = {
    top_k: `--top-k is ${now.top_k} and was ${before.top_k}`,
    experiments:
      "the experiments are others than the " +
      `${countOf(before.experiments.length, "experiment")} it was begun with`,
    queries: "the queries of the dataset have changed",
    template: "the template has changed",
  };
  const [changed] = (Object.keys(words) as (keyof TuningPlan)[]).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(now[key]),
  );
  if (changed !== undefined)
    throw new InputError(
      "TUNING_RESUME",
      `tuning ${now.tuning_id} cannot go on: ${words[changed]}; put that back, or begin a new one ` +
        "without --resume",
    );
}

function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}
