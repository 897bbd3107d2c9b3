/**
 * Runs in SQLite through sql.js (WebAssembly), in Node and the browser.
 *
 * @module
 */
export type { StoreImage } from "./image.js";
export { sqljsStore, type SqljsOptions, type SqljsStore } from "./sqljs-store.js";
