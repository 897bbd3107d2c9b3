/**
 * Scoring files in Node: judgments and runs of any format, plain or gzip.
 *
 * @module
 */
export { contentHead, contentOf, fileChunks, STANDARD_INPUT } from "./chunks.js";
export { evaluateFile, loadQrels, readAnyRun, type LoadedQrels } from "./evaluate-files.js";
export { stemOf } from "../stem-of.js";
