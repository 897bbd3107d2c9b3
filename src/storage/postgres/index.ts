/**
 * Runs and labels in PostgreSQL, for several people, processes and machines at once.
 *
 * @module
 */
export type { PostgresOptions } from "./postgres-database.js";
export { postgresLabelStore } from "./postgres-label-store.js";
export { postgresStamps, type PostgresStamps } from "./postgres-stamps.js";
export { postgresStore } from "./postgres-store.js";
export {
  postgresWorkQueue,
  type BeginOptions,
  type BegunWork,
  type PartDone,
  type QueuedWork,
  type WorkOptions,
  type WorkPaid,
  type WorkPart,
  type WorkProgress,
  type WorkQueue,
  type AskedPart,
} from "./work-queue.js";
