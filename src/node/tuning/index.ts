export { lockOf, restore, type Restoration, type RestoreOptions, type RestartSettings } from "./restore.js";
export {
  experimentFiles,
  restoreTuned,
  runExperiments,
  type RanExperiments,
  type RunExperimentsOptions,
} from "./run-experiments.js";
export { restartSettings, TunedBackend, type TunedBackendOptions } from "./tuned-backend.js";
export {
  areNotedOriginals,
  hasBegun,
  readKeptExperiment,
  tuningFiles,
  tuningsFolder,
  type TuningFiles,
} from "./tuning-files.js";
export { tellCommand, type CommandRun } from "./run-command.js";
export { originalsLeft } from "./saved-original.js";
