/**
 * Text or bytes to records, with errors that name file, line and column, and back.
 *
 * @module
 */
export { decodeText } from "./decode-text.js";
export { parseGolden } from "./golden-file.js";
export { parseAggregate, parseCompareReport } from "./result-file.js";
export { formatResults, parseCorpus, parseRun, type RunDefaults } from "./run-file.js";
