import { computeAggregate } from "../golden/index.js";
import type { ChunkRecord, EvalRun } from "../records/index.js";

/** A run of which stores lose something easily. */
export const run: EvalRun = {
  run_id: "baseline",
  suite: "golden",
  created_at: "2026-05-01T09:00:00Z",
  commit_hash: "0f1e2d",
  config_snapshot: { chunker_version: "para@1", nested: { list: [1, null, "x"], text: "naïve 文 🙂" } },
  results: [
    {
      query_id: "q-2",
      query: "second",
      mode: "lexical",
      hits_top_k: [
        { rank: 1, chunk_id: "c1", doc_id: "d1", heading_path: ["kept"], score: 0.1 + 0.2 },
        ...Array.from({ length: 24 }, (_, at) => ({ rank: at + 2, chunk_id: `e${24 - at}`, doc_id: "d1" })),
      ],
      answer: null,
      elapsed_ms: 1.25,
      error: null,
    },
    {
      query_id: "__proto__",
      query: "an id like any other",
      mode: "lexical",
      hits_top_k: [],
      answer: { answer: "no", grounded: false, citations: [] },
      elapsed_ms: 0,
      error: "late",
    },
    { query_id: "q-1", hits_top_k: [] },
  ],
  extra_of_another_program: { kept: true },
};

/** Places of two documents. */
export const chunks: ChunkRecord[] = [
  {
    chunk_id: "c1",
    doc_id: "d1",
    doc_path: "a.md",
    source_spans: [{ kind: "line", start: 1, end: 3 }],
    chunker_version: "para@1",
  },
  {
    chunk_id: "c2",
    doc_id: "d1",
    doc_path: "a.md",
    source_spans: [
      { kind: "byte", start: 4, end: 6 },
      { kind: "page", page: 2, char_start: 1 },
    ],
    chunker_version: "para@1",
  },
  { chunk_id: "c3", doc_id: "d2", doc_path: "b.md", source_spans: [], chunker_version: "para@1" },
];

/** The scores of the run. */
export const aggregate = computeAggregate(run, [{ id: "q-2", query: "second", expected_chunk_ids: ["c1"] }]);

/** Ids that some engines, and some code, take for something else or for one another. */
export const ODD_IDS = [
  "__proto__",
  "constructor",
  "10",
  "../../x",
  "a b",
  "🙂",
  "\u05d0\u200f",
  "'; DROP TABLE eval_runs; --",
  "run",
  "RUN",
  " run",
  "run ",
  "caf\u00e9",
  "cafe\u0301",
];

/** Chunks in an order of their own. */
export const byId = (list: readonly ChunkRecord[]): ChunkRecord[] =>
  [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
