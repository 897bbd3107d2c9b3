/**
 * TREC's formats, read from bytes: runs and judgments that are scored without making a string of any item's
 * id.
 *
 * @module
 */

export { bytesLookLikeTrec } from "../file-kind.js";
export type { ByteReader } from "../byte-reader.js";
export { parseTrecQrels, parseTrecRun, trecJudgments, trecRunReader, type TrecRun } from "./parse.js";
export { TrecQrelsScanner, type QrelsLines } from "./qrels-scanner.js";
export { qrelsOfTable, QrelsTableBuilder, tableOfQrels } from "./qrels-table.js";
export type { QrelsTable, TableQuery } from "./table.js";

export { TrecRunScanner, type RunBlock, type RunHits, type RunScannerOptions } from "./run-scanner.js";
export type { Role } from "../rows.js";
export type { Qrel, Qrels } from "../../records/index.js";
export type { ScoredRun } from "../../records/index.js";
