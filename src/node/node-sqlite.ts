import type { SqlConnection } from "../storage/sqlite/index.js";
import { rowOfBigInts } from "./sqlite-row.js";

/** What is used of a prepared statement of `node:sqlite`. */
export interface NodeStatement {
  setReadBigInts(enabled: boolean): void;
  all(...parameters: unknown[]): Record<string, unknown>[];
  run(...parameters: unknown[]): unknown;
}

/** What is used of a database of `node:sqlite`. */
export interface NodeDatabase {
  exec(statements: string): void;
  prepare(statement: string): NodeStatement;
  close(): void;
}

/** What is used of `node:sqlite`, which the oldest Node that is supported does not have. */
export interface NodeSqlite {
  readonly DatabaseSync: new (
    path: string,
    options: {
      readonly enableForeignKeyConstraints: boolean;
      readonly enableDoubleQuotedStringLiterals: boolean;
    },
  ) => NodeDatabase;
}

/** Node's own SQLite, where it has one without a flag. */
export function nodeSqlite(): NodeSqlite | undefined {
  // Node 22 warns on stderr that the module is experimental; what is used of it here is stable.
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is put back as it was, not called
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule("node:sqlite") as NodeSqlite | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** A database of `node:sqlite` as every store uses it. */
export function connectionTo(db: NodeDatabase): SqlConnection {
  return {
    exec: (statements) => db.exec(statements),
    rows(query, parameters = []) {
      const statement = db.prepare(query);
      statement.setReadBigInts(true);
      return statement.all(...parameters).map(rowOfBigInts);
    },
    runEach(text, parameterLists) {
      const statement = db.prepare(text);
      for (const parameters of parameterLists) statement.run(...parameters);
    },
  };
}

/**
 * Takes back what a failed transaction has written. Where the disk was full in the middle of one, SQLite has
 * ended it, and what it wrote stays in the file, with a journal beside it, until the next one reads.
 */
function takeBack(db: { exec(statements: string): void }): void {
  for (const statement of ["ROLLBACK", "SELECT count(*) FROM sqlite_schema"])
    try {
      db.exec(statement);
    } catch {
      // It has ended already; or whoever reads the file next takes it back.
    }
}

/** Runs work in a transaction, all of which counts or nothing. */
export function inTransaction<T>(db: { exec(statements: string): void }, begin: string, work: () => T): T {
  db.exec(begin);
  try {
    const outcome = work();
    db.exec("COMMIT");
    return outcome;
  } catch (error) {
    takeBack(db);
    throw error;
  }
}

/** Opens a database; what was not committed when it is closed is taken back. */
export type SqliteEngine = (path: string) => { readonly db: SqlConnection; readonly close: () => void };

/** Node's own SQLite as an engine; undefined where there is none. */
export function nodeEngine(): SqliteEngine | undefined {
  const sqlite = nodeSqlite();
  if (sqlite === undefined) return undefined;
  return (path) => {
    const db = new sqlite.DatabaseSync(path, {
      enableForeignKeyConstraints: false,
      enableDoubleQuotedStringLiterals: false,
    });
    return { db: connectionTo(db), close: () => db.close() };
  };
}
