/**
 * Work that runs long, as the command line and the workbench both start it.
 *
 * @module
 */
export {
  openLabelBuild,
  usualLabelBuild,
  type LabelBuild,
  type LabelBuildSettings,
  type QueueWatcher,
} from "./label-build.js";
export type { QueuedDataset } from "./queued-work.js";
export type { QueuedBuild } from "./queued-label-build.js";
export type { RebuildSettings } from "./label-rebuild.js";
export type { LabelPlan, LabelWatcher, WindowSettings } from "./label-windows.js";
export { labelerProbes, usualProbes, type ProbeSettings } from "./labeler-probes.js";
export {
  labelsOfBoth,
  auditLabeler,
  writeAudit,
  type AuditedRaters,
  type AuditLabelerOptions,
  type NamedRater,
} from "./audit-labeler.js";
export { scoreAuditedSystems, type AuditedSystems, type AuditedSystemsOptions } from "./audited-systems.js";
export { tuneBatches, writeFusionTuning, type FusedBatches } from "./fuse-batches.js";
export { experimentRuns } from "./score-experiment.js";
export {
  openTuning,
  tuningScorecard,
  findUnfinishedTuning,
  type Tuning,
  type TuningMetrics,
  type TuningPlan,
  type TuningScorecard,
  type TuningStart,
} from "./tuning-plan.js";
export {
  tuneLiveSearch,
  tuningForms,
  usualLiveTuning,
  type LiveTuningSettings,
  type LiveTuningWatcher,
  type TunedLiveSearch,
} from "./tune-live-search.js";
export { costText, labelPlanText, probePlanText } from "./label-plan-text.js";
export { askOnce } from "./ask-once.js";
export { listQueuedBatches, recordQueuedBatch } from "./queued-batch.js";
export { openWorkQueue, type WorkPlace } from "./queued-work.js";
export { workName, workOnQueue, type WorkerOptions } from "./work-on-queue.js";
