import { exactMean, nearestRankPercentile, roundTo4 } from "../foundation/numbers/index.js";
import type { AggregateMetrics, QueryResult } from "../records/index.js";

/** How long queries took, in milliseconds; null when no result has a time. */
export function latencyOf(results: readonly QueryResult[]): AggregateMetrics["latency_ms"] {
  const times = Float64Array.from(
    results.flatMap(({ elapsed_ms }) =>
      typeof elapsed_ms === "number" && Number.isFinite(elapsed_ms) ? [elapsed_ms] : [],
    ),
  ).sort();
  if (times.length === 0) return null;
  return {
    mean: roundTo4(exactMean(times)),
    p50: roundTo4(nearestRankPercentile(times, 50)),
    p95: roundTo4(nearestRankPercentile(times, 95)),
    max: roundTo4(nearestRankPercentile(times, 100)),
  };
}
