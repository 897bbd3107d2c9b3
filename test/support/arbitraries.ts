import fc from "fast-check";
import type { EvalRun, GoldenQuery, QueryResult, SearchHit, Span } from "../../src/records/index.js";

const CASES = Number(process.env["RANKPROOF_LAW_RUNS"] ?? 100);

/** @param share of the usual number of cases, for laws that take long. */
export const lawRuns = (share: number): { numRuns: number } => ({ numRuns: Math.ceil(share * CASES) });

/** Cases per law: 100 by default, more in the deep suite. */
export const LAW_RUNS = lawRuns(1);

const DOCS = ["d0", "__proto__", "constructor", "документ", "10"];
const CHUNKS_PER_DOC = 4;
const LINES_PER_CHUNK = 3;

/** Every chunk of a small knowledge base; those of one document are disjoint. */
export const CHUNKS = DOCS.flatMap((doc_id) =>
  Array.from({ length: CHUNKS_PER_DOC }, (_, index) => {
    const start = 1 + index * LINES_PER_CHUNK;
    const source_spans: Span[] = [{ kind: "line", start, end: start + LINES_PER_CHUNK - 1 }];
    return {
      chunk_id: `${doc_id}#${index}`,
      doc_id,
      doc_path: `${doc_id}.md`,
      source_spans,
      chunker_version: "v1",
    };
  }),
);
const QUERY_IDS = ["q1", "q2", "__proto__", "🙂", "\u05d0", "toString", "q7"];
const WORDS = ["alpha", "beta", "gamma", "e\u0301", "\u00e9"];

const docIds = fc.subarray(DOCS);
const chunkIds = fc.subarray(
  CHUNKS.map(({ chunk_id }) => chunk_id),
  { maxLength: 5 },
);

function goldenQuery(id: string): fc.Arbitrary<GoldenQuery> {
  return fc
    .record(
      {
        expected_doc_ids: docIds,
        expected_chunk_ids: chunkIds,
        must_contain: fc.subarray(WORDS),
        forbidden: fc.subarray(WORDS, { maxLength: 1 }),
        expected_refusal: fc.boolean(),
      },
      { requiredKeys: [] },
    )
    .map((labels) => ({ id, query: `text of ${id}`, ...labels }));
}

/** A golden set of up to seven queries, in any order, with any labels. */
export const goldenSet: fc.Arbitrary<GoldenQuery[]> = fc
  .shuffledSubarray(QUERY_IDS, { minLength: 1 })
  .chain((ids) => fc.tuple(...ids.map(goldenQuery)));

/** Hits of different chunks at rising ranks, with gaps. */
const hits: fc.Arbitrary<SearchHit[]> = fc.shuffledSubarray(CHUNKS, { maxLength: 14 }).chain((chunks) =>
  fc
    .array(fc.integer({ min: 1, max: 2 }), { minLength: chunks.length, maxLength: chunks.length })
    .map((steps) => {
      let rank = 0;
      return chunks.map((chunk, index) => ({ ...chunk, rank: (rank += steps[index] ?? 1) }));
    }),
);

const citation = fc.constantFrom(...CHUNKS).chain(({ chunk_id, doc_path }) =>
  fc.oneof(
    fc.constant({ citation: { chunk_id } }),
    fc
      .integer({ min: 1, max: 20 })
      .map((start) => ({ citation: { kind: "line" as const, path: doc_path, start, end: start } })),
  ),
);

function queryResult(query_id: string): fc.Arbitrary<QueryResult> {
  return fc.record({
    query_id: fc.constant(query_id),
    query: fc.constant(`text of ${query_id}`),
    mode: fc.constant("any"),
    hits_top_k: hits,
    answer: fc.option(
      fc.record({
        answer: fc.subarray(WORDS).map((words) => words.join(" ")),
        grounded: fc.boolean(),
        citations: fc.array(citation, { maxLength: 2 }),
      }),
    ),
    elapsed_ms: fc.double({ min: 0, max: 1000, noNaN: true }),
    error: fc.option(fc.constant("failed"), { freq: 4 }),
  });
}

/** A run over any of the queries, and one outside every golden set. */
export const evalRun: fc.Arbitrary<EvalRun> = fc
  .shuffledSubarray([...QUERY_IDS, "outside"])
  .chain((ids) => fc.tuple(...ids.map(queryResult)))
  .map((results) => ({
    run_id: "run",
    suite: "golden",
    created_at: "2026-05-01T09:00:00Z",
    config_snapshot: { chunker_version: "v1" },
    results,
  }));

/** The same list in another order. */
export function shuffled<T>(list: readonly T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray([...list], { minLength: list.length });
}
