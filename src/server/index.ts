/**
 * The workbench in the browser: queries, labels, comparisons and history of a project, as a function of
 * requests, and served on this machine.
 *
 * @module
 */
export type { ProjectSource } from "./current-project.js";
export { serveWorkbench, type ServedWorkbench, type ServeOptions } from "./serve.js";
export { STATIC_MARK } from "./page.js";
export type { CollectedContents } from "./static-data.js";
export { staticWorkbench, type StaticWorkbench, type StaticWorkbenchOptions } from "./static-workbench.js";
export { workbench, type Workbench, type WorkbenchOptions } from "./workbench.js";
