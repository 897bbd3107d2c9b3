import { describe, expect, it } from "vitest";
import { runRetriever } from "../../src/retrieve/index.js";
import type { EvalRun, QueryResult } from "../../src/records/index.js";
import { rankByScore } from "../../src/records/scored-run.js";

const run = (...results: QueryResult[]): EvalRun => ({
  run_id: "r",
  suite: "s",
  created_at: "",
  config_snapshot: {},
  results,
});
const hit = (chunk_id: string, rank?: number): QueryResult["hits_top_k"][number] => ({
  chunk_id,
  doc_id: "d",
  ...(rank !== undefined && { rank }),
});
const idsOf = (hits: readonly { chunk_id: string }[]): string[] => hits.map(({ chunk_id }) => chunk_id);

describe("runRetriever", () => {
  const recorded = runRetriever(
    run(
      {
        query_id: "q1",
        query: "wing lift",
        hits_top_k: [hit("b", 2), hit("a", 1), hit("c", 4), hit("a", 3)],
      },
      { query_id: "__proto__", query: "garden", hits_top_k: [hit("g")] },
    ),
  );

  it("looks up by id, else by words, else finds nothing", async () => {
    expect(idsOf(await recorded.search("garden", { limit: 9, queryId: "q1" }))).toEqual(["a", "b", "c"]);
    expect(idsOf(await recorded.search("garden", { limit: 9 }))).toEqual(["g"]);
    expect(idsOf(await recorded.search("anything", { limit: 9, queryId: "__proto__" }))).toEqual(["g"]);
    expect(idsOf(await recorded.search("wing lift", { limit: 9, queryId: "unknown" }))).toEqual([
      "a",
      "b",
      "c",
    ]);
    expect(await recorded.search("constructor", { limit: 9 })).toEqual([]);
  });
  it("has hits in the order of their ranks, which they keep, each chunk once", async () => {
    expect(await recorded.search("", { limit: 9, queryId: "q1" })).toEqual([
      hit("a", 1),
      hit("b", 2),
      hit("c", 4),
    ]);
    expect(idsOf(await recorded.search("", { limit: 2, queryId: "q1" }))).toEqual(["a", "b"]);
  });
  it("takes rankings of ids with scores, by query id only", async () => {
    const retriever = runRetriever(new Map([["q", rankByScore(["x", "y"], [1, 2])]]));
    expect(await retriever.search("any", { limit: 9, queryId: "q" })).toEqual([
      { rank: 1, chunk_id: "y", doc_id: "y", score: 2 },
      { rank: 2, chunk_id: "x", doc_id: "x", score: 1 },
    ]);
    expect(await retriever.search("any", { limit: 9, queryId: "other" })).toEqual([]);
    expect(() => retriever.search("any", { limit: 9 })).toThrow(
      "a run without words can only be asked by query id, got none for `any`",
    );
  });
  it("fails again for a query that failed when it was recorded", () => {
    expect(() =>
      runRetriever(run({ query_id: "q", query: "w", hits_top_k: [], error: "timeout" })).search("w", {
        limit: 1,
      }),
    ).toThrow("query `q` failed when it was recorded: timeout");
  });
  it("refuses a limit of 0", () => {
    expect(() => recorded.search("garden", { limit: 0 })).toThrow(
      "limit must be a whole number from 1, got `0`",
    );
  });
});
