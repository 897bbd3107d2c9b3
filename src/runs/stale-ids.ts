import { InputError, quote } from "../foundation/errors/index.js";
import {
  goldenQueries,
  listExpectedChunkIds,
  RELEVANT_FROM,
  type Golden,
  type GoldenQuery,
  type Judgment,
} from "../records/index.js";
import type { EvalStore } from "../storage/index.js";

/** An expected id that the knowledge base does not have. */
export interface StaleId {
  readonly query_id: string;
  readonly field: "expected_doc_ids" | "expected_chunk_ids" | "expected_spans" | "judgments";
  readonly id: string;
}

/** Whether a judgment makes an item relevant; what was judged not to be may well be gone. */
const isRelevant = ({ grade }: Judgment): boolean => grade >= RELEVANT_FROM;

/** The documents that a query expects, by the field that names them. */
function expectedDocuments({
  expected_doc_ids = [],
  expected_spans = [],
  judgments = [],
}: GoldenQuery): [StaleId["field"], string[]][] {
  return [
    ["expected_doc_ids", [...expected_doc_ids]],
    ["expected_spans", expected_spans.map(({ doc_id }) => doc_id)],
    ["judgments", judgments.filter(isRelevant).flatMap((one) => ("doc_id" in one ? [one.doc_id] : []))],
  ];
}

/** The chunks that a query expects, by the field that names them. */
function expectedChunks({
  expected_chunk_ids = [],
  judgments = [],
}: GoldenQuery): [StaleId["field"], string[]][] {
  return [
    ["expected_chunk_ids", [...expected_chunk_ids]],
    ["judgments", judgments.filter(isRelevant).flatMap((one) => ("chunk_id" in one ? [one.chunk_id] : []))],
  ];
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
    queries.flatMap((query) => expectedDocuments(query).flatMap(([, ids]) => ids)),
  );
  const stale = (
    query_id: string,
    expected: readonly [StaleId["field"], readonly string[]][],
    known: ReadonlySet<string>,
  ): StaleId[] =>
    expected.flatMap(([field, ids]) =>
      ids.filter((id) => !known.has(id)).map((id) => ({ query_id, field, id })),
    );
  return queries.flatMap((query) => [
    ...stale(query.id, expectedDocuments(query), documents),
    ...stale(query.id, expectedChunks(query), chunks),
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
      `${stale.length} stale id${stale.length === 1 ? "" : "s"}; fix the golden set, or index the ` +
        "documents again",
    ].join("\n"),
    { stale },
  );
}
