export { tellLoadedFiles } from "./loaded-files.js";
export { isModule, moduleSystem } from "./module-system.js";
export { programSystem } from "./program-system.js";
export type { RecordedSystem } from "./system.js";
