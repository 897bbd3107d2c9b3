/**
 * Scoring files in Node: judgments and runs of any format, plain or gzip; and writing what comes out.
 *
 * @module
 */
export { contentHead, contentOf, fileChunks, parquetOf } from "./chunks.js";
export { conformance } from "./conformance.js";
export { labelDigest, labelOriginPath } from "./label-origin.js";
export {
  evaluateFile,
  evaluateFilePartial,
  loadQrels,
  readAnyQrels,
  readAnyRun,
  withOrigin,
  type LoadedQrels,
  type NamedRun,
} from "./evaluate-files.js";
export { replaceFile } from "../../files/index.js";
export { STANDARD_INPUT, stemOf } from "../../files/index.js";
