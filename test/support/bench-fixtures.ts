import type { FixtureCase, Paper, PaperFixture } from "../../src/records/index.js";

export function aPaper(more: Partial<Paper> = {}): Paper {
  return {
    paper_id: 1,
    title: "On Graphs",
    abstract: "We route queries.",
    structured_card: { method: "Routing.", findings: ["It works.", "It is fast."] },
    ...more,
  };
}

export function aCase(more: Partial<FixtureCase> = {}): FixtureCase {
  return {
    case_id: "c1",
    query: "query routing",
    query_type: "exact",
    top_k: 5,
    judgments: [{ paper_id: 1, chunk_ref: "1:abstract:0", relevance: 3 }],
    expected_paper_ids: [1],
    expected_chunk_refs: ["1:abstract:0"],
    ...more,
  };
}

/** A paper and a case; all kinds of queries but `exact` are missing. */
export function aFixture(more: Partial<PaperFixture> = {}): PaperFixture {
  return { version: "v1", description: "A fixture.", papers: [aPaper()], cases: [aCase()], ...more };
}
