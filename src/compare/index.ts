export { leaderboardOf, type Leaderboard } from "./leaderboard.js";
export { severalRuns } from "./several-runs.js";
export type { CompareOptions, CompareSeveralOptions } from "./compare-options.js";
export { compareRuns } from "./compare-runs.js";
export {
  compareScores,
  comparisonOf,
  type CompareScoresOptions,
  type RankingEvidence,
} from "./compare-scores.js";
export { compareSeveralRuns } from "./compare-several-runs.js";
export type { ComparedSystem } from "./compared-system.js";
export {
  prepareCorrection,
  worthSentence,
  type AuditedScore,
  type LabelCorrection,
  type LabelCorrectionOptions,
} from "./label-correction.js";
export { modelFamily, type GradesByQuery, type LabelEvidence, type QuerySample } from "./label-evidence.js";
export { compareSystems, type CompareSystemsOptions } from "./compare-systems.js";
export {
  reportRun,
  reportSystem,
  type ReportRunOptions,
  type ReportStatistics,
  type ReportSystemOptions,
} from "./report-run.js";
export {
  addDecisiveMetrics,
  metricsBeside,
  goldenMetrics,
  requireMeasured,
  splitGuard,
  splitNames,
} from "./decisive-metrics.js";
export { configDiff } from "./config-diff.js";
export {
  comparisonDefaults,
  FEWEST_DRAWS,
  MOST_DRAWS,
  MOST_FAILED,
  QUERIES_IN_FULL,
  type StatisticsOptions,
} from "./comparison-settings.js";
export { diagnoseLosses, SHOWN_HITS } from "./loss-diagnosis.js";
export { overlapsOf, rankingAgreement, type AgreementOptions } from "./ranking-agreement.js";
export { usualMetrics } from "./usual-metrics.js";
export { tableOfEvaluation, tableOfRecord, type ScoredMetric, type ScoreTable } from "./score-table.js";
export type { ChannelRuns } from "./golden-evidence.js";
