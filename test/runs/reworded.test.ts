import { expect, it } from "vitest";
import { describeReworded } from "../../src/runs/index.js";

it("queries that were worded otherwise are named in golden order; white space says nothing", () => {
  const golden = [
    { id: "b", query: "who pays?" },
    { id: "a", query: "caf\u00e9  menu" },
    { id: "c", query: "new words" },
    { id: "__proto__", query: "other" },
    { id: "unasked", query: "x" },
  ];
  const results = [
    { query_id: "c", query: "old words", hits_top_k: [] },
    { query_id: "a", query: " cafe\u0301 menu", hits_top_k: [] },
    { query_id: "b", query: null, hits_top_k: [] },
    { query_id: "__proto__", query: "one", hits_top_k: [] },
    { query_id: "outside", query: "y", hits_top_k: [] },
  ];
  const run = { run_id: "old", results };
  expect(describeReworded(run, golden)).toMatch(
    /^2 queries were worded otherwise when old was recorded, .*: `c`, `__proto__`; record it again/,
  );
  expect(describeReworded({ ...run, results: results.slice(1, 3) }, golden)).toBeNull();
});
