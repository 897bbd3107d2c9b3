/**
 * What the lexer says of the text without taking any of it: the beginning of a document, of a scalar, of a
 * flow's end.
 */
const MARKS = ["\u0002", "\u0018", "\u001f"];

/**
 * Watches the tokens of a YAML text, one after the other, and says of each how deep it is nested. The
 * library's parser calls itself for every level, and with too many of them the process ends for want of
 * memory; its lexer does not.
 *
 * A block begins to the right of the one around it, so its depth is the number of columns in which something
 * around it begins. A list may stand under its key in the same column, so that what passes is nested at most
 * twice as deep.
 */
export function nestingOfTokens(): (token: string) => number {
  const columns: number[] = [];
  let flowDepth = 0;
  let column = 0;
  // Whether a block may begin at the next token: at the beginning of a line, and after an indicator.
  let mayBegin = true;
  return (token) => {
    if (MARKS.includes(token)) return columns.length + flowDepth;
    if (token === "[" || token === "{") flowDepth++;
    else if (token === "]" || token === "}") flowDepth--;
    const isSpace = token.trim() === "";
    if (flowDepth <= 0 && mayBegin && !isSpace) {
      while (columns.length > 0 && (columns.at(-1) as number) > column) columns.pop();
      if (columns.at(-1) !== column) columns.push(column);
    }
    const newline = token.lastIndexOf("\n");
    column = newline === -1 ? column + token.length : token.length - newline - 1;
    mayBegin = newline !== -1 || token === "-" || token === "?" || token === ":" || (mayBegin && isSpace);
    return columns.length + flowDepth;
  };
}
