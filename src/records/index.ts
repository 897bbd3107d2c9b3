export { CheckedVectors } from "./checked-vectors.js";
export {
  GRADE_OF_EXPECTED,
  checkGoldenQueries,
  checksText,
  goldenChunkerVersion,
  listExpectedChunkIds,
  goldenConflicts,
  goldenQueries,
  RELEVANT_FROM,
  listGrades,
  checkLabels,
  listKnownQueries,
  sliceLabelsOf,
  shouldRefuse,
  type Golden,
  type KnownQuery,
  type QueryLabels,
} from "./golden-set.js";
export {
  aggregateCutoffs,
  aggregateFieldNames,
  aggregateFields,
  fixedMetrics,
  labelOfField,
  type AggregateField,
} from "./aggregate-fields.js";
export { checkCompared, checkOptions } from "./check-options.js";
export { checkGoldenRecords } from "./check-golden.js";
export { checkRunRecord, spanNumbers } from "./check-run.js";
export { firstIds, queryWarning, type GivenWarning } from "./query-warning.js";
export type { WarningCode } from "./warning-codes.js";
export { defineConfig } from "./define-config.js";
export {
  readFailedResults,
  countFailedResults,
  failedQueries,
  areMoreFailed,
  describeFailedShare,
  warnOfFailures,
} from "./failures.js";
export { passesTextChecks, type TextMatch } from "./text-match.js";
export { gainOf, metricCardOf, widthOf, type CardedResult } from "./metric-card.js";
export { cutoffOf } from "./metric-cutoff.js";
export { isLabelGrade, LABEL_SCALE, labelGrades, TOP_LABEL_GRADE } from "./label-grades.js";
export {
  areFewUnits,
  doesFollow,
  FEW_PAIRS,
  FEWEST_PAIRS,
  familyOf,
  intentsInWords,
  isSignificant,
  isTold,
  unitsTested,
  unitsWorth,
  worthInWords,
} from "./is-significant.js";
export { type MovedMetric, signOfGain, signOfMove } from "./sign-of-move.js";
export { primaryDifference } from "./primary-difference.js";
export {
  doubtSentences,
  missableClause,
  neededSentences,
  outcomeSentence,
  type AllowedLoss,
} from "./verdict-sentences.js";
export { correctedDifference } from "./corrected-difference.js";
export { FEWEST_FOR_WORTH, knownWorth } from "./known-worth.js";
export { benchMetricNames, cutScoreIn, modeIn, scoreField } from "./bench-names.js";
export {
  nearlyJudged,
  prepareQrels,
  type JudgedSubtopics,
  type Qrel,
  type Qrels,
  type QrelsInput,
  type QueryJudgments,
  wholeGrade,
  withWholeGrades,
} from "./qrels.js";
export { formatPath, shapeProblems, type Locate, type Path, type ShapeOptions } from "./shape-problems.js";
export {
  checkShard,
  isInShard,
  checkPartials,
  joinShards,
  parseShard,
  checkQueriesOnce,
  refuseSharedQueries,
  shardOf,
  shardNames,
  warnOfMissingShards,
  type PartialAspects,
  type Shard,
  type ShardsHeld,
} from "./shards.js";
export { isTimestamp } from "./is-timestamp.js";
export { rankingOf, type Ranking } from "./ranking.js";
export { runFacts, UNKNOWN_TIME } from "./run-facts.js";
export { resultsByQuery } from "./run-results.js";
export {
  rankList,
  type ListScores,
  rankByScore,
  type RunReadOptions,
  scoredRunOf,
  type ScoredRanking,
  type ScoredRun,
} from "./scored-run.js";
export { isRoundedId, ROUNDED_ID, searchHitsFrom } from "./search-hits.js";
export {
  type EmbedOptions,
  type EmbeddingProvider,
  type EmbeddingProviderCard,
  type EmbeddingProviderSettings,
} from "./ports/embedding-provider.js";
export { type JudgedUnit } from "./judged-unit.js";
export type { Retriever, SearchOptions, SearchTrace } from "./ports/retriever.js";
export type { Backend, BackendHit, LabelItem } from "./ports/backend.js";
export type { RerankDocument, Reranker, RerankOptions } from "./ports/reranker.js";
export { direction, readDelta, readScore, metricRows, type MetricRow } from "./metric-rows.js";
export {
  isBatchReport,
  isComparable,
  isResult,
  resultKind,
  statisticsOf,
  type ResultKind,
} from "./result-kind.js";
export type * from "./types/index.js";
export type { CorpusSnapshot } from "./corpus-snapshot.js";
export { raterId, raterIds } from "./rater-id.js";
export { differInForm } from "./rater-forms.js";
export { isStaleLabel, keepAssessments, pairKey, standingAssessments } from "./assessments.js";
export type * from "./workbench.js";
