/**
 * The pure core: scores of a run, a comparison of two, and its report. Synchronous, without I/O, the same in
 * Node, a browser, a worker, Deno and Bun.
 *
 * @module
 */
export { fixedMetrics } from "./aggregate-fields.js";
export {
  compareRuns,
  compareScores,
  compareSeveralRuns,
  compareSystems,
  rankingAgreement,
  tableOfEvaluation,
  tableOfRecord,
  type AgreementOptions,
  type ChannelRuns,
  type ComparedSystem,
  type CompareOptions,
  type CompareScoresOptions,
  type CompareSystemsOptions,
  type ScoredMetric,
  type ScoreTable,
  type StatisticsOptions,
} from "./compare/index.js";
export {
  AdapterError,
  GateError,
  InputError,
  isRankproofError,
  RankproofError,
  type ErrorCode,
  type Problem,
} from "./errors.js";
export {
  computeAggregate,
  computeParaphrases,
  evaluate,
  Evaluation,
  evaluateRunFile,
  profileCatalog,
  profileNames,
  RunEvaluator,
  type AggregateOptions,
  type ChunkSource,
  type ConventionOptions,
  type EvaluateOptions,
  type JudgedUnit,
  type MetricAggregate,
  type ProfileName,
  type QueryRanking,
  type RunEvaluatorOptions,
  type RunInput,
  type ScoredHit,
  type Span as ScoreSpan,
} from "./evaluate/index.js";
export { knownQueries, type Golden, type KnownQuery, type QueryLabels } from "./golden-set.js";
export type { TextMatch } from "./matching/index.js";
export { renderReportMd, type ReportOptions } from "./report/index.js";
export type * from "./schema/index.js";
