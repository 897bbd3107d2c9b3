import { InputError, throwProblems, quote, type ErrorCode } from "../../foundation/errors/index.js";
import { parseJson } from "../../foundation/text/index.js";
import { aggregateMetricsSchema, chunkRecordSchema, queryResultSchema } from "../../records/schema/index.js";
import {
  type AggregateMetrics,
  type ChunkRecord,
  type QueryResult,
  shapeProblems,
} from "../../records/index.js";
import type { Row, SqlValue } from "./connection.js";

/*
 * Records of a database that another program may have written: each is checked when it is read, and named
 * when it is not what it should be.
 */

/** Programs write `{}` or nothing where there is no aggregate yet. */
export function isWritten(aggregateJson: SqlValue | undefined): boolean {
  return typeof aggregateJson === "string" && !["", "{}", "null"].includes(aggregateJson.trim());
}

/** JSON text of a column. */
export function parseStoredJson(text: SqlValue | undefined, where: string, code: ErrorCode): unknown {
  try {
    return parseJson(String(text));
  } catch (cause) {
    throw new InputError(code, `${where} is not JSON, got ${quote(text)}`, {}, cause);
  }
}

/** The configuration of a run's row. */
export function readStoredSnapshot(row: Row, run: string): Record<string, unknown> {
  const where = `${run}: config_snapshot_json`;
  const snapshot = parseStoredJson(row["config_snapshot_json"], where, "RUN_SYNTAX");
  if (typeof snapshot !== "object" || snapshot === null || Array.isArray(snapshot))
    throw new InputError("RUN_SHAPE", `${where} must be a mapping, got ${quote(snapshot)}`);
  return snapshot as Record<string, unknown>;
}

/** A row of `eval_query_results`. */
export function readStoredResult(row: Row, run: string): QueryResult {
  const where = `${run}: query ${quote(row["query_id"])}`;
  const result = parseStoredJson(row["result_json"], where, "RUN_SYNTAX");
  throwProblems(shapeProblems(queryResultSchema, result, { code: "RUN_SHAPE", locate: () => ({ where }) }));
  return result as QueryResult;
}

/** A row of `chunks` or of the archive. */
export function readStoredChunk(row: Row, store: string): ChunkRecord {
  const where = `${store}: chunk ${quote(row["chunk_id"])}`;
  const version = row["chunker_version"];
  const chunk = {
    chunk_id: String(row["chunk_id"]),
    doc_id: String(row["doc_id"]),
    ...(typeof row["doc_path"] === "string" ? { doc_path: row["doc_path"] } : {}),
    source_spans: parseStoredJson(row["source_spans_json"], where, "CORPUS_SYNTAX"),
    ...(typeof version === "string" && version !== "" ? { chunker_version: version } : {}),
  };
  throwProblems(shapeProblems(chunkRecordSchema, chunk, { code: "CORPUS_SHAPE", locate: () => ({ where }) }));
  return chunk as ChunkRecord;
}

/**
 * The aggregate of a run's row, null when there is none. One that an older version wrote has its newer fields
 * empty.
 */
export function readStoredAggregate(row: Row, run: string): AggregateMetrics | null {
  const text = row["aggregate_json"];
  if (!isWritten(text)) return null;
  const where = `${run}: aggregate_json`;
  const aggregate = parseStoredJson(text, where, "RESULT_SHAPE");
  throwProblems(
    shapeProblems(aggregateMetricsSchema, aggregate, { code: "RESULT_SHAPE", locate: () => ({ where }) }),
  );
  return aggregateMetricsSchema.parse(aggregate);
}
