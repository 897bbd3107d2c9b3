import { oneLine } from "../foundation/text/index.js";
import { escapeMarkdown, escapeSentence } from "./escape-markdown.js";
import { markdownBlocks, markdownTable } from "./markdown-table.js";
import { clipQuery, columns, type TextOptions } from "./text.js";
import { moreRows } from "./more-rows.js";

/** A part of a report: sentences, and a table. What all forms of a report say is said here once. */
export interface ReportSection {
  readonly id: string;
  readonly title: string;
  /** Sentences above the table; texts of data may stand in them. */
  readonly lines: readonly string[];
  /** None for sentences alone. */
  readonly head: readonly string[];
  /** A letter for each column: l or r. */
  readonly alignment: string;
  readonly rows: readonly (readonly string[])[];
  /** Rows that are in the JSON report only. */
  readonly hidden: number;
}

/** A part of a report; empty columns are left out, such as reasons that are missing. */
export function reportSection(
  id: string,
  title: string,
  alignment: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  more: { readonly lines?: readonly string[]; readonly most?: number } = {},
): ReportSection {
  const { lines = [], most = rows.length } = more;
  const shown = rows.slice(0, most);
  const told = head.flatMap((_, at) => (at === 0 || shown.some((row) => row[at] !== "") ? [at] : []));
  return {
    id,
    title,
    alignment: told.map((at) => alignment[at] ?? "l").join(""),
    head: rows.length === 0 ? [] : told.map((at) => oneLine(head[at] ?? "")),
    rows: shown.map((row) => told.map((at) => row[at] ?? "")),
    lines,
    hidden: rows.length - shown.length,
  };
}

/** A part of a report in Markdown. Text from data cannot break it. */
export function sectionMd({ title, lines, head, alignment, rows, hidden }: ReportSection): string {
  return markdownBlocks(
    `## ${title}`,
    ...lines.map(escapeSentence),
    rows.length === 0
      ? ""
      : markdownTable(
          head.map(escapeMarkdown),
          alignment,
          // Figures are the report's own.
          rows.map((cells) => cells.map((cell, at) => (alignment[at] === "r" ? cell : escapeMarkdown(cell)))),
        ),
    moreRows(hidden),
  );
}

/** A part of a report for a terminal, line by line. */
export function sectionText(section: ReportSection, paint: NonNullable<TextOptions["paint"]>): string[] {
  return [
    paint(section.title, "strong"),
    ...section.lines.map(oneLine),
    ...(section.rows.length === 0 ? [] : tableText(section, paint)),
  ];
}

function tableText(
  { head, alignment, rows, hidden }: ReportSection,
  paint: NonNullable<TextOptions["paint"]>,
): string[] {
  const isText = alignment.includes("ll");
  const [first = "", ...others] = columns(
    head,
    rows.map((cells) => cells.map(clipQuery)),
    isText ? "left" : "right",
  );
  return [
    ...(first.trim() === "" ? [] : [paint(first.trimEnd(), "quiet")]),
    ...others.map((line) => line.trimEnd()),
    ...(hidden > 0 ? [paint(moreRows(hidden), "quiet")] : []),
  ];
}
