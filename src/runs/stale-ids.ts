import { InputError, quote } from "../foundation/errors/index.js";
import { listExpectedChunkIds, goldenQueries, type Golden } from "../records/index.js";
import type { EvalStore } from "../storage/index.js";

/** An expected id that the knowledge base does not have. */
export interface StaleId {
  readonly query_id: string;
  readonly field: "expected_doc_ids" | "expected_chunk_ids";
  readonly id: string;
}

/**
 * Expected ids that are neither in the knowledge base of a store nor in its archive, in golden order. Empty,
 * too, when the store has no knowledge base to look in.
 */
export async function findStaleIds(store: EvalStore, golden: Golden): Promise<StaleId[]> {
  if (!(await store.hasCorpus())) return [];
  const queries = goldenQueries(golden);
  const expected = listExpectedChunkIds(golden);
  // A chunk of an earlier chunker is gone from the knowledge base, and still good for comparing by its place.
  const chunks = new Set(
    [...(await store.findChunks({ chunkIds: expected })), ...(await store.findArchivedChunks(expected))].map(
      ({ chunk_id }) => chunk_id,
    ),
  );
  const documents = await store.findKnownDocuments(
    queries.flatMap(({ expected_doc_ids = [] }) => expected_doc_ids),
  );
  const stale = (
    query_id: string,
    field: StaleId["field"],
    ids: readonly string[],
    known: ReadonlySet<string>,
  ): StaleId[] => ids.filter((id) => !known.has(id)).map((id) => ({ query_id, field, id }));
  return queries.flatMap(({ id, expected_doc_ids = [], expected_chunk_ids = [] }) => [
    ...stale(id, "expected_doc_ids", expected_doc_ids, documents),
    ...stale(id, "expected_chunk_ids", expected_chunk_ids, chunks),
  ]);
}

/** The error that lists every stale id. */
export function staleIdsError(stale: readonly StaleId[]): InputError {
  const lines = stale.map(
    ({ query_id, field, id }) =>
      `query ${quote(query_id)}: ${field} has ${quote(id)}, which the knowledge base does not have`,
  );
  return new InputError(
    "GOLDEN_STALE_IDS",
    [
      ...lines,
      `${stale.length} stale id${stale.length === 1 ? "" : "s"}; mend the golden set, or index the ` +
        "documents again",
    ].join("\n"),
    { stale },
  );
}
