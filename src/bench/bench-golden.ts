import type { GoldenSet } from "../schema/index.js";
import type { BenchFixture } from "./bench-fixture.js";

/** A fixture's cases as a golden set, so that the runs of a benchmark can be compared, gated and diagnosed like any others. */
export function benchGolden({ version, description, unit, cases }: BenchFixture): GoldenSet {
  return {
    ...(version !== null && { version }),
    ...(description !== "" && { description }),
    queries: cases.map(({ case_id, query, query_type, grades }) => ({
      id: case_id,
      query,
      query_type,
      judgments: [...grades].map(([item, grade]) => (unit === "chunk" ? { chunk_id: item, grade } : { doc_id: item, grade })),
    })),
  };
}
