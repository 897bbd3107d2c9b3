/**
 * Text or bytes to records, with errors that name file, line and column, and back.
 *
 * @module
 */
export { decodeText } from "./decode-text.js";
export { parseGolden } from "./golden-file.js";
export { parseAggregate, parseCompareReport } from "./result-file.js";
export { formatResults, parseCorpus, parseRun, type RunDefaults } from "./run-file.js";
export { parseTrecQrels, parseTrecRun } from "./trec.js";
export { TrecRunScanner, type RunBlock } from "./trec-run-scanner.js";
export { TrecQrelsScanner, type QrelsLine } from "./trec-qrels-scanner.js";
export { compareBytes, decodedId } from "./id-bytes.js";
export { ItemLookup, QrelsTableBuilder, type QrelsTable, type QrelsTableOptions, type TableQuery } from "./qrels-table.js";
export { RepeatedItems } from "./repeated-items.js";
