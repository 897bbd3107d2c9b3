/**
 * The pure core: scores of a run, a comparison of two, and its report. Synchronous, without I/O, the same in
 * Node, a browser, a worker, Deno and Bun.
 *
 * @module
 */
export { defineConfig, fixedMetrics, parseShard, type Shard } from "./records/index.js";
export {
  compareRuns,
  compareScores,
  compareSeveralRuns,
  compareSystems,
  leaderboardOf,
  rankingAgreement,
  reportRun,
  reportSystem,
  tableOfEvaluation,
  tableOfRecord,
  type AgreementOptions,
  type ChannelRuns,
  type ComparedSystem,
  type CompareOptions,
  type CompareSeveralOptions,
  type CompareScoresOptions,
  type CompareSystemsOptions,
  type GradesByQuery,
  type LabelEvidence,
  type QuerySample,
  type Leaderboard,
  type ReportRunOptions,
  type ReportStatistics,
  type ReportSystemOptions,
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
} from "./foundation/errors/index.js";
export {
  aggregateOfPartials,
  aggregatePartial,
  computeAggregate,
  computeParaphrases,
  mergeAggregatePartials,
  type AggregateOptions,
  type AggregatePartialOptions,
  type MergeAggregateOptions,
} from "./golden/index.js";
export {
  evaluate,
  Evaluation,
  type EvaluationParts,
  evaluatePartial,
  evaluateRunFile,
  evaluateRunFilePartial,
  evaluationOfPartials,
  explainDifferences,
  mergePartials,
  profileAgreement,
  profileCatalog,
  profileNames,
  RunEvaluator,
  TrecEvalOutput,
  trecOutputLines,
  type TrecMetricLine,
  type TrecOutputLine,
  type TrecOutputOptions,
  type ChunkSource,
  type ConventionOptions,
  type EvaluateOptions,
  type MergeOptions,
  type MetricAggregate,
  type PrintedScores,
  type ProfileAgreement,
  type ProfileName,
  type QueryRanking,
  type RunEvaluatorOptions,
  type RunInput,
  type ScoredHit,
  type Span as ScoreSpan,
} from "./evaluate/index.js";
export { type JudgedUnit } from "./records/index.js";
export { listKnownQueries, type Golden, type KnownQuery, type QueryLabels } from "./records/index.js";
export type { TextMatch } from "./records/index.js";
export { renderReportMd, type ReportOptions } from "./report/index.js";
export type * from "./records/types/index.js";
export type { CorpusSnapshot, Qrel, Qrels, QrelsInput } from "./records/index.js";
export {
  asGateRules,
  gate,
  gateRuleKinds,
  parseGateRule,
  printGateRule,
  type Gateable,
  type GatedResult,
  type GateRule,
  type LabelsAudited,
  type MetricBound,
  type MetricLoss,
  type NoSliceWorse,
  type NotWorseBy,
  type QueryCount,
  type ResultSource,
  type RuleKind,
  type SignificantLoss,
  type UnjudgedCannotOverturn,
  type VerdictIs,
  type WithinBaseline,
  type WorseShare,
} from "./gate/index.js";
export type { GivenWarning, WarningCode } from "./records/index.js";
