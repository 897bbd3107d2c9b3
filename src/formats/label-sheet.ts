import { LABEL_SCALE, pairKey } from "../records/index.js";
import { clip, quote, throwProblems, type Problem } from "../foundation/errors/index.js";
import { countOf } from "../foundation/numbers/index.js";
import { firstOf, spreadsheetCell, spreadsheetText } from "../foundation/text/index.js";
import { columnNames, csvRecords, headerLine, readHeader } from "./csv.js";
import { headOf, refuseUtf16, textOf } from "./decode-text.js";
import { placeIn } from "./located.js";

/** A row for a person to grade. */
export interface LabelSheetRow {
  readonly query: string;
  readonly item: string;
  /** What is shown of the item. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Of what is shown, so that a grade stays one of it when the item changes before the sheet is back. */
  readonly item_hash?: string | undefined;
}

/** What a person said of a pair. */
export interface SheetGrade {
  readonly query: string;
  readonly item: string;
  readonly outcome: "graded" | "cannot_tell" | "withdrawn";
  /** From 0 to 3; null unless it is graded. */
  readonly grade: number | null;
  readonly note: string | undefined;
  /** Of what was shown, where the sheet has it. */
  readonly item_hash: string | undefined;
}

const GRADE_WORDS = new Map<string, Pick<SheetGrade, "outcome" | "grade">>([
  ...LABEL_SCALE.map((grade) => [String(grade), { outcome: "graded", grade } as const] as const),
  ["?", { outcome: "cannot_tell", grade: null }],
  ["undo", { outcome: "withdrawn", grade: null }],
]);
/** Spreadsheets break cells above 32,767 characters, and nobody reads one. */
const LONGEST_CELL = 2000;
/** The columns that are read. */
const READ = ["pair", "query", "item", "grade", "note"];
const NEEDED = ["pair", "grade"];

/** What is said of a file of something else. */
export const NO_LABELS =
  "neither a sheet of `label sheet`, with the columns `pair` and `grade`, nor JSONL of `label export`; " +
  "judgments of other tools are read by `evaluate` and `convert`";
const MOST_NAMED = 5;
/** Begins the name of a pair, so that no spreadsheet takes it for a number or a formula. */
const PAIR = "p.";

/**
 * A sheet for people to grade in a spreadsheet: CSV with a byte order mark. `pair` names query, item and
 * what was shown of it by letters that no spreadsheet changes; rows may be sorted and columns moved or
 * deleted but `pair` and `grade`.
 */
export function formatLabelSheet(rows: readonly LabelSheetRow[]): string {
  const names = [...new Set(rows.flatMap(({ fields }) => Object.keys(fields)))];
  const head = [
    "pair",
    "query",
    "item",
    ...names.map((name) => `item.${name.replace(/[,;\t\r\n]+/g, " ")}`),
    "grade",
    "note",
  ];
  const lines = rows.map(({ query, item, fields, item_hash }) => [
    pairName([query, item, ...(item_hash === undefined ? [] : [item_hash])]),
    query,
    item,
    ...names.map((name) => cellOf(fields[name])),
    "",
    "",
  ]);
  return `\ufeff${[head, ...lines].map((cells) => `${cells.map(spreadsheetCell).join(",")}\r\n`).join("")}`;
}

/** Whether a file is a sheet, by the columns that its first line names. */
export function isLabelSheet(source: string | Uint8Array, file = "sheet"): boolean {
  const names = columnNames(headerLine(headOf(source, file)));
  if (typeof source !== "string") refuseUtf16(source, file);
  return NEEDED.every((name) => names.includes(name));
}

/**
 * Reads a sheet that was filled in: commas, semicolons or tabs, rows in any order. Rows without a grade are
 * left out; `?` cannot tell, `undo` takes back what the same person said before.
 *
 * @param warn is told of notes that are left out with their rows.
 * @throws InputError `LABEL_SHAPE` with every problem, each with line and column.
 */
export function parseLabelSheet(
  source: string | Uint8Array,
  file = "sheet",
  warn: (message: string) => void = () => undefined,
): SheetGrade[] {
  const text = textOf(source, file);
  const problems: Problem[] = [];
  const fail = (line: number, column: number, message: string): void =>
    void problems.push({ code: "LABEL_SHAPE", ...placeIn(file, { line, column }), message });
  const grades: SheetGrade[] = [];
  const lineOf = new Map<string, number>();
  /** Lines with a note and no grade. */
  const ungraded: number[] = [];
  let header: readonly string[] | null = null;
  for (const { line, fields } of csvRecords(text, fail)) {
    if (header === null) {
      header = readHeader(fields, fail, () => READ);
      const missing = NEEDED.filter((name) => header?.includes(name) === false);
      if (missing.length === 0) continue;
      fail(
        line,
        1,
        header?.includes("pair") === true || header?.includes("item") === true
          ? `the column ${missing.map(quote).join(" and ")} is lost; bring it back from the first sheet`
          : `is ${NO_LABELS}`,
      );
      break;
    }
    const at = (name: string): number => (header as readonly string[]).indexOf(name);
    const cell = (name: string): string => spreadsheetText(fields[at(name)]?.text ?? "").trim();
    if (cell("grade") === "") {
      if (cell("note") !== "") ungraded.push(line);
      continue;
    }
    const pair = pairOf(cell("pair"));
    const said = GRADE_WORDS.get(cell("grade").toLowerCase().replace(/\.0+$/, ""));
    const failAt = (name: string, message: string): void => {
      const place = fields[at(name)] ?? { line, column: 1 };
      fail(place.line, place.column, message);
    };
    if (pair === undefined)
      failAt("pair", `pair ${quote(cell("pair"))} is not as the sheet had it; bring it back from there`);
    if (said === undefined)
      failAt("grade", `grade must be 0, 1, 2, 3, ? or undo, got ${quote(cell("grade"))}`);
    if (pair === undefined || said === undefined) continue;
    const { query, item, item_hash } = pair;
    for (const [name, own] of [
      ["query", query],
      ["item", item],
    ] as const)
      if (at(name) !== -1 && isOther(cell(name), own))
        failAt(
          name,
          `${name} ${quote(cell(name))} is not that of the pair, which is ${quote(own)}: some columns were ` +
            "moved or sorted without the others",
        );
    const key = pairKey({ query, item });
    const earlier = lineOf.get(key);
    if (earlier !== undefined) failAt("pair", `this pair is duplicated, first in line ${earlier}; keep one`);
    lineOf.set(key, line);
    grades.push({ query, item, ...said, note: cell("note") || undefined, item_hash });
  }
  if (header === null) fail(1, 1, "the file is empty; give a sheet of `label sheet` that a person filled in");
  throwProblems(problems);
  if (ungraded.length > 0)
    warn(
      `${countOf(ungraded.length, "row")} with a note and no grade, left out (${firstOf(
        ungraded.map((each) => `line ${each}`),
        MOST_NAMED,
      )})`,
    );
  return grades;
}

/** Whether a cell names something else; numbers and dates spreadsheets write as they like. */
function isOther(cell: string, own: string): boolean {
  const plain = (text: string): string => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
  const isName = (text: string): boolean => /\p{L}{2}/u.test(text);
  return isName(cell) && isName(own) && plain(cell) !== plain(spreadsheetText(own));
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return clip(typeof value === "string" ? value : JSON.stringify(value), LONGEST_CELL);
}

function pairName(parts: readonly string[]): string {
  const bytes = new TextEncoder().encode(JSON.stringify(parts));
  return PAIR + [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function pairOf(name: string): Pick<SheetGrade, "query" | "item" | "item_hash"> | undefined {
  if (!/^p\.(?:[0-9a-f]{2})+$/i.test(name)) return undefined;
  const bytes = Uint8Array.from(name.slice(PAIR.length).match(/../g) ?? [], (pair) => parseInt(pair, 16));
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    const [query, item, hash] = Array.isArray(value) ? (value as unknown[]) : [];
    return typeof query === "string" && typeof item === "string"
      ? { query, item, item_hash: typeof hash === "string" ? hash : undefined }
      : undefined;
  } catch {
    return undefined;
  }
}
