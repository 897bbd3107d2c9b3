/**
 * The workbench in the browser: queries, labels, comparisons and history of a project, as a function of
 * requests, and served on this machine.
 *
 * @module
 */
export { serveWorkbench, type ServedWorkbench, type ServeOptions } from "./serve.js";
export { workbench, type Workbench, type WorkbenchOptions } from "./workbench.js";
