import { problemsError, quote, throwProblems, type Problem } from "../foundation/errors/index.js";
import { sampleLabelSchema } from "../records/schema/index.js";
import type { SampleRow } from "../records/index.js";
import { spreadsheetCell, spreadsheetText } from "../foundation/text/index.js";
import { csvRecords, readHeader } from "./csv.js";
import { textOf } from "./decode-text.js";

/** The label stands first, where one writes. */
const COLUMNS = ["label", "case_id", "query_type", "query", "item", "text"] as const;
const NEEDED: readonly string[] = ["label", "case_id", "item"];

/**
 * A sheet as CSV (RFC 4180, UTF-8) for spreadsheets: a line for each hit, the label empty, to be filled with
 * `grounded`, `broad` or `miss`.
 */
export function formatSampleSheet(rows: readonly SampleRow[]): string {
  // Spreadsheets take a file without a byte order mark for one of their own country's encoding.
  const mark = "\ufeff";
  const records = rows.map((row) => COLUMNS.map((column) => spreadsheetCell(row[column] ?? "")));
  return mark + [COLUMNS, ...records].map((cells) => `${cells.join(",")}\r\n`).join("");
}

/**
 * Reads a labelled sheet, saved by any spreadsheet: with commas, semicolons or tabs, in any
 * order of columns and lines.
 *
 * @throws InputError `FIXTURE_SHAPE` with every problem and its line: a label that is none, a hit that stands
 * twice.
 */
export function parseSampleSheet(source: string | Uint8Array, file = "sheet.csv"): SampleRow[] {
  const text = textOf(source, file);
  const problems: Problem[] = [];
  const fail = (line: number, column: number, message: string): void =>
    void problems.push({ code: "FIXTURE_SHAPE", where: `${file}:${line}:${column}`, line, column, message });
  let names: string[] | null = null;
  const rows: SampleRow[] = [];
  const seen = new Set<string>();
  for (const { line, fields } of csvRecords(text, fail)) {
    if (names === null) {
      names = readHeader(fields, fail, () => COLUMNS);
      const header: readonly string[] = names;
      const missing = NEEDED.filter((name) => !header.includes(name));
      if (missing.length > 0)
        throw problemsError([
          {
            code: "FIXTURE_SHAPE",
            where: `${file}:1`,
            line: 1,
            message:
              `the first line must name the columns ${NEEDED.map(quote).join(", ")}, ` +
              `${missing.map(quote).join(", ")} ${missing.length === 1 ? "is" : "are"} missing; give ` +
              "the sheet that `bench sample` wrote",
          },
        ]);
      continue;
    }
    const header: readonly string[] = names;
    const value = (name: (typeof COLUMNS)[number]): string =>
      spreadsheetText(fields[header.indexOf(name)]?.text ?? "");
    const word = value("label").trim().toLowerCase();
    const label = sampleLabelSchema.options.find((known) => known === word);
    const [case_id, item] = [value("case_id"), value("item")];
    const key = JSON.stringify([case_id, item]);
    if (word !== "" && label === undefined)
      fail(
        line,
        fields[header.indexOf("label")]?.column ?? 1,
        `label must be ${sampleLabelSchema.options.join(", ")} or empty, got ${quote(word)}`,
      );
    else if (seen.has(key))
      fail(line, 1, `hit ${quote(item)} of case ${quote(case_id)} is duplicated; keep one line`);
    else
      rows.push({
        case_id,
        item,
        query_type: value("query_type"),
        query: value("query"),
        text: value("text"),
        label: label ?? null,
      });
    seen.add(key);
  }
  if (names === null)
    throw problemsError([
      { code: "FIXTURE_SHAPE", where: file, message: "is empty; give the sheet that `bench sample` wrote" },
    ]);
  throwProblems(problems);
  return rows;
}
