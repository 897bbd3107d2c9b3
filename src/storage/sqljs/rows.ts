import type { Database, SqlValue } from "sql.js";

/** A row as an object: value by column. */
export type Row = Record<string, SqlValue>;

/** How many values one `IN (…)` takes; SQLite allows 32,766. */
const VALUES_PER_QUERY = 10_000;

/** All rows of a query. */
export function rows(db: Database, query: string, parameters: SqlValue[] = []): Row[] {
  const statement = db.prepare(query, parameters);
  try {
    const found: Row[] = [];
    while (statement.step()) found.push(statement.getAsObject());
    return found;
  } finally {
    statement.free();
  }
}

/** All rows of `source` whose column has one of the values. */
export function rowsWhereIn(db: Database, source: string, column: string, values: Iterable<string>): Row[] {
  const wanted = [...new Set(values)];
  const found: Row[] = [];
  for (let start = 0; start < wanted.length; start += VALUES_PER_QUERY) {
    const part = wanted.slice(start, start + VALUES_PER_QUERY);
    // Not `push(...)`: the chunks of one document can be more than a call takes arguments.
    for (const row of rows(db, `${source} WHERE ${column} IN (${part.map(() => "?").join(",")})`, part)) found.push(row);
  }
  return found;
}

/** Whether a query has any row. */
export function has(db: Database, query: string, parameters: SqlValue[] = []): boolean {
  return rows(db, query, parameters).length > 0;
}

/** Whether there is a table or view of that name. */
export function hasTable(db: Database, name: string): boolean {
  return has(db, "SELECT 1 FROM sqlite_master WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE", [name]);
}

/** The clause that keeps rows in the order of their saving; a view, or a table WITHOUT ROWID, has no such order. */
export function inRowOrder(db: Database, table: string): string {
  const [kind] = rows(db, "SELECT type, wr FROM pragma_table_list WHERE schema = 'main' AND name = ? COLLATE NOCASE", [table]);
  return kind?.["type"] === "table" && kind["wr"] === 0 ? "ORDER BY rowid" : "";
}

/** Runs one statement for every record. */
export function insertAll<T>(db: Database, query: string, records: Iterable<T>, values: (record: T) => SqlValue[]): void {
  const statement = db.prepare(query);
  try {
    for (const record of records) statement.run(values(record));
  } finally {
    statement.free();
  }
}
