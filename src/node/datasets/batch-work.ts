import { ownValue } from "../../foundation/checks/index.js";
import { batchReport, scorecardMetric, searchScorecard, type Scorecard } from "../../batch/index.js";
import { jsonParts } from "../../formats/index.js";
import { InputError, quote } from "../../foundation/errors/index.js";
import { buildLabels, type BuildSummary } from "../../label/index.js";
import { metricDepth } from "../../metrics/index.js";
import type { BackendConfig, BatchReport, Config, EvalRun } from "../../records/index.js";
import { renderRunHtml, renderRunReportMd, reportTexts, type RunHtmlOptions } from "../../report/index.js";
import { openLabelStore } from "../label-file.js";
import { writeSnapshots, type BatchFiles } from "./batch-files.js";
import type { DatasetLabels, LabelsChoice } from "./dataset-labels.js";
import type { Dataset } from "./dataset.js";
import { openLabeler, type LabelerOptions } from "./labelers.js";
import { labelerFrom, labelsPath } from "./project-config.js";
import { listRecordedTargets } from "./targets.js";

/**
 * The scorecard that is meant.
 *
 * @param choice one of the configuration, or metrics in its place; else that of the dataset.
 * @throws InputError `ARGUMENT` for a name that the configuration does not have, `METRIC_UNKNOWN`
 */
export function scorecardOf(
  { scorecards = {} }: Config,
  { config }: Pick<Dataset, "config">,
  choice: { readonly scorecard?: string | undefined; readonly metrics?: readonly string[] | undefined } = {},
): Scorecard {
  const { scorecard, metrics } = choice;
  if (metrics !== undefined && scorecard !== undefined)
    throw new InputError("ARGUMENT", "--metrics stand in place of a --scorecard; give one of them");
  if (metrics !== undefined) return checkScorecard("own", metrics);
  const name = scorecard ?? config.scorecard;
  const usual = searchScorecard();
  if (name === undefined || (name === usual.name && !Object.hasOwn(scorecards, name))) return usual;
  const names = ownValue(scorecards, name);
  if (names === undefined || names.length === 0)
    throw new InputError(
      "ARGUMENT",
      `there is no scorecard ${quote(name)} with metrics in the configuration; known are ` +
        [...new Set([...Object.keys(scorecards), usual.name])].map(quote).join(", "),
    );
  return checkScorecard(name, names);
}

/** @throws InputError `ARGUMENT` for no metrics, and for one that decides and is no mean of queries. */
function checkScorecard(name: string, names: readonly string[]): Scorecard {
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

/**
 * Refuses a number of hits below what a scorecard looks at: what is not asked for counts as 0.
 *
 * @throws InputError `ARGUMENT`
 */
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
export function reportBatch(
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

/** As many hits of a query as a report lists. */
const LISTED = 20;

/** A run without the hits that no report lists: those of a large batch take memory. */
export function withListedHits(run: EvalRun): EvalRun {
  return {
    ...run,
    results: run.results.map((result) => ({ ...result, hits_top_k: result.hits_top_k.slice(0, LISTED) })),
  };
}

/** What is written of a batch, the forms one by one, so that one that fails does not keep the others back. */
export function batchForms(
  report: BatchReport,
  made: {
    readonly dataset: Dataset;
    readonly config: Config;
    readonly heads: EvalRun;
    /** What the search says of its own settings. */
    readonly own: unknown;
    readonly gate?: RunHtmlOptions["gate"];
    /** Whether pages have the texts of hits. */
    readonly hasTexts: boolean;
  },
): ((files: BatchFiles) => void)[] {
  const { dataset, config, heads, own, gate } = made;
  return [
    (files) => writeSnapshots(files, { config, dataset, backend: own }),
    (files) => files.write("report.json", jsonParts(report)),
    (files) => files.write("report.md", renderRunReportMd(report, { gate })),
    (files) => {
      const texts = made.hasTexts
        ? reportTexts({ runs: [heads], documents: documentsOf(dataset) })
        : undefined;
      files.write("report.html", renderRunHtml(report, { gate, texts }));
    },
  ];
}

/** What items say, for the texts of pages. */
export function* documentsOf({ items }: Dataset): Iterable<{ id: string; title: string; text: string }> {
  for (const { id, fields } of items.values()) {
    const { title = "", ...rest } = fields;
    yield {
      id,
      title: typeof title === "string" ? title : "",
      text: Object.values(rest)
        .filter((value) => typeof value === "string" || typeof value === "number")
        .join("\n"),
    };
  }
}

/** What labelling a run came to. */
export interface AnnotatedRun {
  /** Of the labeler. */
  readonly name: string;
  /** Of the label store. */
  readonly path: string;
  readonly summary: BuildSummary;
  /** Hits that nothing is known of, so that they cannot be labelled. */
  readonly unknown: readonly string[];
}

/**
 * Labels what came back and has no label of this labeler yet; with `since` also what was said before that
 * time.
 */
export async function annotateRun(
  run: EvalRun,
  dataset: Dataset,
  config: Config,
  options: LabelsChoice & {
    readonly depth: number;
    readonly since?: string | undefined;
    readonly env?: LabelerOptions["env"];
    readonly onRetry?: LabelerOptions["onRetry"];
    readonly signal: AbortSignal;
    readonly onProgress: (summary: BuildSummary) => void;
  },
): Promise<AnnotatedRun> {
  const { name, settings } = labelerFrom(config, dataset, options.labeler);
  const path = labelsPath(config, options.labels);
  const { labeler, batchSize, votes, concurrency } = await openLabeler(name, settings, dataset, options);
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
      signal: options.signal,
      ...(options.since !== undefined && { since: options.since }),
      targets: listRecordedTargets(dataset, run, {
        depth: options.depth,
        onUnknown: (_query, ids) => ids.forEach((id) => unknown.add(id)),
      }),
      onProgress: options.onProgress,
    });
    return { name, path, summary, unknown: [...unknown] };
  } finally {
    await store.close();
  }
}
