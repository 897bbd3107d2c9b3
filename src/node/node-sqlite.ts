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
