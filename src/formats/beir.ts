import type { ErrorCode } from "../foundation/errors/index.js";
import { documentRecords, type CorpusDocument, type DocumentNames } from "./documents.js";

/** A document of BEIR's `corpus.jsonl`. */
export type BeirDocument = CorpusDocument;

/** BEIR has one name for each field, and ids are texts. */
function beirNames(code: ErrorCode): DocumentNames {
  return { ids: ["_id"], texts: ["text"], numericIds: false, codes: [code, code] };
}

/**
 * Reads BEIR's `corpus.jsonl`: `{"_id", "title", "text"}` a line.
 *
 * @throws InputError `CORPUS_SYNTAX` with all problems, each with line and column.
 */
export function parseBeirCorpus(source: string | Uint8Array, file = "corpus.jsonl"): BeirDocument[] {
  return documentRecords(source, file, beirNames("CORPUS_SYNTAX"));
}

/**
 * Reads BEIR's `queries.jsonl`: `{"_id", "text"}` a line.
 *
 * @returns texts by query id, in the order of the file.
 * @throws InputError `GOLDEN_SYNTAX` with all problems, each with line and column.
 */
export function parseBeirQueries(source: string | Uint8Array, file = "queries.jsonl"): Map<string, string> {
  return new Map(documentRecords(source, file, beirNames("GOLDEN_SYNTAX")).map(({ id, text }) => [id, text]));
}
