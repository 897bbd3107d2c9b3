/**
 * Runs in SQLite through sql.js (WebAssembly), in Node and the browser.
 *
 * @module
 */
export type { StoreImage } from "./image.js";
export type { SqliteStore } from "../sqlite/sqlite-store.js";
export { sqljsStore, type SqljsOptions } from "./sqljs-store.js";
