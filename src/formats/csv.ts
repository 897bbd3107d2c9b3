import { problemsError, quote, throwProblems, type Problem } from "../foundation/errors/index.js";
import { firstOf } from "../foundation/text/index.js";
import { plainCells } from "./labels-table.js";
import { placeIn, type Position } from "./located.js";
import type { ReadFormatCard } from "./read-format.js";
import { columnsRead, isHeader, RowCollector, syntaxCode, type Role } from "./rows.js";

/** One field, and where it begins. */
interface Field extends Position {
  readonly text: string;
}

/** A record of a table, and the line in which it begins. */
interface TableRecord {
  readonly line: number;
  readonly fields: readonly Field[];
}

/** How Excel names the separator, in a line before the header. */
const SEPARATOR_LINE = /^\s*sep=([\t,;])(?:\r\n|\r|\n|$)/i;
/** JSON has lines in which other ends of lines stand as they are. */
const HEADER_LINE = /(?:^|[\r\n])([^\r\n]*\S[^\r\n]*)/;
const LINE_END = /\r\n|\r|\n/g;

/** Of columns in a message. */
const MOST_NAMES = 8;

type Fail = (line: number, column: number, message: string) => void;

/** A text without the line that names the separator, and how many lines that were. */
function behindSeparator(text: string): { readonly body: string; readonly before: number } {
  const [line] = SEPARATOR_LINE.exec(text) ?? [];
  if (line === undefined) return { body: text, before: 0 };
  return { body: text.slice(line.length), before: line.match(LINE_END)?.length ?? 0 };
}

/** A text of which the comments before the header are blank lines. */
export function withoutComments(text: string): string {
  return text.replace(/^(?:\s*#[^\r\n]*[\r\n]+)+/, (lines) => lines.replace(/[^\r\n]+/g, ""));
}

/** The line of a table that names its columns: the first that is not blank. */
export function headerLine(text: string): string {
  return HEADER_LINE.exec(behindSeparator(text).body)?.[1] ?? "";
}

/**
 * Records of a table; the header, or a line before it, says what separates its cells. They are quoted as in
 * RFC 4180, but for tabs as some programs write them: where each line has as many cells as the first, or
 * nobody quoted as one should, a quote that does not enclose its cell stands for itself.
 */
export function csvRecords(text: string, fail: Fail): Iterable<TableRecord> {
  const { body, before } = behindSeparator(text);
  const separator = SEPARATOR_LINE.exec(text)?.[1] ?? separatorOf(headerLine(body));
  const readQuoted = (onProblem: Fail): Iterable<TableRecord> =>
    eachQuotedRecord(body, separator, before, onProblem);
  if (separator !== "\t" || !body.includes('"')) return readQuoted(fail);
  const isPlain = isEven(tabRecords(body, before)) || !isWellQuoted(readQuoted);
  return isPlain ? tabRecords(body, before) : readQuoted(fail);
}

/** Whether each record has as many cells as the first. */
function isEven(records: Iterable<TableRecord>): boolean {
  let count: number | undefined;
  for (const { fields } of records) if (fields.length !== (count ??= fields.length)) return false;
  return true;
}

function isWellQuoted(quoted: (fail: Fail) => Iterable<TableRecord>): boolean {
  let hasFailed = false;
  for (const _ of quoted(() => (hasFailed = true))) if (hasFailed) break;
  return !hasFailed;
}

/** @param before how many lines stand before the text. */
function* eachQuotedRecord(
  text: string,
  separator: string,
  before: number,
  fail: Fail,
): Iterable<TableRecord> {
  const [between, feed, carriageReturn] = [separator, "\n", "\r"].map((char) => char.charCodeAt(0));
  let line = 1 + before;
  for (let at = 0; at < text.length;) {
    const firstLine = line;
    let lineStart = at;
    const fields: Field[] = [];
    for (;;) {
      const [startLine, column] = [line, at - lineStart + 1];
      const isQuoted = text[at] === '"';
      const close = isQuoted ? closingQuote(text, at + 1) : -1;
      let value = "";
      if (isQuoted && close === -1) {
        fail(line, column, 'a quote is opened and never closed; end the field with `"`');
        return;
      }
      if (isQuoted) {
        value = text.slice(at + 1, close);
        if (value.includes("\n") || value.includes("\r"))
          for (const { index, 0: end } of value.matchAll(LINE_END)) {
            line++;
            lineStart = at + 1 + index + end.length;
          }
        if (value.includes('"')) value = value.replaceAll('""', '"');
        at = close + 1;
      }
      let end = at;
      for (; end < text.length; end++) {
        const code = text.charCodeAt(end);
        if (code === between || code === feed || code === carriageReturn) break;
      }
      const rest = end === at ? "" : text.slice(at, end);
      if (!isQuoted) value = rest;
      else if (rest.trim() !== "")
        fail(
          line,
          at - lineStart + 1,
          `${quote(rest)} follows a closing quote; write a quote in a cell twice`,
        );
      fields.push({ text: value, line: startLine, column });
      at = end + (text[end] === "\r" && text[end + 1] === "\n" ? 2 : 1);
      if (text[end] !== separator) break;
    }
    line++;
    // Spreadsheets leave lines of nothing but separators behind.
    if (fields.some((field) => field.text.trim() !== "")) yield { line: firstLine, fields };
  }
}

/** Where the quote stands that closes a cell; -1 for none. */
function closingQuote(text: string, from: number): number {
  let close = text.indexOf('"', from);
  while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  return close;
}

/**
 * Records of tabs, in which a quote that does not enclose its cell stands for itself.
 *
 * @param before how many lines stand before the text.
 */
function* tabRecords(text: string, before: number): Iterable<TableRecord> {
  let line = before;
  for (const row of text.split(LINE_END)) {
    line++;
    if (row.trim() === "") continue;
    let column = 1;
    const fields = row.split("\t").map((cell) => {
      const field = { text: unquote(cell), line, column };
      column += cell.length + 1;
      return field;
    });
    yield { line, fields };
  }
}

function unquote(cell: string): string {
  if (!cell.startsWith('"')) return cell;
  const whole = cell.trimEnd();
  const isEnclosed = whole.length > 1 && closingQuote(whole, 1) === whole.length - 1;
  return isEnclosed ? whole.slice(1, -1).replaceAll('""', '"') : cell;
}

/**
 * The names of the columns, in lower case; one that is read and stands twice is refused.
 *
 * @param readOf those of the names that are read.
 */
export function readHeader(
  fields: readonly Field[],
  fail: Fail,
  readOf: (names: readonly string[]) => readonly string[] = (names) => names,
): string[] {
  const names = fields.map((field) => field.text.trim().toLowerCase());
  const read = new Set(readOf(names));
  for (const [index, { line, column }] of fields.entries()) {
    const name = names[index] as string;
    if (name !== "" && read.has(name) && names.indexOf(name) !== index)
      fail(line, column, `column ${quote(name)} is duplicated; keep one`);
  }
  return names;
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

/**
 * Reads a table whose first line names the columns, which count in lower case.
 *
 * @param readOf those of the names that are read; all unless given.
 * @returns whether there is such a line.
 */
export function readTable(
  text: string,
  fail: (at: Position, message: string) => void,
  take: (row: TableRow) => void,
  readOf?: (names: readonly string[]) => readonly string[],
): boolean {
  let names: readonly string[] | undefined;
  const failAt = (line: number, column: number, message: string): void => fail({ line, column }, message);
  for (const { line, fields } of csvRecords(text, failAt)) {
    if (names === undefined) {
      names = readHeader(fields, failAt, readOf);
      continue;
    }
    if (fields.length !== names.length) {
      failAt(line, 1, `the header names ${names.length} columns, this line has ${fields.length}`);
      continue;
    }
    const header = names;
    const start = { line, column: 1 };
    take({
      values: new Map(header.map((name, index) => [name, (fields[index] as Field).text])),
      at: (name) => (name === undefined ? start : (fields[header.indexOf(name)] ?? start)),
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
    withoutComments(text),
    (at, message) => problems.push({ code, ...placeIn(file, at), message }),
    ({ values, at }) =>
      collector.add({ values: plainCells(values), place: (name) => placeIn(file, at(name)) }),
    (names) => {
      const read = columnsRead(names, role);
      if (isHeader(names)) return read ?? names;
      const number = role === "run" ? "score" : "grade";
      throw problemsError([
        {
          code,
          where: file,
          message:
            `has no columns of ${role === "run" ? "a run" : "judgments"}; call them \`query_id\`, ` +
            `\`doc_id\` and \`${number}\`, found ${firstOf(
              names.map((name) => quote(name)),
              MOST_NAMES,
            )}`,
        },
      ]);
    },
  );
  if (!isThere)
    throw problemsError([{ code, where: file, message: "is empty; the first line must name the columns" }]);
  throwProblems(problems);
  return collector;
}

/** Whether a line names columns, if others than are wanted: lines of other formats have numbers. */
function isNamesAlone(names: readonly string[]): boolean {
  return names.length > 2 && names.every((name) => name !== "" && !/(?:^|\s)(?:[+-]?\.?\d|q0\b)/.test(name));
}

/** Tables with a header, separated by commas, tabs or semicolons. */
export const csvTables = {
  name: "csv",
  fits: (line) => isHeader(columnNames(line)) || isNamesAlone(columnNames(line)),
  read: (text, file, role) => parseCsv(text, file, role).check(),
} as const satisfies ReadFormatCard;
