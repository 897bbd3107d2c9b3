import { AdapterError, quote } from "../foundation/errors/index.js";
import { parseJson } from "../foundation/text/index.js";
import { compareIds } from "../foundation/ids/index.js";
import type { AggregateMetrics, ChunkRecord, EvalRun } from "../records/index.js";
import { checkChunkQuery, checkCorpus, checkSave } from "./check-given.js";
import { chunkPlaceOf, jsonText, runExists, type EvalStore, type RunSummary } from "./eval-store.js";

function parse(texts: Iterable<string>): ChunkRecord[] {
  return [...texts].map((text) => parseJson(text) as ChunkRecord);
}

/** A place under its key: one for each chunk of each chunker. */
function archiveEntry(chunk: ChunkRecord): readonly [key: string, place: string] {
  return [
    JSON.stringify([chunk.chunk_id, chunk.chunker_version ?? ""]),
    jsonText(chunkPlaceOf(chunk), `chunk ${quote(chunk.chunk_id)}`),
  ];
}

function summaryOf(run: EvalRun, aggregates: ReadonlyMap<string, string>): RunSummary {
  const { run_id, suite, created_at, commit_hash, results, incomplete } = run;
  return {
    run_id,
    suite,
    created_at,
    commit_hash: commit_hash ?? null,
    total_queries: results.length,
    failed_queries: results.filter(({ error }) => error != null).length,
    has_aggregate: aggregates.has(run_id),
    is_incomplete: incomplete === true,
  };
}

function byTime(a: RunSummary, b: RunSummary): number {
  return compareIds(a.created_at, b.created_at) || compareIds(a.run_id, b.run_id);
}

/** A store that lives as long as the program: for tests, for the browser, for one comparison of two files. */
export function memoryStore(): EvalStore {
  // JSON text, so that no object is shared with the store.
  const runs = new Map<string, string>();
  const aggregates = new Map<string, string>();
  const archive = new Map<string, string>();
  let chunks: readonly string[] = [];
  let closed = false;
  const open = (): void => {
    if (closed) throw new AdapterError("STORE_CLOSED", "the store is closed; open a new one");
  };
  return {
    async saveRun(run, options) {
      open();
      const { replace, archive: places } = checkSave(run, options);
      const text = jsonText(run, `run ${quote(run.run_id)}`);
      const kept = places.map(archiveEntry);
      if (runs.has(run.run_id) && !replace) throw runExists(run.run_id, "memory");
      runs.set(run.run_id, text);
      aggregates.delete(run.run_id);
      // A place without spans says nothing about an older one that has some.
      for (const [key, place] of kept)
        if (!archive.has(key) || !place.includes('"source_spans":[]')) archive.set(key, place);
    },
    async loadRun(runId) {
      open();
      const text = runs.get(runId);
      return text === undefined ? null : (parseJson(text) as EvalRun);
    },
    async listRuns() {
      open();
      const all = [...runs.values()].map((text) => parseJson(text) as EvalRun);
      return all.map((run) => summaryOf(run, aggregates)).sort(byTime);
    },
    async deleteRun(runId) {
      open();
      aggregates.delete(runId);
      return runs.delete(runId);
    },
    async writeAggregate(runId, aggregate) {
      open();
      if (!runs.has(runId)) return false;
      aggregates.set(runId, jsonText(aggregate, `the scores of run ${quote(runId)}`));
      return true;
    },
    async loadAggregate(runId) {
      open();
      const text = aggregates.get(runId);
      return text === undefined ? null : (parseJson(text) as AggregateMetrics);
    },
    async saveChunks(records) {
      open();
      checkCorpus(records);
      chunks = records.map((chunk) => JSON.stringify(chunkPlaceOf(chunk)));
    },
    async hasCorpus() {
      open();
      return chunks.length > 0;
    },
    async findChunks(query) {
      open();
      const { chunkIds, docPaths } = checkChunkQuery(query);
      const ids = new Set(chunkIds);
      const paths = new Set(docPaths);
      return parse(chunks).filter(({ chunk_id: id, doc_path }) => ids.has(id) || paths.has(doc_path ?? ""));
    },
    async findArchivedChunks(chunkIds) {
      open();
      const ids = new Set(chunkIds);
      return parse(archive.values()).filter(({ chunk_id }) => ids.has(chunk_id));
    },
    async findKnownDocuments(docIds) {
      open();
      const documents = new Set(parse(chunks).map(({ doc_id }) => doc_id));
      return new Set([...docIds].filter((id) => documents.has(id)));
    },
    async close() {
      closed = true;
    },
  };
}
