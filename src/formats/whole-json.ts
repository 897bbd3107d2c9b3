import type { ZodType } from "zod";
import { problemsError, throwProblems, type ErrorCode } from "../foundation/errors/index.js";
import { shapeProblems } from "../records/index.js";
import { textOf } from "./decode-text.js";
import { asProblem } from "./jsonl.js";
import { locateJson } from "./located-json.js";
import { locateIn, SyntaxProblem, type LocatedDocument } from "./located.js";

/**
 * A text as one JSON value with positions.
 *
 * @throws InputError with `code` where it is not JSON, with line and column.
 */
export function wholeJson(text: string, file: string, code: ErrorCode): LocatedDocument {
  try {
    return locateJson(textOf(text, file));
  } catch (error) {
    if (error instanceof SyntaxProblem) throw problemsError([asProblem(error, file, code)]);
    throw error;
  }
}

/**
 * A text as one JSON value of a shape, as it stands there: nothing is taken away or filled in.
 *
 * @throws InputError with `code` with every problem, each with its place.
 */
export function jsonOfShape(schema: ZodType, text: string, file: string, code: ErrorCode): unknown {
  return checkShape(schema, wholeJson(text, file, code), file, code);
}

/** As {@link jsonOfShape}, of a document that is read already. */
export function checkShape(
  schema: ZodType,
  document: LocatedDocument,
  file: string,
  code: ErrorCode,
): unknown {
  throwProblems(shapeProblems(schema, document.value, { code, locate: locateIn(document, file) }));
  return document.value;
}
