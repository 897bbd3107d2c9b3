import { checkMetric, MetricMean, refuseNamesakes } from "../metrics/internal.js";
import type { Metric } from "../metrics/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { aggregateFieldNames, type AggregateMetrics } from "../records/index.js";

/** The mean of a metric that is asked for by name, and its scores of queries with judgments of its unit. */
export interface FurtherMean {
  readonly mean: MetricMean;
  readonly scores: number[];
}

/** What an aggregate has besides its scores: a rule about one of these names would read a metric's. */
const FACTS = [
  "schema_version",
  "total_queries",
  "failed_queries",
  "failures",
  "support",
  "missing_queries",
  "unmatched_results",
  "latency_ms",
  "metrics",
  "metric_cards",
  "warnings",
] as const satisfies readonly (keyof AggregateMetrics)[];

/** @throws InputError `ARGUMENT` for a metric with the name of a field of the aggregate, or of another. */
export function furtherMeans(metrics: readonly Metric[] = []): FurtherMean[] {
  const taken: readonly string[] = [...aggregateFieldNames, ...FACTS];
  for (const { name } of metrics)
    if (taken.includes(name))
      throw new InputError(
        "ARGUMENT",
        `a metric cannot have the name of the field ${quote(name)}; call it something else`,
      );
  refuseNamesakes(metrics);
  return metrics.map((metric) => ({ mean: new MetricMean(checkMetric(metric)), scores: [] }));
}
