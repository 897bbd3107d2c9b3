import type { ChunkRecord, EvalRun, QueryResult } from "../records/index.js";
import type { EvalStore } from "../storage/index.js";
import { findsChunks, keepsKnowledgeBase } from "./chunk-contract.js";
import { aggregate, byId, chunks, ODD_IDS, run } from "./kept-records.js";
import type { TestRunner } from "./test-runner.js";

type MakeStore = () => Promise<EvalStore>;

/**
 * The contract of {@link EvalStore}, as tests that every adapter must pass:
 * `storeContract({ describe, it, expect }, "my store", async () => myStore())`.
 *
 * @param makeStore makes a new and empty store; called once per test.
 */
export function storeContract(runner: TestRunner, name: string, makeStore: () => Promise<EvalStore>): void {
  runner.describe(`${name} keeps the contract of a store`, () => {
    keepsRuns(runner, makeStore);
    replacesRuns(runner, makeStore);
    keepsBrokenIds(runner, makeStore);
    refusesRuns(runner, makeStore);
    keepsAggregates(runner, makeStore);
    findsChunks(runner, makeStore);
    keepsKnowledgeBase(runner, makeStore);
    staysUsable(runner, makeStore);
  });
}

function keepsRuns({ it, expect }: TestRunner, makeStore: MakeStore): void {
  it("gives back a run as it was saved: order, unknown fields, odd ids, every bit of a number", async () => {
    const store = await makeStore();
    await store.saveRun(run);
    const loaded = await store.loadRun("baseline");
    expect(JSON.stringify(loaded?.results)).toEqual(JSON.stringify(run.results));
    expect(loaded).toEqual(run);
  });

  it("does not share objects with its caller", async () => {
    const store = await makeStore();
    const mine = structuredClone(run);
    await store.saveRun(mine);
    (mine.results as QueryResult[]).length = 0;
    const loaded = await store.loadRun("baseline");
    (loaded?.results as QueryResult[]).pop();
    expect(await store.loadRun("baseline")).toEqual(run);
    const places = structuredClone(chunks);
    const scores = structuredClone(aggregate);
    await store.saveChunks(places);
    await store.saveRun({ ...run, run_id: "other" }, { archive: places });
    await store.writeAggregate("other", scores);
    const spoil = (found: readonly ChunkRecord[] | typeof scores): void => {
      for (const each of Array.isArray(found) ? (found as ChunkRecord[]) : [found])
        Object.assign(each, { doc_id: "spoilt", total_queries: -1 });
    };
    spoil(places);
    spoil(scores);
    const find = async (): Promise<unknown[]> => [
      byId(await store.findChunks({ chunkIds: ["c1", "c2", "c3"] })),
      byId(await store.findArchivedChunks(["c1", "c2", "c3"])),
      await store.loadAggregate("other"),
    ];
    const right = [byId(chunks), byId(chunks), aggregate];
    expect(await find()).toEqual(right);
    spoil(await store.findChunks({ chunkIds: ["c1"] }));
    spoil(await store.findArchivedChunks(["c1"]));
    spoil((await store.loadAggregate("other")) ?? []);
    expect(await find()).toEqual(right);
  });

  it("gives null for a run that is not there", async () => {
    const store = await makeStore();
    expect(await store.loadRun("baseline")).toEqual(null);
    await store.saveRun(run);
    for (const other of ["baseline ", " baseline", "Baseline", "base%", "baselin_"])
      expect(await store.loadRun(other)).toEqual(null);
  });

  it("keeps runs whose ids look like something else apart, with their aggregates", async () => {
    const store = await makeStore();
    for (const run_id of ODD_IDS) await store.saveRun(runNamed(run_id));
    for (const run_id of ODD_IDS) await store.writeAggregate(run_id, aggregateNamed(run_id));
    expect((await store.listRuns()).length).toEqual(ODD_IDS.length);
    for (const [at, run_id] of ODD_IDS.entries()) {
      const left = ODD_IDS.slice(at);
      for (const id of left) {
        expect((await store.loadRun(id))?.results).toEqual(runNamed(id).results);
        expect((await store.loadAggregate(id))?.["run_id"]).toEqual(id);
      }
      expect(await store.deleteRun(run_id)).toEqual(true);
      expect((await store.listRuns()).length).toEqual(left.length - 1);
    }
  });
}

/** A run that has its id in its results. */
function runNamed(run_id: string): EvalRun {
  return { ...run, run_id, results: [{ query_id: run_id, hits_top_k: [] }] };
}

function aggregateNamed(run_id: string): typeof aggregate {
  return { ...aggregate, run_id };
}

function replacesRuns({ it, expect }: TestRunner, makeStore: MakeStore): void {
  it("refuses to overwrite a run unless told to, and then forgets its aggregate", async () => {
    const store = await makeStore();
    await store.saveRun(run);
    await store.writeAggregate("baseline", aggregate);
    await store.saveRun({ ...run, run_id: "other" });
    expect(await store.loadAggregate("baseline")).toEqual(aggregate);
    await expect(store.saveRun({ ...run, results: [] })).rejects.toMatchObject({
      code: "STORE_RUN_EXISTS",
    });
    expect((await store.loadRun("baseline"))?.results.length).toEqual(3);
    const results = [{ query_id: "q-1", hits_top_k: [{ chunk_id: "c2", doc_id: "d1" }] }];
    await store.saveRun({ ...run, results }, { replace: true, archive: chunks.slice(0, 1) });
    expect((await store.loadRun("baseline"))?.results).toEqual(results);
    expect(await store.loadAggregate("baseline")).toEqual(null);
    expect(await store.findArchivedChunks(["c1", "c2"])).toEqual(chunks.slice(0, 1));
  });

  it("replaces a run as a whole: a field that is gone is gone", async () => {
    const store = await makeStore();
    await store.saveRun({ ...run, incomplete: true, extra: "kept with it" });
    await store.saveRun(run, { replace: true });
    expect(await store.loadRun("baseline")).toEqual(run);
    expect((await store.listRuns())[0]?.is_incomplete).toEqual(false);
  });

  it("changes nothing where it refuses", async () => {
    const store = await makeStore();
    await store.saveRun(run);
    await store.writeAggregate("baseline", aggregate);
    const [first] = run.results;
    const archive = chunks.slice(0, 1);
    const twice = { ...run, results: [first, first] as EvalRun["results"] };
    await expect(store.saveRun(twice, { replace: true, archive })).rejects.toMatchObject({
      code: "RUN_DUPLICATE_QUERY",
    });
    await expect(
      store.saveRun({ ...run, config_snapshot: { value: 1n } }, { replace: true, archive }),
    ).rejects.toMatchObject({ code: "RUN_SHAPE" });
    await expect(
      store.saveRun({ ...run, config_snapshot: { value: NaN } }, { replace: true, archive }),
    ).rejects.toMatchObject({ code: "RUN_SHAPE" });
    await expect(store.saveRun(run, { archive })).rejects.toMatchObject({ code: "STORE_RUN_EXISTS" });
    expect(await store.loadRun("baseline")).toEqual(run);
    expect(await store.loadAggregate("baseline")).toEqual(aggregate);
    expect(await store.findArchivedChunks(["c1"])).toEqual([]);
  });
}

/** Texts that some engines cut or make the same. */
const BROKEN = ["a", "a\0b", "a\0c", "\ud800", "\udc00", "\ufffd", '\ufdd0"a"'];

function keepsBrokenIds({ it, expect }: TestRunner, makeStore: MakeStore): void {
  it("keeps ids with null characters and halves of characters apart", async () => {
    const store = await makeStore();
    const results = BROKEN.map((id) => ({ query_id: id, hits_top_k: [{ chunk_id: id, doc_id: id }] }));
    const places = BROKEN.map((id) => ({ chunk_id: id, doc_id: id, doc_path: `${id}.md`, source_spans: [] }));
    await store.saveChunks(places);
    await store.saveRun({ ...run, results }, { archive: places });
    expect((await store.loadRun(run.run_id))?.results).toEqual(results);
    expect(byId(await store.findChunks({ chunkIds: BROKEN }))).toEqual(byId(places));
    expect(byId(await store.findChunks({ docPaths: ["a\0b.md"] }))).toEqual([places[1]]);
    expect(byId(await store.findArchivedChunks(BROKEN))).toEqual(byId(places));
    expect((await store.findKnownDocuments(BROKEN)).size).toEqual(BROKEN.length);
  });
}

function refusesRuns({ it, expect }: TestRunner, makeStore: MakeStore): void {
  it("refuses run ids that could not be given back", async () => {
    const store = await makeStore();
    for (const run_id of ["", "a\0b", "\ud800", 5 as never])
      await expect(store.saveRun({ ...run, run_id })).rejects.toMatchObject({ code: "RUN_ID" });
  });

  it("refuses a run with two results for one query, and records that JSON cannot hold", async () => {
    const store = await makeStore();
    const [first] = run.results;
    await expect(
      store.saveRun({ ...run, results: [first, first] as EvalRun["results"] }),
    ).rejects.toMatchObject({ code: "RUN_DUPLICATE_QUERY" });
    class OfGetters {
      get query_id(): string {
        return "q";
      }
    }
    for (const value of [
      new OfGetters(),
      1n,
      new Map([["k", 1]]),
      new Set([1]),
      /x/,
      new Error("x"),
      [undefined],
      [() => 1],
    ])
      await expect(store.saveRun({ ...run, config_snapshot: { value } })).rejects.toMatchObject({
        code: "RUN_SHAPE",
      });
    expect(await store.listRuns()).toEqual([]);
  });
}

function keepsAggregates({ it, expect }: TestRunner, makeStore: MakeStore): void {
  it("lists runs by time, then by id, and says which were cut short", async () => {
    const store = await makeStore();
    await store.saveRun({ ...run, run_id: "b" });
    const cut = { created_at: "2026-05-02T09:00:00Z", results: [], incomplete: true };
    await store.saveRun({ ...run, run_id: "late", ...cut });
    await store.saveRun({ ...run, run_id: "a" });
    await store.saveRun({ ...run, run_id: "Z" });
    await store.writeAggregate("a", aggregate);
    expect((await store.loadRun("late"))?.incomplete).toEqual(true);
    const [first, ...others] = await store.listRuns();
    // By their bytes, whatever the language of a database.
    expect(first?.run_id).toEqual("Z");
    expect(others).toEqual([
      {
        run_id: "a",
        suite: "golden",
        created_at: "2026-05-01T09:00:00Z",
        commit_hash: "0f1e2d",
        total_queries: 3,
        failed_queries: 1,
        has_aggregate: true,
        is_incomplete: false,
      },
      {
        run_id: "b",
        suite: "golden",
        created_at: "2026-05-01T09:00:00Z",
        commit_hash: "0f1e2d",
        total_queries: 3,
        failed_queries: 1,
        has_aggregate: false,
        is_incomplete: false,
      },
      {
        run_id: "late",
        suite: "golden",
        created_at: "2026-05-02T09:00:00Z",
        commit_hash: "0f1e2d",
        total_queries: 0,
        failed_queries: 0,
        has_aggregate: false,
        is_incomplete: true,
      },
    ]);
  });

  it("deletes a run with its results and its aggregate, and says whether there was one", async () => {
    const store = await makeStore();
    await store.saveRun(run);
    await store.writeAggregate("baseline", aggregate);
    expect(await store.deleteRun("baseline")).toEqual(true);
    expect(await store.deleteRun("baseline")).toEqual(false);
    expect(await store.loadRun("baseline")).toEqual(null);
    expect(await store.loadAggregate("baseline")).toEqual(null);
    // Nothing of it comes back with another run of its name.
    const fewer = { ...run, results: run.results.slice(0, 1) };
    await store.saveRun(fewer);
    expect(await store.loadRun("baseline")).toEqual(fewer);
    expect(await store.loadAggregate("baseline")).toEqual(null);
  });

  it("gives back an aggregate byte for byte, and writes none without its run", async () => {
    const store = await makeStore();
    expect(await store.writeAggregate("baseline", aggregate)).toEqual(false);
    await store.saveRun(run);
    expect(await store.loadAggregate("baseline")).toEqual(null);
    expect(await store.writeAggregate("baseline", aggregate)).toEqual(true);
    expect(JSON.stringify(await store.loadAggregate("baseline"))).toEqual(JSON.stringify(aggregate));
    const again = { ...aggregate, mrr: 0.25 };
    expect(await store.writeAggregate("baseline", again)).toEqual(true);
    expect(JSON.stringify(await store.loadAggregate("baseline"))).toEqual(JSON.stringify(again));
    // As a whole: what is in the new one alone counts.
    await store.writeAggregate("baseline", { ...aggregate, metrics: { RR: 1 } });
    await store.writeAggregate("baseline", aggregate);
    expect(JSON.stringify(await store.loadAggregate("baseline"))).toEqual(JSON.stringify(aggregate));
  });
}

function staysUsable({ it, expect }: TestRunner, makeStore: MakeStore): void {
  it("takes calls that overlap, and mixes nothing up", async () => {
    const store = await makeStore();
    const ids = Array.from({ length: 20 }, (_, index) => `run-${index}`);
    const allOf = <T>(call: (id: string) => Promise<T>): Promise<T[]> => Promise.all(ids.map(call));
    await allOf((id) => store.saveRun(runNamed(id)));
    await allOf((id) => store.writeAggregate(id, aggregateNamed(id)));
    expect((await store.listRuns()).length).toEqual(ids.length);
    expect((await allOf((id) => store.loadRun(id))).map((each) => each?.results)).toEqual(
      ids.map((id) => runNamed(id).results),
    );
    expect((await allOf((id) => store.loadAggregate(id))).map((each) => each?.["run_id"])).toEqual(ids);
  });

  it("has a run as it was or as it will be, and nothing in between, while it is replaced", async () => {
    const store = await makeStore();
    await store.saveRun(run);
    const later = runNamed(run.run_id);
    const saving = store.saveRun(later, { replace: true });
    const seen = await Promise.all(Array.from({ length: 10 }, () => store.loadRun(run.run_id)));
    await saving;
    const isOne = (found: EvalRun | null, of: EvalRun): boolean =>
      JSON.stringify(found?.results) === JSON.stringify(of.results);
    expect(seen.filter((found) => !isOne(found, run) && !isOne(found, later))).toEqual([]);
    expect((await store.loadRun(run.run_id))?.results).toEqual(later.results);
  });

  it("takes one of two runs of a name that are saved at once, and keeps what both archive", async () => {
    const store = await makeStore();
    const saved = await Promise.allSettled([store.saveRun(run), store.saveRun(run)]);
    expect(saved.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await Promise.all(
      chunks.map((chunk, at) => store.saveRun({ ...run, run_id: `run-${at}` }, { archive: [chunk] })),
    );
    expect(byId(await store.findArchivedChunks(new Set(["c1", "c2", "c3"])))).toEqual(byId(chunks));
    expect(await store.hasCorpus()).toEqual(false);
  });

  it("refuses everything once it is closed", async () => {
    const store = await makeStore();
    await store.close();
    const closed = { code: "STORE_CLOSED" };
    for (const call of [
      () => store.loadRun("baseline"),
      () => store.saveRun(run),
      () => store.listRuns(),
      () => store.deleteRun("baseline"),
      () => store.loadAggregate("baseline"),
      () => store.writeAggregate("baseline", aggregate),
      () => store.saveChunks(chunks),
      () => store.findChunks({ chunkIds: ["c1"] }),
      () => store.findArchivedChunks(["c1"]),
      () => store.findKnownDocuments(["d1"]),
      () => store.hasCorpus(),
    ])
      await expect(call()).rejects.toMatchObject(closed);
    await store.close();
  });
}
