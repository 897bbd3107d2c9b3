import type { MetricDifference, RunComparison } from "./types/index.js";

/** The difference that the verdict rests on: over all queries, or over those that the baseline answered. */
export function primaryDifference({
  metrics,
  verdict,
  answered_by_both: both,
}: RunComparison): MetricDifference | undefined {
  return (both?.decides === true ? both.metrics : metrics).find(({ metric }) => metric === verdict.primary);
}
