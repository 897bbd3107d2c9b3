import { groupBy } from "../foundation/columns/index.js";
import { spreadsheetCell, spreadsheetText } from "../foundation/text/index.js";

/** A label as a row of a table. */
export interface LabelRow {
  readonly query: string;
  readonly item: string;
  readonly grade: number;
  readonly by: string;
  readonly votes: number;
  readonly spread: number;
  readonly isStale: boolean;
}

const COLUMNS = ["query_id", "query", "item", "grade", "by", "votes", "spread", "stale"];

/**
 * The cells of a row of any table, by column: of a table of labels without what spreadsheets needed in front
 * of them.
 */
export function plainCells(row: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return COLUMNS.every((column) => row.has(column))
    ? new Map([...row].map(([column, cell]) => [column, spreadsheetText(cell)]))
    : row;
}

/** Labels as CSV for a spreadsheet, with a byte order mark: one row for each id of a query and each item. */
export function formatLabels(
  labels: readonly LabelRow[],
  queries: Iterable<{ readonly id: string; readonly text: string }>,
): string {
  const byText = groupBy(labels, ({ query }) => query);
  const rows = [...queries].flatMap(({ id, text }) =>
    (byText.get(text) ?? []).map(({ query, item, grade, by, votes, spread, isStale }) => [
      id,
      query,
      item,
      ...[grade, by, votes, spread, isStale ? "yes" : "no"].map(String),
    ]),
  );
  return `\ufeff${[COLUMNS, ...rows].map((cells) => `${cells.map(spreadsheetCell).join(",")}\r\n`).join("")}`;
}
