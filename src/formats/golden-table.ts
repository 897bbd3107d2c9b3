import { quote, type Problem } from "../foundation/errors/index.js";
import { didYouMean, nearestIds } from "../foundation/ids/index.js";
import { parseJson, spreadsheetText } from "../foundation/text/index.js";
import type { Path } from "../records/index.js";
import { goldenQuerySchema } from "../records/schema/index.js";
import { csvRecords } from "./csv.js";
import { placeIn, type LocatedDocument, type Position } from "./located.js";
import { decimal } from "./rows.js";

/** Columns whose cells hold texts, one a line. */
export const LIST_COLUMNS = ["expected_doc_ids", "expected_chunk_ids", "must_contain", "forbidden"] as const;
/** Columns of graded judgments by what they judge: cells of lines, each an id and a grade. */
export const GRADE_COLUMNS = { "judgments.chunk_id": "chunk_id", "judgments.doc_id": "doc_id" } as const;
/** What begins the name of a column for one entry of `meta`. */
export const META = "meta.";

const FIELDS = Object.keys(goldenQuerySchema.shape);
const NAMES = [...FIELDS, ...Object.keys(GRADE_COLUMNS)];
const NEEDED = ["id", "query"];

/** A golden set as a table: each row a query that knows where its cells stand, and what is wrong so far. */
export interface GoldenTable {
  readonly rows: readonly LocatedDocument[];
  readonly problems: Problem[];
}

/**
 * Reads a golden set that is a table, as spreadsheets save it: commas, semicolons or tabs, one query a row,
 * the first line names the columns. An empty cell is a field that is not there.
 */
export function goldenTable(text: string, file: string): GoldenTable {
  const problems: Problem[] = [];
  const fail = (line: number, column: number, message: string): void =>
    void problems.push({ code: "GOLDEN_SYNTAX", ...placeIn(file, { line, column }), message });
  const rows: LocatedDocument[] = [];
  let header: readonly string[] | null = null;
  for (const { line, fields } of csvRecords(text, fail)) {
    if (header === null) {
      const named = fields.map((field) => columnName(field.text));
      named.forEach((name, index) => {
        const message = columnProblem(name, named, index);
        const place = placeIn(file, fields[index] ?? { line, column: 1 });
        if (message !== undefined) problems.push({ code: "GOLDEN_UNKNOWN_KEY", ...place, message });
      });
      if (!NEEDED.every((name) => named.includes(name))) {
        const message = "the first line must name the columns, `id` and `query` among them";
        problems.push({ code: "GOLDEN_SHAPE", ...placeIn(file, { line, column: 1 }), message });
        break;
      }
      header = named;
      continue;
    }
    const names: readonly string[] = header;
    if (fields.length !== names.length) {
      fail(line, 1, `the header names ${names.length} columns, this line has ${fields.length}`);
      continue;
    }
    const start: Position = { line, column: 1 };
    const at = (name: string): Position =>
      fields[names.findIndex((each) => each === name || each.startsWith(`${name}.`))] ?? start;
    const value: Record<string, unknown> = {};
    names.forEach((name, index) => {
      const cell = spreadsheetText(fields[index]?.text ?? "");
      // Said of the header already.
      if (!isGoldenColumn(name)) return;
      try {
        readCell(value, name, cell);
      } catch (error) {
        if (!(error instanceof CellProblem)) throw error;
        const place = fields[index] ?? start;
        fail(place.line, place.column, `${name} ${error.message}`);
      }
    });
    rows.push(locateRow(value, at));
  }
  return { rows, problems };
}

/** A cell that cannot be read, in a clause. */
class CellProblem extends Error {}

/** The name of a column: those that are known in any case. */
function columnName(cell: string): string {
  const name = cell.trim();
  return NAMES.find((each) => each === name.toLowerCase()) ?? name;
}

function columnProblem(name: string, header: readonly string[], index: number): string | undefined {
  if (name === "") return "a column has no name; name it, or delete it";
  if (!isGoldenColumn(name)) {
    const hint = didYouMean(nearestIds(name, NAMES, 1)) ?? `call a column of your own \`${META}${name}\``;
    return `unknown column ${quote(name)}; ${hint}`;
  }
  const isList = LIST_COLUMNS.some((each) => each === name);
  if (!isList && header.indexOf(name) !== index) return `column ${quote(name)} is duplicated; keep one`;
  return undefined;
}

/** Whether a golden set has a column of this name. */
export function isGoldenColumn(name: string): boolean {
  return NAMES.includes(name) || (name.startsWith(META) && name.length > META.length);
}

/** Adds what a cell says to a query. */
function readCell(query: Record<string, unknown>, name: string, cell: string): void {
  if (name === "id" || name === "query") query[name] = cell;
  else if (cell.trim() === "") return;
  else if (LIST_COLUMNS.some((each) => each === name))
    query[name] = [...((query[name] ?? []) as unknown[]), ...listOf(cell, name.endsWith("_ids"))];
  else if (Object.hasOwn(GRADE_COLUMNS, name)) {
    const kind = GRADE_COLUMNS[name as keyof typeof GRADE_COLUMNS];
    query["judgments"] = [...((query["judgments"] ?? []) as unknown[]), ...gradesOf(cell, kind)];
  } else if (name === "judgments")
    query[name] = [...((query[name] ?? []) as unknown[]), ...(jsonOf(cell, "list") as unknown[])];
  else if (name === "expected_spans") query[name] = jsonOf(cell, "list");
  else if (name === "meta") {
    const [there, entries] = [
      Object.entries(query[name] ?? {}),
      Object.entries(jsonOf(cell, "mapping") as object),
    ];
    const twice = there.find(([key]) => entries.some(([other]) => other === key));
    if (twice) throw new CellProblem(`has ${quote(twice[0])}, which has a column of its own; keep one`);
    query[name] = Object.fromEntries([...there, ...entries]);
  } else if (name === "expected_refusal") query[name] = truthValue(cell);
  else if (name.startsWith(META)) {
    const entries = new Map(Object.entries(query["meta"] ?? {}));
    const key = name.slice(META.length);
    if (entries.has(key)) throw new CellProblem("stands in the column `meta`, too; keep one");
    query["meta"] = Object.fromEntries(entries.set(key, scalarOf(cell)));
  } else query[name] = cell;
}

/** A JSON list, or a text on every line. */
function listOf(cell: string, isOfIds: boolean): unknown[] {
  if (cell.trimStart().startsWith("[")) return jsonOf(cell, "list") as unknown[];
  const lines = linesOf(cell);
  if (!isOfIds || !mayBeSeveral(lines)) return lines;
  throw new CellProblem(
    `must have one id a line (Alt+Enter in most spreadsheets), got ${quote(lines[0])}; if that is one id, ` +
      `write it as a JSON list: ${JSON.stringify(lines)}`,
  );
}

/** Whether each line of a cell may be several ids, which would be read as one that nothing has. */
export function mayBeSeveral(lines: readonly string[]): boolean {
  return lines.length > 0 && lines.every((line) => /[,;]/.test(line));
}

/** A line of several ids with grades. */
export function severalGrades(lines: readonly string[]): string | undefined {
  return lines.find((line) => /\s[+-]?\d[\d.]*\s*[,;]/.test(line));
}

function linesOf(cell: string): string[] {
  return cell
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** On every line an id and, after white space, its grade. */
function gradesOf(cell: string, kind: string): unknown[] {
  const lines = linesOf(cell);
  const several = severalGrades(lines);
  if (several !== undefined)
    throw new CellProblem(
      `must have one id and its grade a line (Alt+Enter in most spreadsheets), got ${quote(several)}; if ` +
        "that is one id, write it as JSON in a column `judgments`",
    );
  return lines.map((line) => {
    const [, id, grade] = /^(.*\S)\s+(\S+)$/s.exec(line) ?? [];
    const value = decimal(grade ?? "");
    if (id === undefined || !Number.isFinite(value))
      throw new CellProblem(
        `must have an id and a grade on each line, such as \`a.md 3\`, got ${quote(line)}`,
      );
    return { [kind]: id, grade: value };
  });
}

function jsonOf(cell: string, wanted: "list" | "mapping"): unknown {
  let value: unknown;
  try {
    value = parseJson(cell);
  } catch (error) {
    throw new CellProblem(`is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const isMapping = typeof value === "object" && value !== null && !Array.isArray(value);
  if (wanted === "list" ? !Array.isArray(value) : !isMapping)
    throw new CellProblem(`must be a JSON ${wanted}, got ${quote(value)}`);
  return value;
}

/** Spreadsheets write truth values in capitals. Anything else is for the schema to refuse. */
function truthValue(cell: string): unknown {
  const word = cell.trim().toLowerCase();
  return word === "true" ? true : word === "false" ? false : cell;
}

/** A number, a truth value or a text in quotes as JSON has them; anything else is a text. */
export function scalarOf(cell: string): unknown {
  const truth = truthValue(cell);
  if (typeof truth === "boolean") return truth;
  try {
    const value: unknown = parseJson(cell);
    return typeof value === "number" || typeof value === "string" ? value : cell;
  } catch {
    return cell;
  }
}

/** A row as a document: everything in it stands where the cell of its column begins. */
function locateRow(value: unknown, at: (name: string) => Position): LocatedDocument {
  const positionOf = (path: Path): Position => at(typeof path[0] === "string" ? path[0] : "id");
  return { value, positionOf, positionOfKey: (path, key) => positionOf([...path, key]) };
}
