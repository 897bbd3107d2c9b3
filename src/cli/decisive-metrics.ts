import { isRankproofError, type StatisticsOptions } from "../index.js";
import { metricCatalog, parseMetric, type Metric, type MetricFactory } from "../metrics/index.js";

/**
 * Metrics together with those that decide: `--primary` and `--guard` name metrics as `-m` does, and need not be named twice.
 *
 * @param fields names that are computed in any case, and are no metrics of the catalogue.
 * @param catalog gives parameters to metrics named without.
 */
export function withDecisive(metrics: readonly Metric[], statistics: StatisticsOptions, fields: readonly string[], catalog: readonly MetricFactory[] = metricCatalog): { readonly metrics: Metric[]; readonly statistics: StatisticsOptions } {
  const all = [...metrics];
  const printed = (name: string): string => {
    if (fields.includes(name) || all.some((metric) => metric.name === name)) return name;
    const metric = parsed(name, catalog);
    // What cannot be read is said by whoever looks for it among the computed ones.
    if (metric === null) return name;
    if (!all.some((other) => other.name === metric.name)) all.push(metric);
    return metric.name;
  };
  const { primary, guards } = statistics;
  const settled = {
    ...statistics,
    primary: typeof primary === "string" ? printed(primary) : primary,
    guards: guards?.map((guard) => (typeof guard === "string" ? printed(guard) : { ...guard, metric: printed(guard.metric) })),
  };
  return { metrics: all, statistics: settled };
}

function parsed(name: string, catalog: readonly MetricFactory[]): Metric | null {
  try {
    return parseMetric(name, catalog);
  } catch (error) {
    if (isRankproofError(error)) return null;
    throw error;
  }
}
