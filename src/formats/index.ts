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
export { ItemLookup, qrelsOfTable, QrelsTableBuilder, tableOfQrels, type QrelsTable, type QrelsTableOptions, type TableQuery } from "./qrels-table.js";
export { RepeatedItems } from "./repeated-items.js";
export { isTrec, judgmentsOf, parseAnyQrels, parseAnyRun, type AnyQrels, type AnyRun, type QrelsReadOptions, type TableFormat } from "./qrels-and-runs.js";
export { formatLetor, formatQrels, formatRun, WRITTEN_FORMATS, writtenFormat, type WrittenFormat } from "./write-tables.js";
export type { Role } from "./rows.js";
export { prepareQrels, type Qrel, type Qrels, type QrelsInput, type QueryJudgments, type JudgedSubtopics } from "../qrels.js";
export { scoredRanking, type ScoredRanking, type ScoredRun } from "../scored-run.js";
