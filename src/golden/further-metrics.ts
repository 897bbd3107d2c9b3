import { checkMetric, MetricMean, refuseNamesakes } from "../metrics/internal.js";
import type { Metric } from "../metrics/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { aggregateFieldNames } from "../records/index.js";

/** The mean of a metric that is asked for by name, and its scores of queries with judgments of its unit. */
export interface FurtherMean {
  readonly mean: MetricMean;
  readonly scores: number[];
}

/** @throws InputError `ARGUMENT` for a metric with the name of a field of the aggregate, or of another. */
export function furtherMeans(metrics: readonly Metric[] = []): FurtherMean[] {
  for (const { name } of metrics) {
    // Its name in `support` is taken.
    if ((aggregateFieldNames as readonly string[]).includes(name))
      throw new InputError(
        "ARGUMENT",
        `a metric cannot have the name of the field ${quote(name)}; call it something else`,
      );
  }
  refuseNamesakes(metrics);
  return metrics.map((metric) => ({ mean: new MetricMean(checkMetric(metric)), scores: [] }));
}
