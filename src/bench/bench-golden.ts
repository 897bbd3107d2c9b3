import type { BenchFixture } from "./bench-fixture.js";
import { type GoldenSet, RELEVANT_FROM } from "../records/index.js";

/**
 * A fixture's cases as a golden set, so that the runs of a benchmark can be compared, gated and diagnosed
 * like any others.
 */
export function benchGolden(fixture: BenchFixture): GoldenSet {
  const { version, description, unit, chunker_version, chunks, cases } = fixture;
  const documents = new Map(chunks.map(({ chunk_id, doc_id }) => [chunk_id, doc_id]));
  return {
    ...(version !== null && { version }),
    ...(description !== "" && { description }),
    ...(unit === "chunk" && { chunker_version }),
    queries: cases.map(({ case_id, query, query_type, grades }) => {
      const relevant = [...grades].filter(([, grade]) => grade >= RELEVANT_FROM).map(([item]) => item);
      return {
        id: case_id,
        query,
        query_type,
        ...(unit === "chunk"
          ? {
              expected_chunk_ids: relevant,
              expected_doc_ids: [...new Set(relevant.map((ref) => documents.get(ref) ?? ref))],
            }
          : { expected_doc_ids: relevant }),
        judgments: [...grades].map(([item, grade]) =>
          unit === "chunk" ? { chunk_id: item, grade } : { doc_id: item, grade },
        ),
      };
    }),
  };
}
