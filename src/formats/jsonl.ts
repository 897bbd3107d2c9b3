import type { ErrorCode, Problem } from "../errors.js";
import { locatedJson } from "./located-json.js";
import { placeIn, SyntaxProblem, type LocatedDocument } from "./located.js";

/** One line of a JSONL file. */
export interface JsonLine {
  readonly value: unknown;
  /** Lines before this one. */
  readonly lineOffset: number;
  /** The line again, with positions: slow, so only for those that have a problem. */
  readonly located: () => LocatedDocument;
}

/**
 * The records of a JSONL text. Blank lines are passed over; lines that are not JSON become problems, so that one look shows
 * them all.
 */
export function jsonLines(text: string, file: string, code: ErrorCode): { lines: JsonLine[]; problems: Problem[] } {
  const lines: JsonLine[] = [];
  const problems: Problem[] = [];
  let lineOffset = 0;
  for (let start = 0; start < text.length; lineOffset++) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(start, end);
    start = end + 1;
    if (line.trim() === "") continue;
    try {
      const value: unknown = JSON.parse(line);
      lines.push({ value, lineOffset, located: () => locatedLine(line, value) });
    } catch {
      problems.push(syntaxProblem(line, file, lineOffset, code));
    }
  }
  return { lines, problems };
}

/** A line with positions. Where a key stands twice, which the fast parser lets pass, every position is that of the second one. */
function locatedLine(line: string, value: unknown): LocatedDocument {
  try {
    return locatedJson(line);
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    const { position } = error;
    return { value, positionOf: () => position, positionOfKey: () => position };
  }
}

function syntaxProblem(line: string, file: string, lineOffset: number, code: ErrorCode): Problem {
  try {
    locatedJson(line);
  } catch (error) {
    if (error instanceof SyntaxProblem) return asProblem(error, file, code, lineOffset);
  }
  return { code, where: `${file}:${lineOffset + 1}`, message: "is not valid JSON", line: lineOffset + 1 };
}

/** A syntax problem as it is reported: with file, line and column. */
export function asProblem(error: SyntaxProblem, file: string, code: ErrorCode, lineOffset = 0): Problem {
  return { code, ...placeIn(file, error.position, lineOffset), message: error.message };
}
