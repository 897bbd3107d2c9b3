/**
 * Where assessments are kept: the contract, and its adapters for memory and SQLite.
 *
 * @module
 */
export {
  checkAssessments,
  checkAssessmentSearch,
  listNamedFields,
  type AssessedQuery,
  type AssessmentFilter,
  type AssessmentSearch,
  type BuildKey,
  type CorpusKey,
  type ForgetFilter,
  type Forgotten,
  type KeptCorpus,
  type LabelStore,
  type ProfileKey,
  type RerankScore,
  type ScoresKey,
} from "./label-store.js";
export { findByQuery } from "./find-by-query.js";
export { memoryLabelStore } from "./memory-label-store.js";
export { backUpSuffix, migrateLabels, type LabelDatabase, type LabelMigration } from "./label-schema.js";
export { sqliteLabelStore } from "./sqlite-label-store.js";
