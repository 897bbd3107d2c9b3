import { batchReport, scorecardMetric, searchScorecard, type Scorecard } from "../batch/index.js";
import { AdapterError, InputError } from "../index.js";
import { metricDepth } from "../metrics/index.js";
import { buildLabels } from "../label/index.js";
import { openLabeler, openLabelStore, recordedTargets, type Dataset } from "../node/index.js";
import type { BatchReport, BackendConfig, Config, EvalRun } from "../records/index.js";
import type { DatasetLabels } from "./dataset-labels.js";
import { labelerFrom, labelsPath, type DatasetFlags } from "./dataset-flags.js";
import { splitNames } from "./metric-names.js";
import { counted, plainLine, type Terminal } from "./terminal.js";

/** What a live search is measured by, as commander gives it. */
export interface ScorecardFlags {
  scorecard?: string;
  metrics?: string;
}

/**
 * The scorecard that is meant.
 *
 * @throws InputError `ARGUMENT` for a name that the configuration does not have, `METRIC_UNKNOWN`
 */
export function scorecardOf(
  { scorecards = {} }: Config,
  { config }: Pick<Dataset, "config">,
  { scorecard, metrics }: ScorecardFlags,
): Scorecard {
  if (metrics !== undefined && scorecard !== undefined)
    throw new InputError("ARGUMENT", "--metrics stand in place of a --scorecard; give one of them");
  if (metrics !== undefined) return checkedScorecard("own", splitNames(metrics));
  const name = scorecard ?? config.scorecard;
  const usual = searchScorecard();
  if (name === undefined || (name === usual.name && !Object.hasOwn(scorecards, name))) return usual;
  const names = Object.hasOwn(scorecards, name) ? scorecards[name] : undefined;
  if (names === undefined || names.length === 0)
    throw new InputError(
      "ARGUMENT",
      `there is no scorecard ${plainLine(name)} with metrics in the configuration; known are ` +
        [...new Set([...Object.keys(scorecards), usual.name])].map(plainLine).join(", "),
    );
  return checkedScorecard(name, names);
}

/** @throws InputError `ARGUMENT` for no metrics, and for one that decides and is no mean of queries. */
function checkedScorecard(name: string, names: readonly string[]): Scorecard {
  const metrics = names.map(scorecardMetric);
  const [primary] = metrics;
  if (primary === undefined)
    throw new InputError("ARGUMENT", "--metrics names no metric; try -m nDCG@10,Strong_Precision@10");
  if (primary.definition.aggregate !== undefined)
    throw new InputError(
      "ARGUMENT",
      `${primary.name} is no mean over queries, so that it cannot decide; name another metric first`,
    );
  return { name, metrics };
}

/** The most hits that a scorecard looks at; 0 where all its metrics look at all there are. */
export function deepestOf({ metrics }: Scorecard): number {
  return Math.max(0, ...metrics.map(metricDepth).filter(Number.isFinite));
}

/** @throws InputError `ARGUMENT` for fewer hits than are looked at: what is not asked for counts as 0. */
export function checkDepth(scorecard: Scorecard, topK: number): void {
  const deepest = deepestOf(scorecard);
  if (deepest > topK)
    throw new InputError(
      "ARGUMENT",
      `--top-k ${topK} is less than the scorecard looks at; ask for ${deepest}, or name metrics with ` +
        "--metrics",
    );
}

/** How a batch names the search of a dataset. */
export function backendNamed(
  { config }: Dataset,
  settings: BackendConfig | undefined,
): BatchReport["backend"] {
  return { name: config.backend ?? "builtin", kind: settings?.kind ?? "builtin" };
}

/** What a run of a live search comes to by the labels of its dataset. */
export function reported(
  run: EvalRun,
  dataset: Dataset,
  judgments: DatasetLabels,
  options: {
    readonly backend: BatchReport["backend"];
    readonly topK: number;
    readonly scorecard: Scorecard;
    readonly seed?: number | undefined;
  },
): BatchReport {
  return batchReport({
    run,
    dataset: dataset.id,
    tenant: dataset.tenant,
    licence: dataset.config.licence,
    backend: options.backend,
    topK: options.topK,
    queries: dataset.queries,
    judgments,
    items: dataset.items,
    scorecard: options.scorecard,
    evaluatedAt: new Date().toISOString(),
    statistics: { seed: options.seed },
  });
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
export async function annotated(
  run: EvalRun,
  dataset: Dataset,
  config: Config,
  flags: AnnotateFlags & { readonly topK: number; readonly isOneOfMany?: boolean },
  terminal: Terminal,
): Promise<void> {
  const { name, settings } = labelerFrom(config, dataset, flags.labeler);
  const path = labelsPath(config, flags.labels);
  const { labeler, batchSize, votes, concurrency } = await openLabeler(name, settings, dataset);
  const store = await openLabelStore(path, { create: true });
  const unknown = new Set<string>();
  try {
    const summary = await buildLabels({
      labeler,
      store,
      tenant: dataset.tenant,
      batchSize,
      votes,
      concurrency,
      signal: terminal.signal,
      ...(flags.forceRefreshLabels === true && { since: new Date().toISOString() }),
      targets: recordedTargets(dataset, run, {
        depth: flags.topK,
        onUnknown: (_query, ids) => ids.forEach((id) => unknown.add(id)),
      }),
      onProgress: ({ queries, calls }) =>
        terminal.progress(`labelling: ${counted(queries, "query")}, ${counted(calls, "request")}`),
    });
    const { graded, cannot_tell, invalid, refused } = summary.answers;
    const { tokens, price } = summary.cost;
    if (summary.calls > 0 || flags.isOneOfMany !== true)
      terminal.talk(
        `${plainLine(name)}: ${graded} new ${graded === 1 ? "label" : "labels"} in ${path}, ` +
          `${counted(summary.calls, "request")}` +
          (tokens ? `, ${Math.round(tokens.input + tokens.output)} tokens` : "") +
          (price ? `, ${price.amount.toFixed(2)} ${price.currency}` : "") +
          (invalid + refused + cannot_tell > 0 ? `; ${invalid + refused + cannot_tell} without a grade` : ""),
      );
  } catch (error) {
    if (!terminal.signal.aborted) throw error;
    throw new AdapterError(
      "RUN_INCOMPLETE",
      `interrupted; the search's answers and ${path} keep what is there, and --resume goes on`,
      {},
      error,
    );
  } finally {
    await store.close();
  }
  if (unknown.size > 0)
    terminal.talk(
      `${terminal.paint("warning:", "strong")} nothing is known of ${counted(unknown.size, "hit")}, such ` +
        `as ${plainLine([...unknown][0] ?? "")}; they cannot be labelled`,
    );
}
