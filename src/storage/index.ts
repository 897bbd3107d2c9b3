/**
 * The store contract and the store in memory. SQLite is in `rankproof/storage/sqljs`, on a file in
 * `rankproof/node`, PostgreSQL in `rankproof/storage/postgres`.
 *
 * @module
 */
export { checkRun } from "./eval-store.js";
export type { ChunkQuery, EvalStore, RunSummary, SaveOptions } from "./eval-store.js";
export { memoryStore } from "./memory-store.js";
export {
  checkAssessments,
  checkAssessmentSearch,
  findByQuery,
  listNamedFields,
  memoryLabelStore,
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
} from "./labels/index.js";
