import { InputError, quote } from "../foundation/errors/index.js";
import type { Metric } from "./define-metric.js";

/**
 * What is a metric; a name that has not been parsed is none.
 *
 * @throws InputError `ARGUMENT`
 */
export function checkMetric(metric: Metric): Metric {
  const given: unknown = metric;
  if (typeof given === "object" && given !== null && "score" in given && "definition" in given) return metric;
  throw new InputError(
    "ARGUMENT",
    `a metric must be one such as \`parseMetric("nDCG@10")\`, got ${quote(given)}`,
  );
}

/** Scores are kept by name. @throws InputError `ARGUMENT` for two different metrics of one name */
export function refuseNamesakes(metrics: readonly Metric[]): void {
  const known = new Map<string, Metric>();
  for (const metric of metrics) {
    const { name, definition } = known.get(metric.name) ?? metric;
    if (definition !== metric.definition)
      throw new InputError(
        "ARGUMENT",
        `two metrics are called ${quote(name)}; call one of them something else`,
      );
    known.set(name, metric);
  }
}
