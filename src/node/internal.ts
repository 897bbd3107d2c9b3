/** What the command line and the workbench share, and users of the library have no need of. */
export {
  auditSampleFolder,
  backendNamed,
  checkDepth,
  deepestOf,
  DEFAULT_LABELS,
  describeSearch,
  documentsOf,
  forgetQueryBuilds,
  groupsOf,
  holdRecording,
  isRecording,
  newBatchId,
  openProbeAnswers,
  readLatestProbes,
  readQueryBuilds,
  withKeptCorpus,
  writeAuditSample,
} from "./datasets/index.js";
export {
  costText,
  experimentRuns,
  labelPlanText,
  labelsOfBoth,
  probePlanText,
  workName,
  writeFusionTuning,
} from "./work/index.js";
export { isModule } from "./systems/index.js";
export { stemOf } from "../files/index.js";
export {
  areNotedOriginals,
  readKeptExperiment,
  lockOf,
  originalsLeft,
  restartSettings,
  tellCommand,
} from "./tuning/index.js";
export { restorePointOf, restorePointPath } from "./restore/index.js";
