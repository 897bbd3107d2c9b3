/**
 * What only Node has: files, and a store in an SQLite file.
 *
 * @module
 */
export { fileEmbeddingCache } from "./embedding-cache.js";
export { readBenchFixture, type BenchFixtureOptions } from "./read-bench-fixture.js";
export { readChunks } from "./read-chunks.js";
export { configPath, findConfig, readConfig } from "./read-config.js";
export { readCorpus, readGolden, readRun } from "./read-files.js";
export {
  replaceFile,
  type FileContent,
  type ProcessName,
  type ReplacementLooks,
  type Surroundings,
} from "../files/index.js";
export { runFolder, writePerQuery, writeReport } from "./run-files.js";
export {
  annotateRun,
  artifactsPath,
  backendFrom,
  batchFiles,
  batchFolder,
  batchForms,
  labelerFrom,
  labelsOfDataset,
  labelsPath,
  listBatches,
  listPooledTargets,
  listRecordedTargets,
  openBackend,
  openLabeler,
  openLiveSearch,
  openReranker,
  projectConfig,
  readAuditedLabels,
  readAuditSamples,
  readBatchFile,
  readDataset,
  readWholeDataset,
  recordBatch,
  reportBatch,
  requireRater,
  rerankerFrom,
  scorecardOf,
  withListedHits,
  type AnnotatedRun,
  type AskOptions,
  type AuditedLabels,
  type BatchFiles,
  type Dataset,
  type DatasetLabels,
  type LabelerOptions,
  type LabelsChoice,
  type LiveSearch,
  type NamedQuery,
  type OpenLabeler,
  type OpenReranker,
  type RerankedWindow,
  type RerankerSettings,
  type TargetOptions,
  type Watcher,
} from "./datasets/index.js";
export {
  askOnce,
  auditLabeler,
  findUnfinishedTuning,
  labelerProbes,
  listQueuedBatches,
  openLabelBuild,
  openTuning,
  openWorkQueue,
  recordQueuedBatch,
  scoreAuditedSystems,
  tuneBatches,
  tuneLiveSearch,
  tuningForms,
  tuningScorecard,
  usualLabelBuild,
  usualLiveTuning,
  usualProbes,
  workOnQueue,
  writeAudit,
  type AuditedRaters,
  type AuditedSystems,
  type AuditedSystemsOptions,
  type AuditLabelerOptions,
  type FusedBatches,
  type LabelBuild,
  type LabelBuildSettings,
  type LabelPlan,
  type LabelWatcher,
  type LiveTuningSettings,
  type LiveTuningWatcher,
  type NamedRater,
  type ProbeSettings,
  type QueuedBuild,
  type QueuedDataset,
  type QueueWatcher,
  type RebuildSettings,
  type TunedLiveSearch,
  type Tuning,
  type TuningMetrics,
  type TuningPlan,
  type TuningScorecard,
  type TuningStart,
  type WindowSettings,
  type WorkerOptions,
  type WorkPlace,
} from "./work/index.js";
export { migrateLabelFile, openLabelStore } from "./label-file.js";
export type { LabelMigration } from "../storage/labels/index.js";
export { openStore, type OpenStoreOptions } from "./store-file.js";
export { isPostgresUrl, isStoreThere, storeName } from "./store-name.js";
export { moduleSystem, programSystem, type ProgramOptions, type RecordedSystem } from "./systems/index.js";
export {
  conformance,
  evaluateFile,
  fileChunks,
  loadQrels,
  readAnyRun,
  type LoadedQrels,
  type NamedRun,
} from "./evaluate/index.js";
export { postgresqlBackend, type PostgresqlBackendOptions } from "./postgresql-backend.js";
export {
  experimentFiles,
  restore,
  restoreTuned,
  runExperiments,
  TunedBackend,
  tuningFiles,
  tuningsFolder,
  type CommandRun,
  type RanExperiments,
  type RestartSettings,
  type Restoration,
  type RestoreOptions,
  type RunExperimentsOptions,
  type TunedBackendOptions,
  type TuningFiles,
} from "./tuning/index.js";
export {
  findRestorePoints,
  type FoundRestorePoint,
  type RestorePoint,
  type TunedFile,
} from "./restore/index.js";
