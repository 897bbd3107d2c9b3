export { isModule, moduleSystem } from "./module-system.js";
export { programSystem, type ProgramOptions } from "./program-system.js";
export type { RecordedSystem } from "./system.js";
