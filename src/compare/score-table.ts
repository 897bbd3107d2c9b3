import { countOf, formatCount } from "../foundation/numbers/index.js";
import {
  type AggregateMetrics,
  type Conventions,
  type EvaluationRecord,
  type FailedResults,
  type GivenWarning,
  type MetricCard,
  queryWarning,
  type RunFacts,
  type Warning,
} from "../records/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { type Evaluation, type MetricAggregate } from "../evaluate/index.js";

/** One run's scores by query: what any comparison needs. */
export interface ScoreTable {
  readonly run: string;
  /** By printed name, in the order of the columns. */
  readonly metrics: readonly ScoredMetric[];
  /** When and where the run was recorded. */
  readonly facts?: RunFacts | undefined;
  readonly queryIds: readonly string[];
  /** By metric in the order of `metrics`: a score for each of `queryIds`; NaN where there is none. */
  readonly columns: readonly ArrayLike<number>[];
  /**
   * The means over the table's own scores at 4 decimals, where they are known exactly: a mean of doubles can
   * round the other way.
   */
  readonly means?: Readonly<Record<string, number>> | undefined;
  /** Scores of the run that are no means of the columns: its results outside the queries count, too. */
  readonly overall?: Readonly<Record<string, number>> | undefined;
  readonly latency?: AggregateMetrics["latency_ms"] | undefined;
  /** Whether the run has a result for any of the queries; one that has none cannot be compared. */
  readonly isAnswering?: boolean | undefined;
  /** Queries that the run has no result of: their scores count as the worst of the metric, mostly 0. */
  readonly unanswered?: readonly string[] | undefined;
  /**
   * Queries that the run, as it was recorded, was never asked, or failed at: what they count as is no gain of
   * another run. Undefined where a run does not tell them from those that it found nothing for.
   */
  readonly notAnswered?: readonly string[] | undefined;
  /** Those of `queryIds` without a result that have no score at all, as was asked. */
  readonly leftOut?: readonly string[] | undefined;
  /** How many results failed; a run with too many cannot be compared. */
  readonly failedResults?: FailedResults | null | undefined;
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

/** The end of a metric's range that no run wants; null where there is none. */
export function worstEnd({ range, higher_is_better: isRising }: MetricCard): number | null {
  return range[isRising ? 0 : 1];
}

/** Whether no score can be worse than that of a query without a result, as by nearly every metric. */
export function isWorstZero(card: MetricCard): boolean {
  return worstEnd(card) === 0;
}

/** Whether a table has a column of a name. */
export function hasMetric({ metrics }: ScoreTable, name: string): boolean {
  return metrics.some((metric) => metric.name === name);
}

/**
 * The scores of an evaluation, in full precision. Metrics that are no means of their queries' scores, such as
 * counts and GMAP, are left out.
 */
export function tableOfEvaluation(evaluation: Evaluation, name?: string): ScoreTable {
  if (typeof (evaluation as Partial<Evaluation> | null)?.record !== "function")
    throw new InputError(
      "ARGUMENT",
      `tableOfEvaluation takes what \`evaluate\` returned, got ${quote(evaluation)}`,
    );
  const run = name ?? evaluation.run ?? "run";
  const { metric_cards, metrics: means } = evaluation.record();
  const kept = [...evaluation.aggregates.keys()].filter(
    (column) => evaluation.aggregates[column]?.metric.definition.aggregate === undefined,
  );
  const metrics = kept
    .map((column) => (evaluation.aggregates[column] as MetricAggregate).metric.name)
    .map((name) => ({ name, card: metric_cards[name] as MetricCard }));
  const isZeroWorst = metrics.every(({ card }) => isWorstZero(card));
  return {
    run,
    metrics,
    queryIds: evaluation.queryIds,
    columns: kept.map((column) => evaluation.columns[column] as Float64Array),
    means,
    isAnswering: isAnswering(evaluation),
    unanswered: evaluation.conventions.queries === "judged" ? evaluation.missingQueries : [],
    warnings: [...warnOfUnanswered(evaluation, isZeroWorst), ...evaluation.warnings],
    conventions: evaluation.conventions,
  };
}

/**
 * Scores and means are stored at 4 decimals, each off by half a unit of the last at most; and a little for
 * binary fractions.
 */
const ROUNDED_TWICE = 1.001e-4;

/**
 * The scores of a stored evaluation, at 4 decimals. Metrics that are no means of their queries' scores, such
 * as counts and GMAP, are left out.
 *
 * @throws InputError `ARGUMENT` where the scores of the queries were not stored.
 */
export function tableOfRecord({
  run,
  metrics,
  metric_cards,
  per_query,
  conventions,
}: EvaluationRecord): ScoreTable {
  if (per_query === null)
    throw new InputError(
      "ARGUMENT",
      `the evaluation of ${quote(run ?? "run")} was stored without the scores of its queries; make ` +
        "it again with `evaluate --json --per-query`",
    );
  const names = Object.keys(metrics);
  const kept = [...names.keys()].filter((column) => {
    const mean =
      per_query.reduce((sum, { scores }) => sum + (scores[column] as number), 0) / per_query.length;
    return !(Math.abs(mean - (metrics[names[column] as string] as number)) > ROUNDED_TWICE);
  });
  return {
    run: run ?? "run",
    metrics: kept
      .map((column) => names[column] as string)
      .map((name) => ({ name, card: metric_cards[name] as MetricCard })),
    queryIds: per_query.map(({ query_id }) => query_id),
    columns: kept.map((column) => per_query.map(({ scores }) => scores[column] as number)),
    means: metrics,
    conventions,
  };
}

/**
 * Where unanswered queries are left out, few of them may be left; where none is judged, none can be answered.
 */
function isAnswering({ queryIds, missingQueries }: Evaluation): boolean {
  const missing = new Set(missingQueries);
  return queryIds.some((id) => !missing.has(id)) || queryIds.length + missing.size === 0;
}

function warnOfUnanswered(
  { queryIds, missingQueries, conventions }: Evaluation,
  isZeroWorst: boolean,
): GivenWarning[] {
  const [count, judged] = [missingQueries.length, new Set([...queryIds, ...missingQueries]).size];
  const what =
    conventions.queries === "judged"
      ? `${count === 1 ? "counts" : "count"} as ${isZeroWorst ? "0" : "the worst score"}`
      : `${count === 1 ? "is" : "are"} left out of its means`;
  return queryWarning(
    "MISSING_QUERIES",
    `${formatCount(count)} of ${countOf(judged, "judged query")} ${count === 1 ? "has" : "have"} no result ` +
      `and ${what}`,
    missingQueries,
  );
}
