/**
 * Recording runs of your own system, and scoring and comparing those that a store holds.
 *
 * @module
 */
export { evidenceFrom, placesOfHits, type Evidence } from "./evidence.js";
export type { QueryContext, RecordOptions, RecordProgress } from "./record-options.js";
export { recordRun } from "./record-run.js";
export { describeReworded } from "./reworded.js";
export { findStaleIds, staleIdsError, type StaleId } from "./stale-ids.js";
export {
  aggregateStoredRun,
  compareStoredRuns,
  importRun,
  loadStoredRun,
  storeAggregate,
} from "./stored-runs.js";
export type { GivenWarning, WarningCode } from "../records/index.js";
