export { compareRuns, type CompareOptions } from "./compare-runs.js";
export { configDiff } from "./config-diff.js";
