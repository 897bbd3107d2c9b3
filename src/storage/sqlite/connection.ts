/** What a column holds, as every engine gives it. */
export type SqlValue = string | number | Uint8Array | null;

/** A row as an object: value by column. */
export type Row = Readonly<Record<string, SqlValue>>;

/** An open database, whichever engine runs it. */
export interface SqlConnection {
  /** Runs statements that have no parameters and whose rows do not matter. */
  exec(statements: string): void;
  /** All rows of a query. */
  rows(query: string, parameters?: readonly SqlValue[]): Row[];
  /** Runs one statement once for each list of parameters. */
  runEach(statement: string, parameterLists: Iterable<readonly SqlValue[]>): void;
}

/** How many values one `IN (…)` takes; SQLite allows 32,766. */
const VALUES_PER_QUERY = 10_000;

/** All rows of `source` whose column has one of the values. */
export function rowsWhereIn(
  db: SqlConnection,
  source: string,
  column: string,
  values: Iterable<string>,
): Row[] {
  const wanted = [...new Set(values)];
  const found: Row[][] = [];
  for (let start = 0; start < wanted.length; start += VALUES_PER_QUERY) {
    const part = wanted.slice(start, start + VALUES_PER_QUERY);
    found.push(db.rows(`${source} WHERE ${column} IN (${part.map(() => "?").join(",")})`, part));
  }
  return found.flat();
}

/** Whether a query has any row. */
export function has(db: SqlConnection, query: string, parameters: readonly SqlValue[] = []): boolean {
  return db.rows(query, parameters).length > 0;
}

/** Whether there is a table or view of that name. */
export function hasTable(db: SqlConnection, name: string): boolean {
  return has(db, "SELECT 1 FROM sqlite_master WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE", [
    name,
  ]);
}

/**
 * The rows with one value in the order of their saving; a view, or a table WITHOUT ROWID, has no such order.
 */
export function rowsInOrder(
  db: SqlConnection,
  columns: string,
  table: string,
  column: string,
  value: SqlValue,
): Row[] {
  const [kind] = db.rows(
    "SELECT type, wr FROM pragma_table_list WHERE schema = 'main' AND name = ? COLLATE NOCASE",
    [table],
  );
  const where = `${column} = ?`;
  // Numbers of rows are put in order, not the rows: what SQLite sorts goes through temporary files.
  const ordered =
    kind?.["type"] === "table" && kind["wr"] === 0
      ? `rowid IN (SELECT rowid FROM ${table} WHERE ${where}) ORDER BY rowid`
      : where;
  return db.rows(`SELECT ${columns} FROM ${table} WHERE ${ordered}`, [value]);
}

/** Runs one statement for every record; a record's values are made only when its turn comes. */
export function insertAll<T>(
  db: SqlConnection,
  statement: string,
  records: Iterable<T>,
  values: (record: T) => readonly SqlValue[],
): void {
  db.runEach(
    statement,
    (function* () {
      for (const record of records) yield values(record);
    })(),
  );
}
