import { quote } from "../../foundation/errors/index.js";
import { parseJson } from "../../foundation/text/index.js";
import type { AggregateMetrics, ChunkRecord, EvalRun } from "../../records/index.js";
import { checkChunkQuery, checkCorpus, checkSave } from "../check-given.js";
import { chunkPlaceOf, jsonText, runExists, type EvalStore } from "../eval-store.js";
import { PostgresDatabase, type PostgresOptions } from "./postgres-database.js";
import { unescapeText, keyOf, escapeText } from "./escape-text.js";

/**
 * Opens a store of runs in a schema of a PostgreSQL database, by the package `pg`, which is to be installed
 * besides. Many processes and machines may use it at once. The first call that writes makes the tables.
 *
 * @throws InputError `CONFIG` where `pg` is not installed, `ARGUMENT` for a schema that cannot be,
 * `STORE_SCHEMA` for one of another kind or of a newer version.
 * @throws AdapterError `STORE_DATABASE` where the server cannot be reached or refuses, `STORE_LOCKED`
 */
// eslint-disable-next-line max-lines-per-function -- its methods share what it closes over
export async function postgresStore(given: PostgresOptions): Promise<EvalStore> {
  const database = await PostgresDatabase.open(given, "runs");
  return {
    async saveRun(run, options) {
      const { replace, archive } = checkSave(run, options);
      const { results, ...about } = run;
      const where = `run ${quote(run.run_id)}`;
      const key = keyOf(run.run_id);
      const failed = results.filter(({ error }) => error != null).length;
      const row = [
        key,
        ...[run.run_id, run.suite, run.created_at].map(escapeText),
        run.commit_hash == null ? null : escapeText(run.commit_hash),
        results.length,
        failed,
        jsonText(about, where),
      ];
      // Made before anything is sent: what JSON cannot hold is refused as a whole, and the caller may go on
      // with the run.
      const texts = results.map((each) => [
        escapeText(each.query_id),
        jsonText(each, `${where}: query ${quote(each.query_id)}`),
      ]);
      const places = placeArchived(archive);
      await database.write(async (db) => {
        const [saved] = await db.rows(
          "INSERT INTO @runs AS r VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (key) DO UPDATE SET " +
            "suite = excluded.suite, created_at = excluded.created_at, commit_hash = excluded.commit_hash, " +
            "total = excluded.total, failed = excluded.failed, about_json = excluded.about_json, " +
            "aggregate_json = NULL WHERE $9 RETURNING 1",
          [...row, replace],
        );
        if (saved === undefined) throw runExists(run.run_id, database.name);
        await db.rows("DELETE FROM @results WHERE run_key = $1", [key]);
        await db.each(
          "INSERT INTO @results SELECT $1::uuid, * FROM unnest($2::int[], $3::text[], $4::text[])",
          texts,
          (columns, at) => [at, ...columns],
          [key],
        );
        await db.each(
          "INSERT INTO @archive SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[]) " +
            "ON CONFLICT (key) DO UPDATE SET place_json = excluded.place_json " +
            `WHERE position('${NO_SPANS}' IN excluded.place_json) = 0`,
          places,
          ([archiveKey, [id, json]]) => [archiveKey, id, json],
        );
      });
    },
    async loadRun(runId) {
      const key = keyOf(runId);
      return database.read(async (db) => {
        const [run] = await db.rows("SELECT about_json FROM @runs WHERE key = $1", [key]);
        if (run === undefined) return null;
        const results = await db.rows("SELECT result_json FROM @results WHERE run_key = $1 ORDER BY place", [
          key,
        ]);
        return {
          ...(parseJson(String(run["about_json"])) as EvalRun),
          results: results.map((row) => parseJson(String(row["result_json"])) as EvalRun["results"][0]),
        };
      }, null);
    },
    async listRuns() {
      const rows = await database.read(
        (db) =>
          db.rows(
            "SELECT run_id, suite, created_at, commit_hash, total, failed, " +
              "aggregate_json IS NOT NULL AS has, " +
              // Parsed here: PostgreSQL reads no JSON with a zero character in it.
              `CASE WHEN position('"incomplete"' IN about_json) > 0 THEN about_json END AS about ` +
              "FROM @runs ORDER BY created_at, run_id",
          ),
        [],
      );
      return rows.map((row) => ({
        run_id: unescapeText(row["run_id"]),
        suite: unescapeText(row["suite"]),
        created_at: unescapeText(row["created_at"]),
        commit_hash: row["commit_hash"] === null ? null : unescapeText(row["commit_hash"]),
        total_queries: Number(row["total"]),
        failed_queries: Number(row["failed"]),
        has_aggregate: row["has"] === true,
        is_incomplete: (parseJson(String(row["about"])) as Partial<EvalRun> | null)?.incomplete === true,
      }));
    },
    async deleteRun(runId) {
      const gone = "DELETE FROM @runs WHERE key = $1 RETURNING 1";
      return database.write(async (db) => (await db.rows(gone, [keyOf(runId)])).length > 0);
    },
    async writeAggregate(runId, aggregate) {
      const written = "UPDATE @runs SET aggregate_json = $2 WHERE key = $1 RETURNING 1";
      const json = jsonText(aggregate, `the scores of run ${quote(runId)}`);
      return database.write(async (db) => (await db.rows(written, [keyOf(runId), json])).length > 0);
    },
    async loadAggregate(runId) {
      const [row] = await database.read(
        (db) => db.rows("SELECT aggregate_json FROM @runs WHERE key = $1", [keyOf(runId)]),
        [],
      );
      const json = row?.["aggregate_json"];
      return typeof json === "string" ? (parseJson(json) as AggregateMetrics) : null;
    },
    async saveChunks(chunks) {
      checkCorpus(chunks);
      const places = chunks.map(chunkPlaceOf);
      const texts = places.map((place) => jsonText(place, `chunk ${quote(place.chunk_id)}`));
      await database.write(async (db) => {
        await db.rows("DELETE FROM @chunks");
        await db.each(
          "INSERT INTO @chunks SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[])",
          places,
          ({ chunk_id, doc_id, doc_path }, at) => [
            ...[chunk_id, doc_id, doc_path].map((id) => keyOf(id)),
            texts[at] ?? "",
          ],
        );
      }, true);
    },
    async hasCorpus() {
      const any = "SELECT FROM @chunks LIMIT 1";
      return database.read(async (db) => (await db.rows(any)).length > 0, false);
    },
    async findChunks(query) {
      const { chunkIds, docPaths } = checkChunkQuery(query);
      const found =
        "SELECT key, place_json FROM unnest($1::uuid[]) AS wanted JOIN @chunks ON key = wanted UNION " +
        "SELECT key, place_json FROM unnest($2::uuid[]) AS wanted JOIN @chunks ON path_key = wanted";
      return (await database.read((db) => db.rows(found, [keysOf(chunkIds), keysOf(docPaths)]), [])).map(
        placeIn,
      );
    },
    async findArchivedChunks(chunkIds) {
      const found = "SELECT place_json FROM unnest($1::uuid[]) AS wanted JOIN @archive ON chunk_key = wanted";
      return (await database.read((db) => db.rows(found, [keysOf(chunkIds)]), [])).map(placeIn);
    },
    async findKnownDocuments(docIds) {
      const ids = [...docIds];
      const known =
        "SELECT DISTINCT doc_key FROM unnest($1::uuid[]) AS wanted JOIN @chunks ON doc_key = wanted";
      const rows = await database.read((db) => db.rows(known, [keysOf(ids)]), []);
      const keys = new Set(rows.map((row) => row["doc_key"]));
      return new Set(ids.filter((id) => keys.has(keyOf(id))));
    },
    claim: (name) => database.claim(name),
    close: () => database.close(),
  };
}

/** The newest place of each chunk of each chunker; one without spans says nothing about one that has some. */
function placeArchived(chunks: readonly ChunkRecord[]): Map<string, readonly [id: string, json: string]> {
  const places = new Map<string, readonly [string, string]>();
  for (const chunk of chunks) {
    const key = keyOf(chunk.chunk_id, chunk.chunker_version ?? "");
    const json = jsonText(chunkPlaceOf(chunk), `chunk ${quote(chunk.chunk_id)}`);
    if (!places.has(key) || !json.includes(NO_SPANS)) places.set(key, [keyOf(chunk.chunk_id), json]);
  }
  return places;
}

const NO_SPANS = '"source_spans":[]';

function keysOf(ids: Iterable<string>): string[] {
  return [...new Set(ids)].map((id) => keyOf(id));
}

function placeIn(row: Readonly<Record<string, unknown>>): ChunkRecord {
  return parseJson(String(row["place_json"])) as ChunkRecord;
}
