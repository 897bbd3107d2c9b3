import type { TextChunk } from "../chunk/index.js";
import { AdapterError, quote } from "../foundation/errors/index.js";
import { checkLimit } from "../foundation/checks/index.js";
import { hitOf, indexChunks, type IndexedChunk } from "./index-chunks.js";
import type { Retriever } from "../records/index.js";

/**
 * The parts of an SQLite database that are used: those of `node:sqlite`'s `DatabaseSync` and of
 * `better-sqlite3`.
 */
export interface SqlDatabase {
  /** Runs a statement that returns nothing. */
  exec(sql: string): unknown;
  /** Compiles a statement with question marks for its values. */
  prepare(sql: string): SqlStatement;
}

/** A statement, to be run any number of times. */
export interface SqlStatement {
  /** Runs it for its effect. */
  run(...values: (string | number)[]): unknown;
  /** Its rows, as objects by column. */
  all(...values: (string | number)[]): unknown[];
}

/** How {@link fts5Retriever} indexes. */
export interface Fts5Options {
  /**
   * FTS5's tokenizer and its arguments. Default `porter unicode61`; `trigram` for Chinese, Japanese and
   * Korean.
   */
  readonly tokenize?: string | undefined;
  /** What an occurrence counts in each field. Default 1 and 1. */
  readonly weights?: { readonly title?: number | undefined; readonly text?: number | undefined } | undefined;
}

/**
 * Full-text search by SQLite's own FTS5, where the platform has it: `new DatabaseSync(":memory:")` of
 * `node:sqlite` from Node 22, `better-sqlite3` elsewhere. Builds a temporary table of the chunks. The
 * question is every distinct word of it, joined with OR.
 *
 * @throws AdapterError `RETRIEVER_FAILED` where SQLite was built without FTS5, or does not know the
 * tokenizer.
 * @throws InputError `ARGUMENT` for chunk ids that are duplicated.
 */
export function fts5Retriever(
  database: SqlDatabase,
  chunks: Iterable<TextChunk>,
  {
    tokenize = "porter unicode61",
    weights: { title: titleWeight = 1, text: textWeight = 1 } = {},
  }: Fts5Options = {},
): Retriever {
  const table = `rankproof_chunks_${tables++}`;
  // A savepoint, because the database may be within a transaction of yours.
  database.exec(`SAVEPOINT ${table}`);
  let kept: IndexedChunk[];
  try {
    createTable(database, table, tokenize);
    const insert = database.prepare(`INSERT INTO temp.${table}(rowid, title, text) VALUES (?, ?, ?)`);
    let row = 0;
    kept = indexChunks(chunks, ({ title = "", text }) => void insert.run(++row, title, text));
  } catch (error) {
    database.exec(`ROLLBACK TO ${table}`);
    throw error;
  } finally {
    database.exec(`RELEASE ${table}`);
  }
  const select = database.prepare(
    `SELECT rowid, bm25(${table}, ?, ?) AS score FROM temp.${table} WHERE ${table} MATCH ? ORDER ` +
      "BY score, rowid LIMIT ?",
  );
  const isTrigram = tokenize.startsWith("trigram");
  return {
    search(query, { limit }) {
      checkLimit(limit);
      const asked = [
        ...new Set(isTrigram ? trigrams(query) : query.toLowerCase().match(/[\p{L}\p{N}\p{M}_]+/gu)),
      ];
      if (asked.length === 0) return [];
      const rows = select.all(
        titleWeight,
        textWeight,
        asked.map((word) => `"${word}"`).join(" OR "),
        limit,
      ) as { rowid: number; score: number }[];
      return rows.map(({ rowid, score }, index) => hitOf(kept[rowid - 1] as IndexedChunk, index + 1, -score));
    },
  };
}

/** Tables of one database must not meet. */
let tables = 0;

function createTable(database: SqlDatabase, table: string, tokenize: string): void {
  try {
    const options = `title, text, content='', tokenize=${quoteText(tokenize)}`;
    database.exec(`CREATE VIRTUAL TABLE temp.${table} USING fts5(${options})`);
  } catch (cause) {
    throw new AdapterError(
      "RETRIEVER_FAILED",
      `SQLite cannot make an FTS5 table with the tokenizer ${quote(tokenize)}: ` +
        `${cause instanceof Error ? cause.message : quote(cause)}; use an SQLite that was built with ` +
        "FTS5, or lexicalIndex, which needs none",
      {},
      cause,
    );
  }
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function trigrams(query: string): string[] {
  const characters = Array.from(query.toLowerCase().replace(/[^\p{L}\p{N}\p{M}]+/gu, ""));
  return characters.slice(2).map((_, index) => characters.slice(index, index + 3).join(""));
}
