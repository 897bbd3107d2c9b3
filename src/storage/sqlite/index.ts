/**
 * Runs in SQLite tables, whichever engine runs them: sql.js in memory, or Node's own SQLite on the file.
 *
 * @module
 */
export {
  checkColumns,
  checkLength,
  checkPages,
  corruptStore,
  emptyStore,
  notSqlite,
  sqliteRefusal,
} from "./check-database.js";
export type { Row, SqlConnection, SqlValue } from "./connection.js";
export { escapedTexts } from "./escaped-texts.js";
export { checkOpening } from "../check-given.js";
export { sqliteStore, type SqliteDatabase, type SqliteStore } from "./sqlite-store.js";
export { createTables } from "./tables.js";
