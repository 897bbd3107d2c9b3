import { roundTo4 } from "../foundation/numbers/index.js";
import type { CorrectedScore, MetricDifference } from "./types/index.js";

/** A difference that people's labels correct, as comparisons have differences: all is over their queries. */
export function correctedDifference(score: CorrectedScore): MetricDifference {
  const { metric, queries, corrected, interval, p, p_adjusted } = score;
  // Reports of earlier versions lack the counts.
  const { improved = 0, equal = 0, worse = 0 } = score;
  return {
    metric,
    pairs: queries,
    mean_a: null,
    mean_b: null,
    difference: roundTo4(corrected),
    interval,
    bca_interval: null,
    t_interval: interval,
    p,
    p_adjusted,
    is_exact: true,
    effect_size: null,
    improved,
    equal,
    worse,
    detectable: null,
    queries_needed: null,
  };
}
