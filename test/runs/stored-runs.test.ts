import { describe, expect, it } from "vitest";
import { computeAggregate } from "../../src/index.js";
import { aggregateStoredRun, compareStoredRuns, importRun, storeAggregate } from "../../src/runs/index.js";
import { memoryStore, type EvalStore } from "../../src/storage/index.js";
import { answer, aRun, hit, query, result } from "../support/records.js";

const lines = (start: number, end: number) => [{ kind: "line" as const, start, end }];
const golden = [query("q", { expected_chunk_ids: ["d#1"] })];

async function storeOf(...ids: string[]): Promise<EvalStore> {
  const store = memoryStore();
  for (const run_id of ids)
    await store.saveRun(
      aRun({
        run_id,
        results: [
          result("q", [hit("d#1")], {
            answer: answer("x", { citations: [{ citation: { kind: "line", path: "d", start: 2, end: 2 } }] }),
          }),
        ],
      }),
    );
  return store;
}

describe("stored runs", () => {
  it("an aggregate is written into its run's row, unless told not to", async () => {
    const store = await storeOf("r");
    const aggregate = await aggregateStoredRun(store, "r", golden, { write: false });
    expect(await store.loadAggregate("r")).toBeNull();
    expect(await aggregateStoredRun(store, "r", golden)).toEqual(aggregate);
    expect(JSON.stringify(await store.loadAggregate("r"))).toBe(JSON.stringify(aggregate));
  });
  it("a run that does not exist is an error with the nearest ids", async () => {
    const store = await storeOf("baseline", "candidate");
    await expect(storeAggregate(store, "basline", computeAggregate(aRun(), []))).rejects.toMatchObject({
      code: "STORE_RUN_NOT_FOUND",
      message: "there is no run `basline` in the store; did you mean `baseline`?",
    });
    await expect(compareStoredRuns(store, "baseline", "zzz", golden)).rejects.toMatchObject({
      message: "there is no run `zzz` in the store; the store has `baseline`, `candidate`",
    });
    await expect(aggregateStoredRun(memoryStore(), "r", golden)).rejects.toMatchObject({
      message: "there is no run `r` in the store; the store has no runs",
    });
  });
  it("citations are checked against the store's chunks, and not at all where it has none", async () => {
    const store = await storeOf("r");
    expect((await aggregateStoredRun(store, "r", golden)).citation_coverage).toBeNull();
    await store.saveChunks([{ chunk_id: "d#1", doc_id: "d", source_spans: lines(1, 5) }]);
    expect((await aggregateStoredRun(store, "r", golden)).citation_coverage).toBe(1);
    await store.saveChunks([{ chunk_id: "d#1", doc_id: "d", source_spans: lines(50, 55) }]);
    expect((await aggregateStoredRun(store, "r", golden)).citation_coverage).toBe(0);
  });
  it("a chunk that only a hit speaks of is no real chunk: it resolves no citation", async () => {
    const store = memoryStore();
    await store.saveChunks([{ chunk_id: "d#1", doc_id: "d" }]);
    const ghost = result("q", [hit("ghost#1", 1, { source_spans: lines(1, 2) })], {
      answer: answer("x", { citations: [{ citation: { chunk_id: "ghost#1" } }] }),
    });
    await importRun(store, aRun({ run_id: "r", results: [ghost] }));
    expect((await aggregateStoredRun(store, "r", golden)).citation_coverage).toBe(0);
  });
  it(
    "hits without spans are compared by those of the knowledge base, also after it was indexed " +
      "again, twice",
    async () => {
      const store = memoryStore();
      const record = async (run_id: string, version: string, id: string, start: number, end: number) => {
        await store.saveChunks([
          { chunk_id: id, doc_id: "d", source_spans: lines(start, end), chunker_version: version },
        ]);
        await importRun(
          store,
          aRun({
            run_id,
            config_snapshot: { chunker_version: version },
            results: [result("q", [{ chunk_id: id, doc_id: "d" }])],
          }),
          { golden },
        );
      };
      await record("r1", "v1", "d#1", 1, 10);
      await record("r2", "v2", "mid", 1, 12);
      await record("r3", "v3", "new", 2, 11);
      for (const [a, b] of [
        ["r1", "r2"],
        ["r1", "r3"],
        ["r2", "r3"],
      ] as const)
        expect((await compareStoredRuns(store, a, b, golden)).counts).toEqual({
          win: 0,
          loss: 0,
          regression: 0,
          draw: 1,
        });
    },
  );
  it(
    "weeks later, after indexing again, an imported run is compared by the places that were " + "archived",
    async () => {
      const store = memoryStore();
      await store.saveChunks([
        { chunk_id: "d#1", doc_id: "d", source_spans: lines(1, 10), chunker_version: "v1" },
      ]);
      await importRun(
        store,
        aRun({
          run_id: "old",
          config_snapshot: { chunker_version: "v1" },
          results: [result("q", [hit("x#1")])],
        }),
        { golden },
      );
      await store.saveChunks([
        { chunk_id: "d@a", doc_id: "d", source_spans: lines(3, 7), chunker_version: "v2" },
      ]);
      await importRun(
        store,
        aRun({
          run_id: "new",
          config_snapshot: { chunker_version: "v2" },
          results: [result("q", [{ chunk_id: "d@a", doc_id: "d" }])],
        }),
      );
      const report = await compareStoredRuns(store, "old", "new", golden);
      expect(report.per_query).toMatchObject([{ kind: "win", a_hit_rank: null, b_hit_rank: 1 }]);
      expect(report.fallback_queries).toBe(0);
    },
  );
});
