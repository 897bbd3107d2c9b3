import sqlite from "node-sqlite3-wasm";
import type { SqlDatabase } from "../../src/retrieve/index.js";

/** SQLite with FTS5 in WebAssembly, which every platform has. */
export function wasmSqlite(): SqlDatabase {
  const database = new sqlite.Database(":memory:");
  return {
    exec: (sql) => database.exec(sql),
    prepare(sql) {
      const statement = database.prepare(sql);
      return { run: (...values) => statement.run(values), all: (...values) => statement.all(values) };
    },
  };
}

interface NodeSqlite {
  readonly DatabaseSync: new (path: string) => SqlDatabase;
}

/** Node's own SQLite, from Node 22 on; else null. */
export function nodeSqlite(): (() => SqlDatabase) | null {
  // Asked of the process, because an import that Node does not know cannot be caught in every test runner.
  const builtin = process.getBuiltinModule("node:sqlite") as NodeSqlite | undefined;
  return builtin === undefined ? null : () => new builtin.DatabaseSync(":memory:");
}

export const WITHOUT_NODE_SQLITE = "skipped: this Node has no node:sqlite; run it with Node 22 or later";
