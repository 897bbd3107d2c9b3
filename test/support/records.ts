import type { Answer, EvalRun, GoldenQuery, QueryResult, SearchHit } from "../../src/records/index.js";

/** A hit of chunk `id` in the document that the id begins with: `d1#2` is a chunk of `d1`. */
export function hit(id: string, rank?: number, more: Partial<SearchHit> = {}): SearchHit {
  return { ...(rank === undefined ? {} : { rank }), chunk_id: id, doc_id: id.split("#")[0] ?? id, ...more };
}

export function result(
  query_id: string,
  hits_top_k: readonly SearchHit[],
  more: Partial<QueryResult> = {},
): QueryResult {
  return {
    query_id,
    query: `text of ${query_id}`,
    mode: "lexical",
    hits_top_k: [...hits_top_k],
    answer: null,
    elapsed_ms: 1,
    error: null,
    ...more,
  };
}

export function aRun(more: Partial<EvalRun> = {}): EvalRun {
  return {
    run_id: "run",
    suite: "golden",
    created_at: "2026-05-01T09:00:00Z",
    config_snapshot: {},
    results: [],
    ...more,
  };
}

export function query(id: string, more: Partial<GoldenQuery> = {}): GoldenQuery {
  return { id, query: `text of ${id}`, ...more };
}

export function answer(text: string, more: Partial<Answer> = {}): Answer {
  return { answer: text, grounded: true, citations: [], ...more };
}
