import type { SqlConnection } from "./connection.js";

/** On one line, as it stands in every store: SQLite keeps the text of a table. */
function table(name: string, ...columns: readonly string[]): string {
  return `CREATE TABLE IF NOT EXISTS ${name}(${columns.join(", ")});`;
}

const RUNS = table(
  "eval_runs",
  "run_id text primary key",
  "suite text not null",
  "config_snapshot_json text not null",
  "aggregate_json text not null",
  "commit_hash text",
  "created_at text not null",
);
const RESULTS = table(
  "eval_query_results",
  "run_id text not null references eval_runs(run_id) on delete cascade",
  "query_id text not null",
  "result_json text not null",
  "primary key(run_id, query_id)",
);
const DOCUMENTS = table(
  "documents",
  "doc_id text primary key",
  "workspace_path text not null unique",
  "title text",
  "lang text",
);
const CHUNKS = table(
  "chunks",
  "chunk_id text primary key",
  "doc_id text not null references documents(doc_id) on delete cascade",
  "text text not null",
  "heading_path_json text not null",
  "section_label text",
  "source_spans_json text not null",
  "token_estimate integer not null",
  "chunker_version text not null",
  "policy_hash text not null",
  "block_ids_json text not null",
  "created_at text not null",
);

/** Tables of a new store. The first four are those of the knowledge bases that other programs write. */
export const RUN_TABLES = `\n${RUNS}\n${RESULTS}\n`;

export const CORPUS_TABLES = `\n${DOCUMENTS}\n${CHUNKS}\n`;

/**
 * Where chunks lay when runs were recorded; indexing again overwrites `chunks`. Made when it is first needed.
 */
export const ARCHIVE_TABLE = table(
  "rankproof_chunk_archive",
  "chunk_id text not null",
  "chunker_version text not null",
  "doc_id text not null",
  "doc_path text not null",
  "source_spans_json text not null",
  "primary key(chunk_id, chunker_version)",
);

/** Fields of a run that `eval_runs` has no column for. Made when it is first needed. */
export const EXTRA_TABLE = table(
  "rankproof_run_extra",
  "run_id text primary key",
  "extra_json text not null",
);

/** Says "made by rankproof" in the header ("RKPF"), so that another program's corpus is never overwritten. */
export const APPLICATION_ID = 0x524b5046;

/** The columns that are read, by table; another program's database may have more. */
export const REQUIRED_COLUMNS = new Map([
  ["eval_runs", ["run_id", "suite", "config_snapshot_json", "aggregate_json", "commit_hash", "created_at"]],
  ["eval_query_results", ["run_id", "query_id", "result_json"]],
  ["chunks", ["chunk_id", "doc_id", "source_spans_json", "chunker_version"]],
  ["documents", ["doc_id", "workspace_path"]],
]);

/** Makes an empty database a store. */
export function createTables(db: SqlConnection): void {
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}; ${RUN_TABLES} ${CORPUS_TABLES}`);
}
