import { shown, throwProblems, type ErrorCode, type Problem } from "../errors.js";
import { textOf } from "./decode-text.js";
import { jsonLines } from "./jsonl.js";
import { locateIn } from "./located.js";

/** A document of BEIR's `corpus.jsonl`. */
export interface BeirDocument {
  readonly id: string;
  /** Empty where there is none. */
  readonly title: string;
  readonly text: string;
}

interface BeirRecord {
  readonly _id?: unknown;
  readonly title?: unknown;
  readonly text?: unknown;
}

/** The records of a BEIR file, in their order; each id once. */
function records(source: string | Uint8Array, file: string, code: ErrorCode): BeirDocument[] {
  const { lines, problems } = jsonLines(textOf(source, file), file, code);
  const found = new Map<string, BeirDocument>();
  for (const { value, lineOffset, located } of lines) {
    const { _id, title, text } = (value ?? {}) as BeirRecord;
    const at = (field: string): Omit<Problem, "code" | "message"> => locateIn(located(), file, lineOffset)([field]);
    if (typeof _id !== "string" || _id === "") problems.push({ code, ...at("_id"), message: `_id must be a string that is not empty, got ${shown(_id)}` });
    else if (found.has(_id)) problems.push({ code, ...at("_id"), message: `_id ${shown(_id)} stands twice; every record needs an id of its own` });
    else if (typeof text !== "string") problems.push({ code, ...at("text"), message: `text must be a string, got ${shown(text)}` });
    else found.set(_id, { id: _id, title: typeof title === "string" ? title : "", text });
  }
  throwProblems(problems);
  return [...found.values()];
}

/**
 * Reads BEIR's `corpus.jsonl`: `{"_id", "title", "text"}` a line.
 *
 * @throws InputError `CORPUS_SYNTAX` with all problems, each with line and column.
 */
export function parseBeirCorpus(source: string | Uint8Array, file = "corpus.jsonl"): BeirDocument[] {
  return records(source, file, "CORPUS_SYNTAX");
}

/**
 * Reads BEIR's `queries.jsonl`: `{"_id", "text"}` a line.
 *
 * @returns texts by query id, in the order of the file.
 * @throws InputError `GOLDEN_SYNTAX` with all problems, each with line and column.
 */
export function parseBeirQueries(source: string | Uint8Array, file = "queries.jsonl"): Map<string, string> {
  return new Map(records(source, file, "GOLDEN_SYNTAX").map(({ id, text }) => [id, text]));
}
