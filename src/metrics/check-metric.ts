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
