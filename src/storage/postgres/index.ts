/**
 * Runs and labels in PostgreSQL, for several people, processes and machines at once.
 *
 * @module
 */
export type { PostgresOptions } from "./postgres-database.js";
export { postgresLabelStore } from "./postgres-label-store.js";
export { postgresStamps, type PostgresStamps } from "./postgres-stamps.js";
export { postgresStore } from "./postgres-store.js";
export type {
  AskedPart,
  BeginOptions,
  BegunWork,
  PartDone,
  QueuedWork,
  WorkOptions,
  WorkPaid,
  WorkPart,
  WorkProgress,
  WorkQueue,
} from "./queued-work.js";
export { postgresWorkQueue } from "./work-queue.js";
