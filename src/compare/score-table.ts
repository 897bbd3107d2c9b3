import { InputError, shown } from "../errors.js";
import type { Evaluation, MetricAggregate } from "../evaluate/index.js";
import type { AggregateMetrics, Conventions, EvaluationRecord, MetricCard, Warning } from "../schema/index.js";

/** One run's scores by query: what any comparison needs. */
export interface ScoreTable {
  readonly run: string;
  /** By printed name, in the order of the columns. */
  readonly metrics: readonly ScoredMetric[];
  readonly queryIds: readonly string[];
  /** The scores of the first query in the order of `metrics`, then those of the second, …; NaN where there is none. */
  readonly scores: ArrayLike<number>;
  /** The means over the table's own scores at 4 decimals, where they are known exactly: a mean of doubles can round the other way. */
  readonly means?: Readonly<Record<string, number>> | undefined;
  readonly latency?: AggregateMetrics["latency_ms"] | undefined;
  /** Whether the run has a result for any of the queries; one that has none cannot be compared. */
  readonly isAnswering?: boolean | undefined;
  /** What can mislead in the scores. */
  readonly warnings?: readonly Warning[] | undefined;
  /** What was decided where tools disagree; tables of different conventions are not comparable. */
  readonly conventions?: Conventions | null | undefined;
  /** What the scores were held against; tables of different golden sets are not comparable. */
  readonly golden?: string | undefined;
}

/** A column of a {@link ScoreTable}. */
export interface ScoredMetric {
  readonly name: string;
  readonly card: MetricCard;
}

/** The scores of an evaluation, in full precision. Metrics that are no means of their queries' scores, such as counts and GMAP, are left out. */
export function tableOfEvaluation(evaluation: Evaluation, run: string = evaluation.run ?? "run"): ScoreTable {
  const { metric_cards, metrics: means } = evaluation.record();
  const width = evaluation.aggregates.length;
  const kept = [...evaluation.aggregates.keys()].filter((column) => evaluation.aggregates[column]?.metric.definition.aggregate === undefined);
  return {
    run,
    metrics: kept.map((column) => (evaluation.aggregates[column] as MetricAggregate).metric.name).map((name) => ({ name, card: metric_cards[name] as MetricCard })),
    queryIds: evaluation.queryIds,
    scores: kept.length === width ? evaluation.scores : Float64Array.from({ length: evaluation.queryIds.length * kept.length }, (_, at) => evaluation.scores[Math.floor(at / kept.length) * width + (kept[at % kept.length] as number)] as number),
    means,
    isAnswering: evaluation.missingQueries.length === 0 || evaluation.missingQueries.length < evaluation.counts.queries,
    warnings: [...unansweredWarning(evaluation), ...unjudgedWarning(evaluation), ...evaluation.warnings],
    conventions: evaluation.conventions,
  };
}

/**
 * The scores of a stored evaluation, at 4 decimals.
 *
 * @throws InputError `ARGUMENT` where the scores of the queries were not stored.
 */
export function tableOfRecord({ run, metrics, metric_cards, per_query, conventions }: EvaluationRecord): ScoreTable {
  if (per_query === null) throw new InputError("ARGUMENT", `the evaluation of ${shown(run ?? "run")} was stored without the scores of its queries; make it again with \`evaluate --json --per-query\``);
  return {
    run: run ?? "run",
    metrics: Object.keys(metrics).map((name) => ({ name, card: metric_cards[name] as MetricCard })),
    queryIds: per_query.map(({ query_id }) => query_id),
    scores: per_query.flatMap(({ scores }) => scores),
    means: metrics,
    conventions,
  };
}

const IDS_LISTED = 5;

function unansweredWarning({ missingQueries, counts }: Evaluation): Warning[] {
  const count = missingQueries.length;
  if (count === 0) return [];
  return [{ code: "MISSING_QUERIES", message: `${count} of ${counts.queries} judged ${counts.queries === 1 ? "query has" : "queries have"} no result and ${count === 1 ? "counts" : "count"} as 0`, count, query_ids: missingQueries.slice(0, IDS_LISTED) }];
}

function unjudgedWarning({ counts }: Evaluation): Warning[] {
  if (counts.hits === 0 || counts.unjudged_hits < counts.hits) return [];
  return [{ code: "NOTHING_JUDGED", message: `none of the ${counts.hits} hits is judged; do the item ids agree, and is the unit right?`, count: counts.hits }];
}
