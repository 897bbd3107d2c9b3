import { problemsError, quote, throwProblems, type Problem } from "../foundation/errors/index.js";
import { plainCells } from "./labels-table.js";
import { placeIn, type Position } from "./located.js";
import type { ReadFormatCard } from "./read-format.js";
import { isHeader, RowCollector, syntaxCode, type Role } from "./rows.js";

/** One field, and where it begins. */
interface Field {
  readonly text: string;
  readonly column: number;
}

/** Records of a CSV text with a separator of one character, quoted as in RFC 4180. */
export function* csvRecords(
  text: string,
  separator: string,
  fail: (line: number, column: number, message: string) => void,
): Iterable<{ readonly line: number; readonly fields: readonly Field[] }> {
  let line = 1;
  for (let at = 0; at < text.length;) {
    const firstLine = line;
    let lineStart = at;
    const fields: Field[] = [];
    for (;;) {
      const column = at - lineStart + 1;
      let value = "";
      if (text[at] === '"') {
        const opened = { line, column };
        at++;
        for (;;) {
          const quote = text.indexOf('"', at);
          if (quote === -1) {
            fail(opened.line, opened.column, 'a quote is opened and never closed; end the field with `"`');
            return;
          }
          const part = text.slice(at, quote);
          for (let newline = part.indexOf("\n"); newline !== -1; newline = part.indexOf("\n", newline + 1)) {
            line++;
            lineStart = at + newline + 1;
          }
          value += part;
          at = quote + 1;
          if (text[at] !== '"') break;
          value += '"';
          at++;
        }
      }
      let end = at;
      while (end < text.length && text[end] !== separator && text[end] !== "\n") end++;
      value += text.slice(at, text[end - 1] === "\r" && text[end] !== separator ? end - 1 : end);
      fields.push({ text: value, column });
      at = end + 1;
      if (text[end] !== separator) break;
    }
    line++;
    if (fields.length > 1 || fields[0]?.text.trim() !== "") yield { line: firstLine, fields };
  }
}

/** The separator of a header line: the one that gives most names. */
export function separatorOf(header: string): string {
  return ["\t", ",", ";"].reduce(
    (best, separator) => (header.split(separator).length > header.split(best).length ? separator : best),
    "\t",
  );
}

/** The names of the columns that a header line gives. */
export function columnNames(line: string): string[] {
  return line.split(separatorOf(line)).map((name) =>
    name
      .trim()
      .replace(/^"(.*)"$/, "$1")
      .toLowerCase(),
  );
}

/** A row of a table: its fields by the names of the columns, and where they begin. */
export interface TableRow {
  readonly values: ReadonlyMap<string, string>;
  /** Where a field stands, by its name; without one, the row. */
  readonly at: (name?: string) => Position;
}

/** Records of tabs, in which a quote that does not end its cell stands for itself. */
function* tabRecords(text: string): Iterable<{ readonly line: number; readonly fields: readonly Field[] }> {
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    let column = 1;
    const fields = line.split("\t").map((cell) => {
      const field = {
        text: /^"(?:[^"]|"")*"$/.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell,
        column,
      };
      column += cell.length + 1;
      return field;
    });
    yield { line: index + 1, fields };
  }
}

/**
 * Reads a table whose first line names the columns, which count in lower case.
 *
 * @param isOfWords whether its cells are words of people: with tabs a quote may be one of them, and a column
 * that is there twice is refused.
 * @returns whether there is such a line.
 */
export function readTable(
  text: string,
  fail: (at: Position, message: string) => void,
  take: (row: TableRow) => void,
  isOfWords = false,
): boolean {
  let names: readonly string[] | undefined;
  const failAt = (line: number, column: number, message: string): void => fail({ line, column }, message);
  const separator = separatorOf(text.split("\n", 1)[0] ?? "");
  const records = isOfWords && separator === "\t" ? tabRecords(text) : csvRecords(text, separator, failAt);
  for (const { line, fields } of records) {
    if (names === undefined) {
      const given = fields.map((field) => field.text.trim().toLowerCase());
      const twice = given.findIndex((name, at) => name !== "" && given.indexOf(name) !== at);
      if (isOfWords && twice !== -1)
        failAt(line, fields[twice]?.column ?? 1, `column ${quote(given[twice])} is duplicated; keep one`);
      names = given;
      continue;
    }
    if (fields.length !== names.length) {
      failAt(line, 1, `the header names ${names.length} columns, this line has ${fields.length}`);
      continue;
    }
    const header = names;
    take({
      values: new Map(header.map((name, index) => [name, (fields[index] as Field).text])),
      at: (name) => ({
        line,
        column: name === undefined ? 1 : (fields[header.indexOf(name)]?.column ?? 1),
      }),
    });
  }
  return names !== undefined;
}

/**
 * Reads a run or judgments from a CSV or TSV text whose first line names the columns, BEIR's qrels among
 * them.
 *
 * @throws InputError with all problems, each with line and column.
 */
function parseCsv(text: string, file: string, role: Role): RowCollector {
  const problems: Problem[] = [];
  const code = syntaxCode(role);
  const collector = new RowCollector(role, problems);
  const isThere = readTable(
    text,
    (at, message) => problems.push({ code, ...placeIn(file, at), message }),
    ({ values, at }) =>
      collector.add({ values: plainCells(values), place: (name) => placeIn(file, at(name)) }),
  );
  if (!isThere)
    throw problemsError([{ code, where: file, message: "is empty; the first line must name the columns" }]);
  throwProblems(problems);
  return collector;
}

/** Tables with a header, separated by commas, tabs or semicolons. */
export const csvTables = {
  name: "csv",
  fits: (line) => isHeader(columnNames(line)),
  read: (text, file, role) => parseCsv(text, file, role).check(),
} as const satisfies ReadFormatCard;
