import { groupBy } from "../foundation/columns/index.js";
import { spreadsheetCell } from "../foundation/text/index.js";

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

/** Labels as CSV for a spreadsheet, with a byte order mark: one row for each id of a query and each item. */
export function formatLabels(
  labels: readonly LabelRow[],
  queries: Iterable<{ readonly id: string; readonly text: string }>,
): string {
  const head = ["query_id", "query", "item", "grade", "by", "votes", "spread", "stale"];
  const byText = groupBy(labels, ({ query }) => query);
  const rows = [...queries].flatMap(({ id, text }) =>
    (byText.get(text) ?? []).map(({ query, item, grade, by, votes, spread, isStale }) => [
      id,
      query,
      item,
      ...[grade, by, votes, spread, isStale ? "yes" : "no"].map(String),
    ]),
  );
  return `\ufeff${[head, ...rows].map((cells) => `${cells.map(spreadsheetCell).join(",")}\r\n`).join("")}`;
}
