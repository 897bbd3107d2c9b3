import { expect, it } from "vitest";
import { listReworded } from "../../src/runs/index.js";

it("queries that were worded otherwise are listed in golden order; white space says nothing", () => {
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
  expect(listReworded({ results }, golden)).toEqual(["c", "__proto__"]);
});
