export { spansUnknown } from "./aggregate-warnings.js";
export { Aggregator, type AggregatedQuery } from "./aggregator.js";
export { knownPlaces, type AggregateOptions } from "./aggregate-options.js";
export { computeAggregate } from "./compute-aggregate.js";
export type { AnswerVerdict } from "./judge-answer.js";
export { firstHitRank, judgeRun, type JudgedQuery, type JudgedUnit, type RunJudge } from "./judge-run.js";
export { computeParaphrases } from "./paraphrases.js";
export { evaluate, settledMetrics, type EvaluateOptions } from "./evaluate.js";
export {
  profileCatalog,
  profileNames,
  settledConventions,
  type ConventionOptions,
  type ProfileName,
} from "./conventions.js";
export { Evaluation, type MetricAggregate, type Span } from "./evaluation.js";
export { latencyOf } from "./latency.js";
export { firstIds, queryWarning } from "./query-warning.js";
export { rankedIds, runQueries } from "./ranked-ids.js";
export { isRecordedRun, type QueryRanking, type RunInput, type ScoredHit } from "./run-input.js";
export {
  evaluateRunFile,
  RunEvaluator,
  type ChunkSource,
  type RunEvaluatorOptions,
} from "./run-evaluator.js";
