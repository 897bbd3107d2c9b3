import { stringify } from "yaml";
import { InputError, quote } from "../foundation/errors/index.js";
import { spreadsheetCell } from "../foundation/text/index.js";
import {
  goldenChunkerVersion,
  goldenQueries,
  type Golden,
  type GoldenQuery,
  type Judgment,
} from "../records/index.js";
import { goldenQuerySchema } from "../records/schema/index.js";
import { GRADE_COLUMNS, LIST_COLUMNS, mayBeSeveral, META, scalarOf, severalGrades } from "./golden-table.js";

/** The formats that golden sets are written in. */
export const goldenFormats = ["yaml", "json", "jsonl", "csv", "tsv"] as const;
/** A format that golden sets are written in. */
export type GoldenFormat = (typeof goldenFormats)[number];

/** The format that the name of a golden set asks for; undefined for one that asks for none. */
export function goldenFormatOfFile(file: string): GoldenFormat | undefined {
  const extension = /\.([^.]+)(?:\.gz)?$/.exec(file)?.[1]?.toLowerCase() ?? "";
  const format = { yml: "yaml", ndjson: "jsonl" }[extension] ?? extension;
  return goldenFormats.find((each) => each === format);
}

/**
 * A golden set as text. Reading it back gives the same queries; JSONL and tables have no place for what is
 * said of the whole set. A table is for spreadsheets: one query a row, lists with one item a line of the
 * cell, with a byte order mark, and an apostrophe before what a spreadsheet would take for a formula.
 *
 * @throws InputError `ARGUMENT` for what the format cannot hold: the chunker of the set, a number without
 * end; in a table an empty label, half of a character.
 */
export function formatGolden(golden: Golden, format: GoldenFormat): string {
  if (!goldenFormats.includes(format))
    throw new InputError(
      "ARGUMENT",
      `the format of a golden set must be ${goldenFormats.join(", ")}, got ${quote(format)}`,
    );
  const queries = goldenQueries(golden);
  const set = "queries" in golden ? golden : { queries };
  const chunker = goldenChunkerVersion(golden);
  if (chunker !== null && format !== "yaml" && format !== "json")
    throw new InputError(
      "ARGUMENT",
      `${format} has no place for the \`chunker_version\` of the set, ${quote(chunker)}, which decides ` +
        "where its chunks lie; write yaml or json",
    );
  switch (format) {
    case "yaml":
      // Readers refuse many aliases, which could grow without end.
      return stringify(set, { lineWidth: 0, aliasDuplicateObjects: false });
    case "json":
      return `${jsonOf(set, 2)}\n`;
    case "jsonl":
      return queries.map((query) => `${jsonOf(query)}\n`).join("");
    case "csv":
      return table(queries, ",");
    case "tsv":
      return table(queries, "\t");
  }
}

/** @throws InputError `ARGUMENT` for a number that JSON has not: it would write null. */
function jsonOf(value: unknown, indent?: number): string {
  const finite = (key: string, member: unknown): unknown => {
    if (typeof member === "number" && !Number.isFinite(member))
      throw new InputError("ARGUMENT", `${quote(key)} is ${member}, which only YAML can write`);
    return member;
  };
  return JSON.stringify(value, finite, indent);
}

/** A cell of a query: its column, and what it says. */
type Cell = readonly [column: string, text: string];

function table(queries: readonly GoldenQuery[], separator: "," | "\t"): string {
  const rows = queries.map((query) => {
    const cells = cellsOf(query);
    if (cells.every((cell) => cell.join("").isWellFormed())) return new Map(cells);
    throw new InputError(
      "ARGUMENT",
      `query ${quote(query.id)} has half of a character (a lone surrogate), which a table cannot hold; ` +
        "write JSONL",
      { query_id: query.id },
    );
  });
  const used = new Set(rows.flatMap((row) => [...row.keys()]));
  const fixed = Object.keys(goldenQuerySchema.shape).flatMap((field) => [
    field,
    ...Object.keys(GRADE_COLUMNS).filter((column) => column.startsWith(`${field}.`)),
  ]);
  const columns = [
    ...fixed.filter((column) => column === "id" || column === "query" || used.has(column)),
    ...[...used].filter((column) => column.startsWith(META)),
  ];
  // Spreadsheets take a file without a byte order mark for one of their own country's encoding.
  const mark = "\ufeff";
  const lines = [columns, ...rows.map((row) => columns.map((column) => row.get(column) ?? ""))];
  return mark + lines.map((cells) => `${cells.map(spreadsheetCell).join(separator)}\r\n`).join("");
}

function cellsOf(query: GoldenQuery): Cell[] {
  return Object.entries(query).flatMap(([field, value]): Cell[] => {
    if (value === undefined || value === null) return [];
    if (field === "judgments") return gradeCells(value as readonly Judgment[]);
    if (field === "meta") return metaCells(value as Readonly<Record<string, unknown>>);
    if (LIST_COLUMNS.some((column) => column === field))
      return [[field, listCell(value as readonly string[], field.endsWith("_ids"))]];
    if (typeof value === "boolean") return [[field, String(value)]];
    if (typeof value !== "string") return [[field, JSON.stringify(value)]];
    if (field !== "id" && field !== "query" && value.trim() === "")
      throw new InputError(
        "ARGUMENT",
        `query ${quote(query.id)}: ${field} is an empty text, which a table cannot hold; leave it out, ` +
          "or write JSONL",
        { query_id: query.id },
      );
    return [[field, value]];
  });
}

/** Whether a text can stand on a line of a cell among others. */
function fitsLine(text: string): boolean {
  return text !== "" && text === text.trim() && !/[\r\n]/.test(text);
}

function listCell(items: readonly string[], areIds: boolean): string {
  const fits = items.length > 0 && items.every(fitsLine) && items[0]?.startsWith("[") === false;
  return fits && !(areIds && mayBeSeveral(items)) ? items.join("\n") : JSON.stringify(items);
}

/** An id and its grade a line, where chunks come before documents and ids fit on lines; else JSON. */
function gradeCells(judgments: readonly Judgment[]): Cell[] {
  const kinds = Object.values(GRADE_COLUMNS);
  const kindOf = (judgment: Judgment): number => kinds.findIndex((kind) => kind in judgment);
  const fits = judgments.every(
    (judgment, at) =>
      fitsLine(idOf(judgment)) && (at === 0 || kindOf(judgments[at - 1] as Judgment) <= kindOf(judgment)),
  );
  const cells = Object.keys(GRADE_COLUMNS).map((column, kind) => {
    const ofKind = judgments.filter((judgment) => kindOf(judgment) === kind);
    return { column, lines: ofKind.map((judgment) => `${idOf(judgment)} ${judgment.grade}`) };
  });
  if (!fits || judgments.length === 0 || cells.some(({ lines }) => severalGrades(lines) !== undefined))
    return [["judgments", JSON.stringify(judgments)]];
  return cells.flatMap(({ column, lines }): Cell[] =>
    lines.length === 0 ? [] : [[column, lines.join("\n")]],
  );
}

function idOf(judgment: Judgment): string {
  return "chunk_id" in judgment ? judgment.chunk_id : judgment.doc_id;
}

/** A column for each entry where all are texts, numbers and truth values. */
function metaCells(meta: Readonly<Record<string, unknown>>): Cell[] {
  const entries = Object.entries(meta);
  const fits = entries.every(
    ([key, value]) =>
      fitsLine(key) && (typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)),
  );
  return fits && entries.length > 0
    ? entries.map(([key, value]) => [`${META}${key}`, scalarCell(value)])
    : [["meta", jsonOf(meta)]];
}

function scalarCell(value: unknown): string {
  const isPlain = typeof value === "string" && value.trim() !== "" && scalarOf(value) === value;
  return isPlain ? value : JSON.stringify(value);
}
