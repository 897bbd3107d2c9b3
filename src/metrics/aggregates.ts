import type { MetricAggregation } from "./define-metric.js";

/** Below this a score enters a geometric mean as this: trec_eval's constant. */
const FLOOR = 0.00001;

/** The geometric mean, which the worst queries pull down most. */
export const geometricMean: MetricAggregation = {
  name: "geometric mean",
  hasLogarithms: true,
  of: (scores, sum) =>
    Math.exp(sum(Array.from(scores, (score) => Math.log(Math.max(score, FLOOR)))) / scores.length),
};

/** The sum, for counts. */
export const total: MetricAggregation = { name: "sum", of: (scores, sum) => sum(scores) };
