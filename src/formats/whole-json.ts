import { problemsError, type ErrorCode } from "../foundation/errors/index.js";
import { asProblem } from "./jsonl.js";
import { locateJson } from "./located-json.js";
import { SyntaxProblem, type LocatedDocument } from "./located.js";

/**
 * A text as one JSON value with positions.
 *
 * @throws InputError with `code` where it is not JSON, with line and column.
 */
export function wholeJson(text: string, file: string, code: ErrorCode): LocatedDocument {
  try {
    return locateJson(text);
  } catch (error) {
    if (error instanceof SyntaxProblem) throw problemsError([asProblem(error, file, code)]);
    throw error;
  }
}
