export { compareRuns, type CompareOptions } from "./compare-runs.js";
export { compareScores, type CompareScoresOptions } from "./compare-scores.js";
export { compareSeveralRuns } from "./compare-several-runs.js";
export { compareSystems, type ComparedSystem, type CompareSystemsOptions } from "./compare-systems.js";
export { configDiff } from "./config-diff.js";
export type { StatisticsOptions } from "./comparison-settings.js";
export { rankingAgreement, type AgreementOptions } from "./ranking-agreement.js";
export { tableOfEvaluation, tableOfRecord, type ScoredMetric, type ScoreTable } from "./score-table.js";
export type { ChannelRuns } from "./golden-evidence.js";
