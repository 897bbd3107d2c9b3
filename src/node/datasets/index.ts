/**
 * Datasets of a configuration: their queries and items, the search that they are labelled over, and who
 * labels.
 *
 * @module
 */
export {
  auditSampleFolder,
  readAuditSamples,
  readLatestProbes,
  writeAuditFile,
  writeAuditSample,
} from "./audit-files.js";
export { openProbeAnswers, type ProbeAnswersFile } from "./probe-answers.js";
export {
  readAuditedLabels,
  labelsBy,
  peoplesLabels,
  requireRater,
  type AuditedLabels,
} from "./audited-labels.js";
export { openBackend } from "./backends.js";
export { readWholeDataset } from "./whole-dataset.js";
export { readDataset, type Dataset, type NamedQuery } from "./dataset.js";
export { openLabeler, openReworded, raterNamed, type LabelerOptions, type OpenLabeler } from "./labelers.js";
export { withKeptCorpus, withListedCorpus, type ListCorpusOptions } from "./listed-corpus.js";
export { forgetQueryBuilds, readQueryBuilds, writeQueryBuild } from "./query-builds.js";
export { groupsOf, groupsOfDataset } from "./query-groups.js";
export { openReranker, type OpenReranker, type RerankerSettings } from "./rerankers.js";
export {
  labelTargets,
  listPooledTargets,
  listRecordedTargets,
  type RerankedWindow,
  type TargetOptions,
} from "./targets.js";
export {
  annotateRun,
  backendNamed,
  batchForms,
  checkDepth,
  deepestOf,
  documentsOf,
  reportBatch,
  scorecardOf,
  withListedHits,
  type AnnotatedRun,
} from "./batch-work.js";
export {
  currentHashes,
  labelsOfDataset,
  ratersOf,
  type DatasetLabels,
  type LabelsChoice,
} from "./dataset-labels.js";
export {
  openLiveSearch,
  describeSearch,
  recordBatch,
  type AskOptions,
  type LiveSearch,
  type Watcher,
} from "./live-search.js";
export {
  artifactsPath,
  backendFrom,
  DEFAULT_LABELS,
  labelerFrom,
  labelsPath,
  projectConfig,
  rerankerFrom,
} from "./project-config.js";
export {
  batchFiles,
  batchFolder,
  listBatches,
  readBatchFile,
  withoutSecrets,
  writeSnapshots,
  type BatchFiles,
} from "./batch-files.js";
export { newBatchId } from "./new-batch-id.js";
export { holdRecording, isRecording } from "./recording-lock.js";
