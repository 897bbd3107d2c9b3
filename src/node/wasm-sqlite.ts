import fs from "node:fs";
import { resolve } from "node:path";
import sqlite from "node-sqlite3-wasm";
import type { SqliteEngine } from "./node-sqlite.js";
import { rowOfBigInts } from "./sqlite-row.js";

/** SQLite's codes by its messages, which are all that this engine tells. */
const CODES: readonly (readonly [message: RegExp, code: number])[] = [
  [/readonly database/, 8],
  [/disk I\/O error/, 10],
  [/malformed/, 11],
  [/disk is full/, 13],
  [/unable to open|could not open/i, 14],
  [/not a database/, 26],
  [/is locked/, 5],
];

/**
 * SQLite in WebAssembly, which reads and writes a file in place where Node has none of its own. For files
 * that are ours alone, under a lock of our own.
 */
export const wasmEngine: SqliteEngine = (path) => {
  const alone = <T>(work: () => T): T => withErrorCodes(() => withoutOwnLock(path, work));
  const database = alone(() => new sqlite.Database(path));
  // As in Node's own SQLite: with them, each row that goes is looked for in the tables that refer to it.
  alone(() => database.exec("PRAGMA foreign_keys = OFF"));
  return {
    db: {
      exec: (statements) => alone(() => database.exec(statements)),
      rows: (query, parameters = []) => alone(() => database.all(query, [...parameters]).map(rowOfBigInts)),
      runEach: (text, parameterLists) =>
        alone(() => {
          const statement = database.prepare(text);
          try {
            for (const parameters of parameterLists) statement.run([...parameters]);
          } finally {
            statement.finalize();
          }
        }),
    },
    close: () => database.close(),
  };
};

/**
 * Runs work while the engine does not see its own lock. It takes it for that of a writer who is at it, and so
 * would never roll back the transaction of a process that was killed in the middle: the file would be
 * damaged. The work is synchronous, so that nobody else is told so.
 */
function withoutOwnLock<T>(path: string, work: () => T): T {
  const lock = `${resolve(path)}.lock`;
  const { accessSync } = fs;
  fs.accessSync = (file, mode) => {
    if (file === lock) throw new Error("no other process has it");
    accessSync(file, mode);
  };
  try {
    return work();
  } finally {
    fs.accessSync = accessSync;
  }
}

/** Errors with the code that Node's own SQLite has in `errcode`. */
function withErrorCodes<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    const code = CODES.find(([pattern]) => pattern.test(message))?.[1] ?? 1;
    throw error instanceof sqlite.SQLite3Error ? Object.assign(error, { errcode: code }) : error;
  }
}
