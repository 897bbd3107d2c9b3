import { InputError, quote } from "../../foundation/errors/index.js";
import type { SqlConnection } from "./connection.js";
import { REQUIRED_COLUMNS } from "./tables.js";

/**
 * Refuses a database whose tables have the right names and other columns.
 *
 * @throws InputError `STORE_SCHEMA`
 */
export function checkColumns(db: SqlConnection, name: string): void {
  for (const [table, required] of REQUIRED_COLUMNS) {
    const columns = new Set(
      db.rows("SELECT name FROM pragma_table_info(?)", [table]).map((row) => String(row["name"])),
    );
    const missing = columns.size === 0 ? [] : required.filter((column) => !columns.has(column));
    if (missing.length > 0)
      throw new InputError(
        "STORE_SCHEMA",
        `${name}: table ${table} has no column ${missing.map(quote).join(", ")}; the database is ` +
          "of another kind",
      );
  }
}

/**
 * Refuses a damaged database: written back, the damage could spread over the last good rows.
 *
 * @throws InputError `STORE_CORRUPT`
 */
export function checkPages(db: SqlConnection, name: string): void {
  // A row against a constraint of its own table is the owner's business, and no damage.
  const finding = db
    .rows("PRAGMA quick_check")
    .map((row) => String(row["quick_check"]))
    .find((text) => !/^ok$|CHECK constraint|NULL value in|non-unique/.test(text));
  if (finding !== undefined) throw corruptStore(name, finding);
}

/**
 * Refuses a file that was cut within its last page, of which SQLite takes the rest to be zeros.
 *
 * @param bytesOf its size, which is asked for when SQLite has put back what a killed process left behind.
 * @throws InputError `STORE_CORRUPT`
 */
export function checkLength(db: SqlConnection, bytesOf: () => number, name: string): void {
  const [count, size, journal] = ["page_count", "page_size", "journal_mode"].map(
    (pragma) => db.rows(`PRAGMA ${pragma}`)[0]?.[pragma],
  );
  // The newest pages may be in the other file.
  if (journal === "wal") return;
  const [bytes, whole] = [bytesOf(), Number(count) * Number(size)];
  if (bytes < whole) throw truncatedStore(name, bytes, whole);
}

export function truncatedStore(name: string, bytes: number, whole: number): InputError {
  return new InputError(
    "STORE_CORRUPT",
    `${name}: is truncated (${bytes} bytes of ${whole}); restore it from a copy`,
  );
}

export function corruptStore(name: string, finding: string, cause?: unknown): InputError {
  return new InputError(
    "STORE_CORRUPT",
    `${name}: is damaged (${finding}); it was left as it is, restore it from a copy`,
    {},
    cause,
  );
}

export function notSqlite(name: string, cause?: unknown): InputError {
  return new InputError(
    "STORE_NOT_SQLITE",
    `${name}: is not an SQLite database; give the path of a store, or of a new file`,
    {},
    cause,
  );
}

export function emptyStore(name: string): InputError {
  return new InputError(
    "STORE_NOT_SQLITE",
    `${name}: is empty (0 bytes), so it is not a database; delete it to begin a new store`,
  );
}

/** What SQLite would not do, in its own words. */
export function sqliteRefusal(name: string, cause: Error): InputError {
  return new InputError(
    "STORE_SCHEMA",
    `${name}: SQLite refuses: ${cause.message}; the tables were made in a way that cannot be used ` +
      "here, and nothing was written",
    {},
    cause,
  );
}
