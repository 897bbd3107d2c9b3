import type { ErrorCode, Problem } from "../foundation/errors/index.js";
import { textOf } from "./decode-text.js";
import { LineReader } from "./line-reader.js";
import { locateValue, readJson } from "./located-json.js";
import { placeIn, SyntaxProblem, type LocatedDocument } from "./located.js";

/** One line of a JSONL file. */
export interface JsonLine {
  readonly value: unknown;
  /** Lines before this one. */
  readonly lineOffset: number;
  /** With positions, which are slow to find: only for lines that have a problem. */
  readonly located: () => LocatedDocument;
}

/**
 * Reads JSONL as it comes: bytes go in, and each record is given away when its line is complete. Blank lines
 * are passed over; lines that are not JSON become problems, so that one look shows them all.
 */
export class JsonlReader {
  readonly problems: Problem[] = [];
  readonly #lines: LineReader;

  constructor(file: string, code: ErrorCode, take: (line: JsonLine) => void) {
    this.#lines = new LineReader(file, (line, lineOffset) =>
      readLine(line, lineOffset, file, code, take, this.problems),
    );
  }

  write(chunk: Uint8Array): void {
    this.#lines.write(chunk);
  }

  end(): void {
    this.#lines.end();
  }
}

function readLine(
  line: string,
  lineOffset: number,
  file: string,
  code: ErrorCode,
  take: (line: JsonLine) => void,
  problems: Problem[],
): void {
  if (line.trim() === "") return;
  let value: unknown;
  try {
    value = readJson(line);
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    problems.push(asProblem(error, file, code, lineOffset));
    return;
  }
  take({ value, lineOffset, located: () => locateValue(value, line) });
}

/**
 * Gives away the records of a JSONL text one by one, as {@link JsonlReader} does, and returns what is no
 * JSON.
 */
export function eachJsonLine(
  source: string | Uint8Array,
  file: string,
  code: ErrorCode,
  take: (line: JsonLine) => void,
): Problem[] {
  if (typeof source !== "string") {
    const reader = new JsonlReader(file, code, take);
    reader.write(source);
    reader.end();
    return reader.problems;
  }
  const problems: Problem[] = [];
  const text = textOf(source, file);
  let lineOffset = 0;
  for (let start = 0; start < text.length; lineOffset++) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    readLine(text.slice(start, end), lineOffset, file, code, take, problems);
    start = end + 1;
  }
  return problems;
}

/** The records of a JSONL text, all together. */
export function jsonLines(
  source: string | Uint8Array,
  file: string,
  code: ErrorCode,
): { lines: JsonLine[]; problems: Problem[] } {
  const lines: JsonLine[] = [];
  const problems = eachJsonLine(source, file, code, (line) => void lines.push(line));
  return { lines, problems };
}

/** A syntax problem as it is reported: with file, line and column. */
export function asProblem(error: SyntaxProblem, file: string, code: ErrorCode, lineOffset = 0): Problem {
  return { code, ...placeIn(file, error.position, lineOffset), message: error.message };
}
