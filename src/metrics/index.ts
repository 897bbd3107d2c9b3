/**
 * Metrics of one query, each with its card, and the way from a printed name to a metric and back.
 *
 * @module
 */
export * from "./builtin.js";
export { metricCatalog } from "./catalog.js";
export { defineMetric, type Metric, type MetricDefinition, type MetricFactory, type MetricParameters, type ParameterCard, type Settled } from "./define-metric.js";
export { parseMetric } from "./parse.js";
export { precisionFraction } from "./precision.js";
export { recallFraction } from "./recall.js";
export { reciprocalRankFraction } from "./reciprocal-rank.js";
export { successFraction } from "./success.js";
export type { Fraction } from "../numbers/index.js";
export type { JudgedRanking } from "../ranking.js";
