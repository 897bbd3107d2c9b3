import { checkMetric, MetricMean, refuseNamesakes } from "../metrics/internal.js";
import type { Metric } from "../metrics/index.js";

/** The mean of a metric that is asked for by name, and its scores of queries with judgments of its unit. */
export interface FurtherMean {
  readonly mean: MetricMean;
  readonly scores: number[];
}

/** @throws InputError `ARGUMENT` for a metric with the name of another. */
export function furtherMeans(metrics: readonly Metric[] = []): FurtherMean[] {
  refuseNamesakes(metrics);
  return metrics.map((metric) => ({ mean: new MetricMean(checkMetric(metric)), scores: [] }));
}
