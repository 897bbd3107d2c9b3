import { Lexer } from "yaml";

/**
 * What the lexer says of the text without taking any of it: the beginning of a document, of a scalar, of a
 * flow's end.
 */
const MARKS = ["\u0002", "\u0018", "\u001f"];

/**
 * Where a YAML text is nested deeper than `limit`, as an offset; undefined where it is not. The library's
 * parser calls itself for every level, and with too many of them the process ends for want of memory; its
 * lexer does not.
 *
 * A block begins to the right of the one around it, so its depth is the number of columns in which something
 * around it begins. A list may stand under its key in the same column, so that what passes is nested at most
 * twice as deep.
 */
export function tooDeepYaml(text: string, limit: number): number | undefined {
  const columns: number[] = [];
  let flowDepth = 0;
  let offset = 0;
  let lineStart = 0;
  // Whether a block may begin at the next token: at the beginning of a line, and after an indicator.
  let mayBegin = true;
  for (const token of new Lexer().lex(text)) {
    if (MARKS.includes(token)) continue;
    const column = offset - lineStart;
    if (token === "[" || token === "{") flowDepth++;
    else if (token === "]" || token === "}") flowDepth--;
    if (flowDepth <= 0 && mayBegin && token.trim() !== "") {
      while (columns.length > 0 && (columns.at(-1) as number) > column) columns.pop();
      if (columns.at(-1) !== column) columns.push(column);
    }
    if (columns.length + flowDepth > limit) return offset;
    const newline = token.lastIndexOf("\n");
    offset += token.length;
    if (newline !== -1) lineStart = offset - token.length + newline + 1;
    mayBegin =
      newline !== -1 || token === "-" || token === "?" || token === ":" || (mayBegin && token.trim() === "");
  }
  return undefined;
}
