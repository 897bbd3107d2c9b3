/**
 * Metrics of one query, each with its card, and the way from a printed name to a metric and back.
 *
 * @module
 */
export * from "./builtin.js";
export { metricCatalog } from "./catalog.js";
export {
  defineMetric,
  parameterCards,
  withDefaults,
  type LawName,
  type LinearScore,
  metricDepth,
  type Metric,
  type MetricAggregation,
  type MetricDefinition,
  type MetricFactory,
  type MetricOptions,
  type Score,
  type ScoresAlong,
  type Scoring,
} from "./define-metric.js";
export type {
  Gains,
  GivenParameters,
  MetricParameters,
  ParameterCard,
  ParameterCards,
  ParameterValue,
  Settled,
} from "./metric-parameters.js";
export { averagePrecisionScore } from "./average-precision.js";
export type { Gain } from "./gain.js";
export { ndcgScore } from "./ndcg.js";
export { parseMetric } from "./parse.js";
export { scorecardMetric, searchScorecard, type Scorecard } from "./scorecard.js";

export { type TiedGroup } from "./group-ties.js";
export {
  trecLines,
  trecMeasure,
  trecMeasures,
  trecNicknames,
  type TrecLine,
  type TrecMeasure,
} from "./trec-measures.js";
export type { Fraction } from "../foundation/numbers/index.js";
export {
  judgeRanking,
  type GradedRanks,
  type JudgedRanking,
  type SubtopicJudgments,
} from "./judged-ranking.js";
