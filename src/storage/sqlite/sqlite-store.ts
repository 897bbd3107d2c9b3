import { InputError, quote } from "../../foundation/errors/index.js";
import type { AggregateMetrics, ChunkRecord, EvalRun } from "../../records/index.js";
import { checkChunkQuery, checkCorpus, checkSave } from "../check-given.js";
import {
  chunkPlaceOf,
  jsonText,
  runExists,
  type ChunkQuery,
  type EvalStore,
  type RunSummary,
  type SaveOptions,
} from "../eval-store.js";
import {
  has,
  hasTable,
  insertAll,
  rowsInOrder,
  rowsWhereIn,
  type SqlConnection,
  type SqlValue,
} from "./connection.js";
import { escapedTexts } from "./escaped-texts.js";
import {
  isWritten,
  parseStoredJson,
  readStoredAggregate,
  readStoredChunk,
  readStoredResult,
  readStoredSnapshot,
} from "./stored-records.js";
import { APPLICATION_ID, ARCHIVE_TABLE, CORPUS_TABLES, EXTRA_TABLE, RUN_TABLES } from "./tables.js";

/** A database that one store works on. */
export interface SqliteDatabase {
  /** As messages name it: a file's path. */
  readonly name: string;
  /** Runs `look` on the newest state. */
  read<T>(look: (db: SqlConnection) => T): Promise<T>;
  /**
   * Runs `change` in one transaction on the newest state; when anything fails, nothing has changed. It may
   * run again where another program was in the way.
   */
  write<T>(change: (db: SqlConnection) => T): Promise<T>;
  /** The database as a file would hold it. */
  bytes(): Promise<Uint8Array>;
  /** Further calls fail with `STORE_CLOSED`. */
  close(): void;
}

/** A store in SQLite. */
export interface SqliteStore extends EvalStore {
  /** The database as a file would hold it. */
  bytes(): Promise<Uint8Array>;
}

/**
 * A store on a database. Databases written by other programs are read as they are, and only the rows that a
 * call is about are written.
 */
export async function sqliteStore(database: SqliteDatabase): Promise<SqliteStore> {
  // A file that is no store is refused now, not at the first call.
  await database.read(() => undefined);
  return new SqliteRuns(database);
}

/** The newest place of a chunk; one without spans says nothing about an older one that has some. */
const ARCHIVE_CHUNK = `
INSERT INTO rankproof_chunk_archive(chunk_id, chunker_version, doc_id, doc_path, source_spans_json)
VALUES (?, ?, ?, ?, ?)
ON CONFLICT(chunk_id, chunker_version) DO UPDATE SET
  doc_id = excluded.doc_id, doc_path = excluded.doc_path, source_spans_json = excluded.source_spans_json
WHERE excluded.source_spans_json <> '[]'`;

/** Rows of another program may hold what is no JSON. */
const HAS_FAILED = " AND json_valid(r.result_json) AND json_extract(r.result_json, '$.error') IS NOT NULL";

class SqliteRuns implements SqliteStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  #read<T>(look: (db: SqlConnection) => T): Promise<T> {
    return this.#database.read((db) => look(escapedTexts(db)));
  }

  #write<T>(change: (db: SqlConnection) => T): Promise<T> {
    return this.#database.write((db) => change(escapedTexts(db)));
  }

  async saveRun(run: EvalRun, options?: SaveOptions): Promise<void> {
    const { replace, archive } = checkSave(run, options);
    const { run_id, suite, created_at, commit_hash, config_snapshot, results, ...extra } = run;
    await this.#write((db) => {
      db.exec(RUN_TABLES);
      if (!replace && hasRun(db, run_id)) throw runExists(run_id, this.#database.name);
      // Also for a run that is not there: a program that deleted it may have left rows of it in the other
      // tables.
      deleteRows(db, run_id);
      db.runEach(
        "INSERT INTO eval_runs(run_id, suite, config_snapshot_json, aggregate_json, commit_hash, " +
          "created_at) VALUES (?, ?, ?, '{}', ?, ?)",
        [
          [
            run_id,
            suite,
            jsonText(config_snapshot, `run ${quote(run_id)}: config_snapshot`),
            commit_hash ?? null,
            created_at,
          ],
        ],
      );
      insertAll(
        db,
        "INSERT INTO eval_query_results(run_id, query_id, result_json) VALUES (?, ?, ?)",
        results,
        (result) => [
          run_id,
          result.query_id,
          jsonText(result, `run ${quote(run_id)}: query ${quote(result.query_id)}`),
        ],
      );
      // A trigger of another program may leave rows out without a word.
      const [kept] = db.rows("SELECT count(*) AS rows FROM eval_query_results WHERE run_id = ?", [run_id]);
      if (!hasRun(db, run_id) || kept?.["rows"] !== results.length)
        throw new InputError(
          "STORE_SCHEMA",
          `${this.#database.name}: keeps not all of run ${quote(run_id)}; has the database a trigger that ` +
            "leaves rows out? Nothing was written",
        );
      // A column cannot say whether a commit hash was null or absent.
      const unplaced = commit_hash === null ? { ...extra, commit_hash } : extra;
      if (Object.keys(unplaced).length > 0) {
        db.exec(EXTRA_TABLE);
        db.runEach("INSERT INTO rankproof_run_extra(run_id, extra_json) VALUES (?, ?)", [
          [run_id, jsonText(unplaced, `run ${quote(run_id)}`)],
        ]);
      }
      if (archive.length > 0) {
        db.exec(ARCHIVE_TABLE);
        insertAll(db, ARCHIVE_CHUNK, archive.map(chunkPlaceOf), (chunk) => [
          chunk.chunk_id,
          chunk.chunker_version ?? "",
          chunk.doc_id,
          chunk.doc_path,
          JSON.stringify(chunk.source_spans),
        ]);
      }
    });
  }

  async loadRun(runId: string): Promise<EvalRun | null> {
    return this.#read((db) => {
      if (!hasTable(db, "eval_runs")) return null;
      const [row] = db.rows("SELECT * FROM eval_runs WHERE run_id = ?", [runId]);
      if (row === undefined) return null;
      const where = `${this.#database.name}: run ${quote(runId)}`;
      const results = hasTable(db, "eval_query_results")
        ? rowsInOrder(db, "query_id, result_json", "eval_query_results", "run_id", runId)
        : [];
      const [extra] = hasTable(db, "rankproof_run_extra")
        ? db.rows("SELECT extra_json FROM rankproof_run_extra WHERE run_id = ?", [runId])
        : [];
      return {
        run_id: runId,
        suite: String(row["suite"]),
        created_at: String(row["created_at"]),
        ...(row["commit_hash"] === null ? {} : { commit_hash: String(row["commit_hash"]) }),
        config_snapshot: readStoredSnapshot(row, where),
        results: results.map((result) => readStoredResult(result, where)),
        ...(extra === undefined
          ? {}
          : (parseStoredJson(extra["extra_json"], `${where}: extra_json`, "RUN_SYNTAX") as object)),
      };
    });
  }

  async listRuns(): Promise<RunSummary[]> {
    return this.#read((db) => {
      if (!hasTable(db, "eval_runs")) return [];
      const countRows = (where: string): string =>
        hasTable(db, "eval_query_results")
          ? `(SELECT count(*) FROM eval_query_results AS r WHERE r.run_id = eval_runs.run_id${where})`
          : "0";
      const extra = hasTable(db, "rankproof_run_extra")
        ? "(SELECT extra_json FROM rankproof_run_extra AS e WHERE e.run_id = eval_runs.run_id)"
        : "NULL";
      return db
        .rows(
          `SELECT run_id, suite, created_at, commit_hash, aggregate_json, ${countRows("")} AS total, ` +
            `${countRows(HAS_FAILED)} AS failed, ${extra} AS extra FROM eval_runs ` +
            "ORDER BY created_at, run_id",
        )
        .map((row) => ({
          run_id: String(row["run_id"]),
          suite: String(row["suite"]),
          created_at: String(row["created_at"]),
          commit_hash: row["commit_hash"] === null ? null : String(row["commit_hash"]),
          total_queries: Number(row["total"]),
          failed_queries: Number(row["failed"]),
          has_aggregate: isWritten(row["aggregate_json"]),
          is_incomplete: isIncomplete(row),
        }));
    });
  }

  async deleteRun(runId: string): Promise<boolean> {
    return this.#write((db) => {
      if (!hasRun(db, runId)) return false;
      deleteRows(db, runId);
      return true;
    });
  }

  async writeAggregate(runId: string, aggregate: AggregateMetrics): Promise<boolean> {
    return this.#write((db) => {
      if (!hasRun(db, runId)) return false;
      db.runEach("UPDATE eval_runs SET aggregate_json = ? WHERE run_id = ?", [
        [jsonText(aggregate, `the scores of run ${quote(runId)}`), runId],
      ]);
      return true;
    });
  }

  async loadAggregate(runId: string): Promise<AggregateMetrics | null> {
    return this.#read((db) => {
      const [row] = hasTable(db, "eval_runs")
        ? db.rows("SELECT aggregate_json FROM eval_runs WHERE run_id = ?", [runId])
        : [];
      return row === undefined
        ? null
        : readStoredAggregate(row, `${this.#database.name}: run ${quote(runId)}`);
    });
  }

  async saveChunks(chunks: readonly ChunkRecord[]): Promise<void> {
    checkCorpus(chunks);
    const paths = new Map(chunks.map(chunkPlaceOf).map(({ doc_id, doc_path }) => [doc_id, doc_path]));
    await this.#write((db) => {
      if (db.rows("PRAGMA application_id")[0]?.["application_id"] !== APPLICATION_ID) {
        throw new InputError(
          "STORE_SCHEMA",
          `${this.#database.name}: belongs to another program, and its knowledge base is not ` +
            "written to; index with that program, or use a store of your own",
        );
      }
      db.exec(CORPUS_TABLES);
      db.exec("DELETE FROM chunks; DELETE FROM documents;");
      insertAll(
        db,
        "INSERT INTO documents(doc_id, workspace_path) VALUES (?, ?)",
        [...paths],
        ([docId, path]) => [docId, path],
      );
      insertAll(
        db,
        "INSERT INTO chunks VALUES (?, ?, ?, '[]', NULL, ?, 0, ?, '', '[]', '')",
        chunks,
        (chunk) => [
          chunk.chunk_id,
          chunk.doc_id,
          typeof chunk["text"] === "string" ? chunk["text"] : "",
          JSON.stringify(chunk.source_spans ?? []),
          chunk.chunker_version ?? "",
        ],
      );
    });
  }

  async hasCorpus(): Promise<boolean> {
    return this.#read((db) => hasTable(db, "chunks") && has(db, "SELECT 1 FROM chunks LIMIT 1"));
  }

  async findChunks(query: ChunkQuery): Promise<ChunkRecord[]> {
    const { chunkIds, docPaths } = checkChunkQuery(query);
    return this.#read((db) => {
      if (!hasTable(db, "chunks")) return [];
      const [path, join] = hasTable(db, "documents")
        ? ["d.workspace_path", "LEFT JOIN documents AS d ON d.doc_id = c.doc_id"]
        : ["c.doc_id", ""];
      const source =
        `SELECT c.chunk_id, c.doc_id, ${path} AS doc_path, c.source_spans_json, c.chunker_version ` +
        `FROM chunks AS c ${join}`;
      // A chunk that is found by its id and by its path is one chunk.
      const found = new Map(
        [...rowsWhereIn(db, source, "c.chunk_id", chunkIds), ...rowsWhereIn(db, source, path, docPaths)].map(
          (row) => [String(row["chunk_id"]), row],
        ),
      );
      return [...found.values()].map((row) => readStoredChunk(row, this.#database.name));
    });
  }

  async findArchivedChunks(chunkIds: Iterable<string>): Promise<ChunkRecord[]> {
    return this.#read((db) => {
      if (!hasTable(db, "rankproof_chunk_archive")) return [];
      return rowsWhereIn(
        db,
        "SELECT chunk_id, doc_id, doc_path, source_spans_json, chunker_version FROM rankproof_chunk_archive",
        "chunk_id",
        chunkIds,
      ).map((row) => readStoredChunk(row, this.#database.name));
    });
  }

  async findKnownDocuments(docIds: Iterable<string>): Promise<Set<string>> {
    return this.#read((db) => {
      const ids = [...docIds];
      const known = ["documents", "chunks"]
        .filter((table) => hasTable(db, table))
        .flatMap((table) => rowsWhereIn(db, `SELECT DISTINCT doc_id FROM ${table}`, "doc_id", ids));
      return new Set(known.map((row) => String(row["doc_id"])));
    });
  }

  async bytes(): Promise<Uint8Array> {
    return this.#database.bytes();
  }

  async close(): Promise<void> {
    this.#database.close();
  }
}

function hasRun(db: SqlConnection, runId: string): boolean {
  return hasTable(db, "eval_runs") && has(db, "SELECT 1 FROM eval_runs WHERE run_id = ?", [runId]);
}

function deleteRows(db: SqlConnection, runId: string): void {
  for (const table of ["eval_query_results", "rankproof_run_extra", "eval_runs"]) {
    if (hasTable(db, table)) db.runEach(`DELETE FROM ${table} WHERE run_id = ?`, [[runId]]);
  }
}

function isIncomplete({ run_id, extra }: Readonly<Record<string, SqlValue>>): boolean {
  if (extra == null) return false;
  const where = `run ${quote(run_id)}: extra_json`;
  return (parseStoredJson(extra, where, "RUN_SYNTAX") as Partial<EvalRun>).incomplete === true;
}
