/**
 * The store contract and the store in memory. SQLite is in `rankproof/storage/sqljs`, on a file in
 * `rankproof/node`.
 *
 * @module
 */
export { checkRun } from "./eval-store.js";
export type { ChunkQuery, EvalStore, RunSummary, SaveOptions } from "./eval-store.js";
export { memoryStore } from "./memory-store.js";
