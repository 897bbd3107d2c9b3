export { compareRuns, type CompareOptions } from "./compare-runs.js";
export { compareScores, type CompareScoresOptions, type KnownQuery } from "./compare-scores.js";
export { compareSystems, type ComparedSystem, type CompareSystemsOptions } from "./compare-systems.js";
export { configDiff } from "./config-diff.js";
export type { StatisticsOptions } from "./comparison-settings.js";
export { tableOfEvaluation, tableOfRecord, type ScoredMetric, type ScoreTable } from "./score-table.js";
export type { ChannelRuns } from "./golden-evidence.js";
export { knownQuery } from "./golden-evidence.js";
export type { QueryLabels } from "./slices.js";
