export { compareRuns, type CompareOptions } from "./compare-runs.js";
