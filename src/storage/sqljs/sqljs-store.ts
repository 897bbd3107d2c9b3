import type { Database, SqlJsStatic, SqlValue } from "sql.js";
import { AdapterError, InputError, problemsError, shown, type ErrorCode } from "../../errors.js";
import { chunkRecordSchema, queryResultSchema, type AggregateMetrics, type ChunkRecord, type EvalRun, type QueryResult } from "../../schema/index.js";
import { shapeProblems } from "../../shape-problems.js";
import { checkCorpus, checkRunId, chunkPlaceOf, runExists, type EvalStore, type RunSummary } from "../eval-store.js";
import { checkImage, type StoreImage } from "./image.js";
import { APPLICATION_ID, ARCHIVE_TABLE, CORPUS_TABLES, EXTRA_TABLE, REQUIRED_COLUMNS, RUN_TABLES } from "./tables.js";

/** Where an sql.js store gets its bytes and its WebAssembly. */
export interface SqljsOptions {
  /** The bytes of a database, in the browser or elsewhere; without them and without `image` the store is new and empty. */
  readonly bytes?: Uint8Array | undefined;
  /** Keeps the bytes between calls, on a file for example. */
  readonly image?: StoreImage | undefined;
  /** The URL of `sql-wasm-browser.wasm`, or its bytes, where sql.js does not find it by itself. */
  readonly wasm?: string | URL | Uint8Array | undefined;
}

/** A store in SQLite through sql.js. */
export interface SqljsStore extends EvalStore {
  /** The database as a file would hold it. */
  bytes(): Promise<Uint8Array>;
}

/** How many values one `IN (…)` takes; SQLite allows 32,766. */
const VALUES_PER_QUERY = 10_000;

/**
 * Opens a store in SQLite through sql.js (WebAssembly): in Node and the browser, on bytes or on an image of a file. Databases
 * written by other programs are read as they are, and only the rows that a call is about are written.
 *
 * The whole database is read into memory: good to about 200 MB.
 *
 * @throws InputError `STORE_NOT_SQLITE`, `STORE_CORRUPT`, `STORE_WAL`, `STORE_SCHEMA`
 */
export async function sqljsStore({ bytes, image, wasm }: SqljsOptions = {}): Promise<SqljsStore> {
  // Loaded when it is needed: the command line compares two files without it.
  const { default: initSqlJs } = await import("sql.js");
  const sql = await initSqlJs({
    ...(wasm instanceof Uint8Array ? { wasmBinary: wasm.slice().buffer } : {}),
    ...(typeof wasm === "string" || wasm instanceof URL ? { locateFile: () => String(wasm) } : {}),
  });
  const store = new SqliteRuns(sql, image ?? imageOf(bytes));
  store.read(() => undefined);
  return store;
}

/** Bytes that nobody else can change and that nothing keeps. */
function imageOf(bytes: Uint8Array | undefined): StoreImage {
  let pending: Uint8Array | null | "unchanged" = bytes ?? null;
  return {
    name: "database",
    load() {
      const next = pending;
      pending = "unchanged";
      return next;
    },
    exclusively: async (work) => work(),
    replace: () => undefined,
  };
}

type Row = Record<string, SqlValue>;

class SqliteRuns implements SqljsStore {
  readonly #sql: SqlJsStatic;
  readonly #image: StoreImage;
  #db: Database | null = null;
  #isChecked = false;
  #isClosed = false;

  constructor(sql: SqlJsStatic, image: StoreImage) {
    this.#sql = sql;
    this.#image = image;
  }

  async saveRun(run: EvalRun, { replace = false, archive = [] }: { replace?: boolean | undefined; archive?: readonly ChunkRecord[] | undefined } = {}): Promise<void> {
    checkRunId(run.run_id);
    const { run_id, suite, created_at, commit_hash, config_snapshot, results, ...extra } = run;
    await this.#write((db) => {
      db.exec(RUN_TABLES);
      if (has(db, "SELECT 1 FROM eval_runs WHERE run_id = ?", [run_id])) {
        if (!replace) throw runExists(run_id, this.#image.name);
        deleteRows(db, run_id);
      }
      db.run("INSERT INTO eval_runs(run_id, suite, config_snapshot_json, aggregate_json, commit_hash, created_at) VALUES (?, ?, ?, '{}', ?, ?)", [run_id, suite, JSON.stringify(config_snapshot), commit_hash ?? null, created_at]);
      insertAll(db, "INSERT INTO eval_query_results(run_id, query_id, result_json) VALUES (?, ?, ?)", results, (result) => [run_id, result.query_id, JSON.stringify(result)]);
      // A column cannot say whether a commit hash was null or absent.
      const unplaced = commit_hash === null ? { ...extra, commit_hash } : extra;
      if (Object.keys(unplaced).length > 0) {
        db.exec(EXTRA_TABLE);
        db.run("INSERT INTO rankproof_run_extra(run_id, extra_json) VALUES (?, ?)", [run_id, JSON.stringify(unplaced)]);
      }
      if (archive.length > 0) {
        db.exec(ARCHIVE_TABLE);
        insertAll(db, "INSERT OR REPLACE INTO rankproof_chunk_archive(chunk_id, chunker_version, doc_id, doc_path, source_spans_json) VALUES (?, ?, ?, ?, ?)", archive.map(chunkPlaceOf), (chunk) => [
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
    return this.read((db) => {
      if (!hasTable(db, "eval_runs")) return null;
      const [row] = rows(db, "SELECT * FROM eval_runs WHERE run_id = ?", [runId]);
      if (row === undefined) return null;
      const where = `${this.#image.name}: run ${shown(runId)}`;
      const results = hasTable(db, "eval_query_results") ? rows(db, "SELECT query_id, result_json FROM eval_query_results WHERE run_id = ? ORDER BY rowid", [runId]) : [];
      const [extra] = hasTable(db, "rankproof_run_extra") ? rows(db, "SELECT extra_json FROM rankproof_run_extra WHERE run_id = ?", [runId]) : [];
      return {
        run_id: runId,
        suite: String(row["suite"]),
        created_at: String(row["created_at"]),
        ...(row["commit_hash"] === null ? {} : { commit_hash: String(row["commit_hash"]) }),
        config_snapshot: parsedJson(row["config_snapshot_json"], `${where}: config_snapshot_json`, "RUN_SYNTAX") as Record<string, unknown>,
        results: results.map((result) => storedResult(result, where)),
        ...(extra === undefined ? {} : (parsedJson(extra["extra_json"], `${where}: extra_json`, "RUN_SYNTAX") as object)),
      };
    });
  }

  async listRuns(): Promise<RunSummary[]> {
    return this.read((db) => {
      if (!hasTable(db, "eval_runs")) return [];
      const counted = hasTable(db, "eval_query_results") ? "(SELECT count(*) FROM eval_query_results AS r WHERE r.run_id = eval_runs.run_id)" : "0";
      return rows(db, `SELECT run_id, suite, created_at, commit_hash, aggregate_json, ${counted} AS total FROM eval_runs ORDER BY created_at, run_id`).map((row) => ({
        run_id: String(row["run_id"]),
        suite: String(row["suite"]),
        created_at: String(row["created_at"]),
        commit_hash: row["commit_hash"] === null ? null : String(row["commit_hash"]),
        total_queries: Number(row["total"]),
        has_aggregate: isWritten(row["aggregate_json"]),
      }));
    });
  }

  async deleteRun(runId: string): Promise<boolean> {
    return this.#write((db) => {
      if (!hasTable(db, "eval_runs") || !has(db, "SELECT 1 FROM eval_runs WHERE run_id = ?", [runId])) return false;
      deleteRows(db, runId);
      return true;
    });
  }

  async writeAggregate(runId: string, aggregate: AggregateMetrics): Promise<boolean> {
    return this.#write((db) => {
      if (!hasTable(db, "eval_runs")) return false;
      db.run("UPDATE eval_runs SET aggregate_json = ? WHERE run_id = ?", [JSON.stringify(aggregate), runId]);
      return db.getRowsModified() > 0;
    });
  }

  async loadAggregate(runId: string): Promise<AggregateMetrics | null> {
    return this.read((db) => {
      const [row] = hasTable(db, "eval_runs") ? rows(db, "SELECT aggregate_json FROM eval_runs WHERE run_id = ?", [runId]) : [];
      if (row === undefined || !isWritten(row["aggregate_json"])) return null;
      return parsedJson(row["aggregate_json"], `${this.#image.name}: run ${shown(runId)}: aggregate_json`, "RESULT_SHAPE") as AggregateMetrics;
    });
  }

  async saveChunks(chunks: readonly ChunkRecord[]): Promise<void> {
    checkCorpus(chunks);
    const paths = new Map(chunks.map(chunkPlaceOf).map(({ doc_id, doc_path }) => [doc_id, doc_path]));
    await this.#write((db) => {
      if (hasTable(db, "chunks") && rows(db, "PRAGMA application_id")[0]?.["application_id"] !== APPLICATION_ID) {
        throw new InputError("STORE_SCHEMA", `${this.#image.name}: the chunks in it belong to another program and are not overwritten; index with that program, or use a store of your own`);
      }
      db.exec(CORPUS_TABLES);
      db.exec("DELETE FROM chunks; DELETE FROM documents;");
      insertAll(db, "INSERT INTO documents(doc_id, workspace_path) VALUES (?, ?)", [...paths], ([docId, path]) => [docId, path]);
      insertAll(db, "INSERT INTO chunks VALUES (?, ?, ?, '[]', NULL, ?, 0, ?, '', '[]', '')", chunks, (chunk) => [
        chunk.chunk_id,
        chunk.doc_id,
        typeof chunk["text"] === "string" ? chunk["text"] : "",
        JSON.stringify(chunk.source_spans ?? []),
        chunk.chunker_version ?? "",
      ]);
    });
  }

  async hasCorpus(): Promise<boolean> {
    return this.read((db) => hasTable(db, "chunks") && has(db, "SELECT 1 FROM chunks LIMIT 1"));
  }

  async findChunks({ chunkIds = [], docPaths = [] }: { chunkIds?: Iterable<string>; docPaths?: Iterable<string> }): Promise<ChunkRecord[]> {
    return this.read((db) => {
      const found = new Map<string, ChunkRecord>();
      const collect = (source: string, column: string, values: Iterable<string>): void => {
        for (const row of rowsWhereIn(db, source, column, values)) {
          const chunk = storedChunk(row, this.#image.name);
          // A chunk that is both current and archived is one chunk.
          found.set(JSON.stringify([chunk.chunk_id, chunk.chunker_version ?? ""]), chunk);
        }
      };
      const ids = [...chunkIds];
      const paths = [...docPaths];
      if (hasTable(db, "rankproof_chunk_archive")) {
        collect("SELECT chunk_id, doc_id, doc_path, source_spans_json, chunker_version FROM rankproof_chunk_archive", "chunk_id", ids);
        collect("SELECT chunk_id, doc_id, doc_path, source_spans_json, chunker_version FROM rankproof_chunk_archive", "doc_path", paths);
      }
      if (hasTable(db, "chunks")) {
        const [path, join] = hasTable(db, "documents") ? ["d.workspace_path", "LEFT JOIN documents AS d ON d.doc_id = c.doc_id"] : ["NULL", ""];
        const source = `SELECT c.chunk_id, c.doc_id, ${path} AS doc_path, c.source_spans_json, c.chunker_version FROM chunks AS c ${join}`;
        collect(source, "c.chunk_id", ids);
        if (join !== "") collect(source, path, paths);
      }
      return [...found.values()];
    });
  }

  async knownDocuments(docIds: Iterable<string>): Promise<Set<string>> {
    return this.read((db) => {
      const ids = [...docIds];
      const known = ["documents", "chunks", "rankproof_chunk_archive"].filter((table) => hasTable(db, table)).flatMap((table) => rowsWhereIn(db, `SELECT DISTINCT doc_id FROM ${table}`, "doc_id", ids));
      return new Set(known.map((row) => String(row["doc_id"])));
    });
  }

  async bytes(): Promise<Uint8Array> {
    return this.read((db) => db.export());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#discard();
  }

  /** Runs `look` on the newest state of the database. */
  read<T>(look: (db: Database) => T): T {
    return this.#explained(() => look(this.#current()));
  }

  /** Runs `change` in one transaction on the newest state; when anything fails, both memory and image stay as they were. */
  async #write<T>(change: (db: Database) => T): Promise<T> {
    this.#open();
    return this.#image.exclusively(() =>
      this.#explained(() => {
        const db = this.#current();
        this.#checkPages(db);
        db.run("BEGIN");
        let outcome: T;
        try {
          outcome = change(db);
          db.run("COMMIT");
        } catch (error) {
          db.run("ROLLBACK");
          throw error;
        }
        try {
          this.#image.replace(db.export());
        } catch (error) {
          this.#discard();
          throw error;
        }
        return outcome;
      }),
    );
  }

  #open(): void {
    if (this.#isClosed) throw new AdapterError("STORE_CLOSED", `${this.#image.name}: the store is closed; open a new one`);
  }

  #current(): Database {
    this.#open();
    const loaded = this.#image.load();
    if (loaded === "unchanged" && this.#db !== null) return this.#db;
    this.#discard();
    if (loaded === null || loaded === "unchanged") {
      this.#db = new this.#sql.Database();
      this.#db.exec(`PRAGMA application_id = ${APPLICATION_ID}; ${RUN_TABLES} ${CORPUS_TABLES}`);
      return this.#db;
    }
    checkImage(loaded, this.#image.name);
    this.#db = new this.#sql.Database(loaded);
    this.#checkColumns(this.#db);
    return this.#db;
  }

  #discard(): void {
    this.#db?.close();
    this.#db = null;
    this.#isChecked = false;
  }

  #checkColumns(db: Database): void {
    for (const [table, required] of REQUIRED_COLUMNS) {
      const columns = new Set(rows(db, "SELECT name FROM pragma_table_info(?)", [table]).map((row) => String(row["name"])));
      const missing = columns.size === 0 ? [] : required.filter((column) => !columns.has(column));
      if (missing.length > 0) throw new InputError("STORE_SCHEMA", `${this.#image.name}: table ${table} has no column ${missing.map(shown).join(", ")}; the database is of another kind`);
    }
  }

  /** A damaged database must not be written back: the damage could spread over the last good rows. */
  #checkPages(db: Database): void {
    if (this.#isChecked) return;
    const finding = rows(db, "PRAGMA quick_check(1)")[0]?.["quick_check"];
    if (finding !== "ok") throw new InputError("STORE_CORRUPT", `${this.#image.name}: is damaged (${String(finding)}); it was left as it is, restore it from a copy`);
    this.#isChecked = true;
  }

  /** SQLite's own errors, named by what they mean here. */
  #explained<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (/file is not a database/.test(message)) throw new InputError("STORE_NOT_SQLITE", `${this.#image.name}: is not an SQLite database`, {}, error);
      if (/malformed|corrupt/.test(message) && !(error instanceof InputError)) throw new InputError("STORE_CORRUPT", `${this.#image.name}: is damaged (${message}); it was left as it is, restore it from a copy`, {}, error);
      throw error;
    }
  }
}

function rows(db: Database, query: string, parameters: SqlValue[] = []): Row[] {
  const statement = db.prepare(query, parameters);
  try {
    const found: Row[] = [];
    while (statement.step()) found.push(statement.getAsObject());
    return found;
  } finally {
    statement.free();
  }
}

function rowsWhereIn(db: Database, source: string, column: string, values: Iterable<string>): Row[] {
  const wanted = [...new Set(values)];
  const found: Row[] = [];
  for (let start = 0; start < wanted.length; start += VALUES_PER_QUERY) {
    const part = wanted.slice(start, start + VALUES_PER_QUERY);
    found.push(...rows(db, `${source} WHERE ${column} IN (${part.map(() => "?").join(",")})`, part));
  }
  return found;
}

function has(db: Database, query: string, parameters: SqlValue[] = []): boolean {
  return rows(db, query, parameters).length > 0;
}

function hasTable(db: Database, name: string): boolean {
  return has(db, "SELECT 1 FROM sqlite_master WHERE type IN ('table', 'view') AND name = ?", [name]);
}

function insertAll<T>(db: Database, query: string, records: Iterable<T>, values: (record: T) => SqlValue[]): void {
  const statement = db.prepare(query);
  try {
    for (const record of records) statement.run(values(record));
  } finally {
    statement.free();
  }
}

function deleteRows(db: Database, runId: string): void {
  for (const table of ["eval_query_results", "rankproof_run_extra", "eval_runs"]) {
    if (hasTable(db, table)) db.run(`DELETE FROM ${table} WHERE run_id = ?`, [runId]);
  }
}

/** Programs write `{}` or nothing where there is no aggregate yet. */
function isWritten(aggregateJson: SqlValue | undefined): boolean {
  return typeof aggregateJson === "string" && !["", "{}", "null"].includes(aggregateJson.trim());
}

function parsedJson(text: SqlValue | undefined, where: string, code: ErrorCode): unknown {
  try {
    return JSON.parse(String(text)) as unknown;
  } catch (cause) {
    throw new InputError(code, `${where} is not JSON, got ${shown(text)}`, {}, cause);
  }
}

function storedResult(row: Row, run: string): QueryResult {
  const where = `${run}: query ${shown(row["query_id"])}`;
  const result = parsedJson(row["result_json"], where, "RUN_SYNTAX");
  const [first, ...others] = shapeProblems(queryResultSchema, result, { code: "RUN_SHAPE", locate: () => ({ where }) });
  if (first !== undefined) throw problemsError([first, ...others]);
  return result as QueryResult;
}

function storedChunk(row: Row, store: string): ChunkRecord {
  const where = `${store}: chunk ${shown(row["chunk_id"])}`;
  const version = row["chunker_version"];
  const chunk = {
    chunk_id: String(row["chunk_id"]),
    doc_id: String(row["doc_id"]),
    ...(typeof row["doc_path"] === "string" ? { doc_path: row["doc_path"] } : {}),
    source_spans: parsedJson(row["source_spans_json"], where, "CORPUS_SYNTAX"),
    ...(typeof version === "string" && version !== "" ? { chunker_version: version } : {}),
  };
  const [first, ...others] = shapeProblems(chunkRecordSchema, chunk, { code: "CORPUS_SHAPE", locate: () => ({ where }) });
  if (first !== undefined) throw problemsError([first, ...others]);
  return chunk as ChunkRecord;
}
