export { type JudgedUnit } from "../records/index.js";

export { evaluate, resolveMetrics, type EvaluateOptions } from "./evaluate.js";
export {
  profileCatalog,
  profileNames,
  resolveConventions,
  type ConventionOptions,
  type ProfileName,
} from "./conventions.js";
export {
  explainDifferences,
  mergeAgreements,
  profileAgreement,
  type PrintedScores,
  type ProfileAgreement,
} from "./profile-agreement.js";
export { Evaluation, type EvaluationParts, type MetricAggregate, type Span } from "./evaluation.js";

export { expectScore } from "./tie-orders.js";
export { boundsOf } from "./unjudged-bounds.js";
export { firstIds, queryWarning } from "../records/index.js";
export { evaluatePartial, evaluationOfPartials, mergePartials, type MergeOptions } from "./partial.js";
export { rankIds, runQueries } from "./rank-ids.js";
export { isRecordedRun, type QueryRanking, type RunInput, type ScoredHit } from "./run-input.js";
export {
  evaluateRunFile,
  evaluateRunFilePartial,
  RunEvaluator,
  type ChunkSource,
  type RunEvaluatorOptions,
} from "./run-evaluator.js";
export {
  TrecEvalOutput,
  trecOutputLines,
  type TrecMetricLine,
  type TrecOutputLine,
  type TrecOutputOptions,
} from "./trec-eval-output.js";
