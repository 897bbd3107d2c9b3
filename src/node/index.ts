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
export { replaceFile, type FileContent, type Surroundings } from "../files/index.js";
export { runFolder, writePerQuery, writeReport } from "./run-files.js";
export {
  annotateRun,
  auditedLabels,
  labelsBy,
  peoplesLabels,
  requiredRater,
  type AuditedLabels,
  readWholeDataset,
  backendNamed,
  batchForms,
  checkDepth,
  deepestOf,
  documentsOf,
  reportBatch,
  scorecardOf,
  withListedHits,
  type AnnotatedRun,
  currentHashes,
  labelsOfDataset,
  ratersOf,
  type DatasetLabels,
  type LabelsChoice,
  openLiveSearch,
  recordBatch,
  type AskOptions,
  type LiveSearch,
  type Watcher,
  artifactsPath,
  backendFrom,
  DEFAULT_LABELS,
  labelerFrom,
  labelsPath,
  projectConfig,
  rerankerFrom,
  batchFiles,
  batchFolder,
  listBatches,
  readBatchFile,
  withoutSecrets,
  writeSnapshots,
  type BatchFiles,
  forgetQueryBuilds,
  readQueryBuilds,
  labelTargets,
  openBackend,
  auditSampleFolder,
  readAuditSamples,
  writeAuditFile,
  writeAuditSample,
  openLabeler,
  openProbeAnswers,
  openReworded,
  type ProbeAnswersFile,
  raterNamed,
  pooledTargets,
  recordedTargets,
  readDataset,
  withKeptCorpus,
  withListedCorpus,
  writeQueryBuild,
  type ListCorpusOptions,
  type Dataset,
  type NamedQuery,
  openReranker,
  type LabelerOptions,
  type OpenLabeler,
  type OpenReranker,
  type RerankedWindow,
  type TargetOptions,
} from "./datasets/index.js";
export { migrateLabelFile, openLabelStore } from "./label-file.js";
export { openStore, type OpenStoreOptions } from "./store-file.js";
export type { SqliteStore } from "../storage/sqlite/index.js";
export {
  isModule,
  moduleSystem,
  programSystem,
  type ProgramOptions,
  type RecordedSystem,
} from "./systems/index.js";
export { stemOf } from "../files/index.js";
export {
  conformance,
  evaluateFile,
  fileChunks,
  loadQrels,
  readAnyRun,
  type LoadedQrels,
} from "./evaluate/index.js";
export { postgresqlBackend, type PostgresqlBackendOptions } from "./postgresql-backend.js";
export {
  experimentFiles,
  lockOf,
  originalsLeft,
  restartSettings,
  restore,
  restoreTuned,
  runExperiments,
  TunedBackend,
  tuningFiles,
  tuningsFolder,
  type RanExperiments,
  type Restoration,
  type RestoreOptions,
  type RestartSettings,
  type RunExperimentsOptions,
  type TunedBackendOptions,
  type TuningFiles,
} from "./tuning/index.js";
export {
  findRestorePoints,
  restorePointOf,
  restorePointPath,
  type FoundRestorePoint,
  type RestorePoint,
  type TunedFile,
} from "./restore/index.js";
