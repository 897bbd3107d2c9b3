import { canonicalJson } from "../foundation/text/index.js";
import { metricDepth, type Metric } from "../metrics/index.js";
import type { BatchReport, EvalRun, LabelItem } from "../records/index.js";
import { attachLabels, type BatchQueryText, type DatasetJudgments } from "./attach-labels.js";

/** A configuration of a live search, scored by the labels of its dataset. */
export interface MeasuredExperiment {
  /** Id of its run in the store. */
  readonly run: string;
  /** By query its score by the metric that is tuned for. */
  readonly scores: ReadonlyMap<string, number>;
  /** Queries that the search failed for. */
  readonly failed: ReadonlySet<string>;
  /** By query the hits in view, and whether they have a label. */
  readonly inView: ReadonlyMap<string, ReadonlyMap<string, boolean>>;
  readonly trust: BatchReport["trust"];
  /** Equal for equal rankings of all queries. */
  readonly rankings: string;
}

/**
 * What of a batch a choice among configurations needs.
 *
 * @param report of the run, by those judgments.
 * @param metric that is tuned for, one of the report's.
 */
export function measureExperiment(
  report: BatchReport,
  metric: Metric,
  given: {
    readonly run: EvalRun;
    readonly queries: readonly BatchQueryText[];
    readonly judgments: DatasetJudgments;
    readonly items: ReadonlyMap<string, LabelItem>;
  },
): MeasuredExperiment {
  const at = report.metrics.findIndex(({ metric: name }) => name === metric.name);
  const { run, labels } = attachLabels(given.run, given.queries, given.judgments.labels, given.items);
  const depth = Math.min(report.top_k, metricDepth(metric));
  const rankings = run.results.map(({ query_id, hits_top_k }) => ({
    query_id,
    ids: hits_top_k.map(({ chunk_id }) => chunk_id),
  }));
  return {
    run: report.batch_id,
    scores: new Map(report.per_query.map(({ query_id, scores }) => [query_id, scores[0]?.[at] ?? 0])),
    failed: new Set(given.run.results.flatMap(({ query_id, error }) => (error == null ? [] : [query_id]))),
    inView: new Map(
      rankings.map(({ query_id, ids }) => [
        query_id,
        new Map(ids.slice(0, depth).map((id) => [id, labels.get(query_id)?.has(id) === true])),
      ]),
    ),
    trust: report.trust,
    rankings: canonicalJson(rankings),
  };
}
