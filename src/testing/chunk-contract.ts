import type { ChunkRecord } from "../records/index.js";
import type { EvalStore } from "../storage/index.js";
import { byId, chunks, ODD_IDS, run } from "./kept-records.js";
import type { TestRunner } from "./test-runner.js";

type MakeStore = () => Promise<EvalStore>;

/** That chunks are found by their ids, paths and documents. */
export function findsChunks({ it, expect }: TestRunner, makeStore: MakeStore): void {
  it("finds chunks by id and by path, and documents", async () => {
    const store = await makeStore();
    expect(await store.hasCorpus()).toEqual(false);
    await store.saveChunks(chunks);
    expect(await store.hasCorpus()).toEqual(true);
    expect(await store.findChunks({ chunkIds: ["c3", "nowhere"] })).toEqual([chunks[2]]);
    expect(byId(await store.findChunks({ docPaths: ["a.md"] }))).toEqual(byId(chunks.slice(0, 2)));
    expect(byId(await store.findChunks({ chunkIds: ["c1"], docPaths: ["a.md"] }))).toEqual(
      byId(chunks.slice(0, 2)),
    );
    expect(await store.findChunks({})).toEqual([]);
    // Of any iterable, as the interface says.
    expect([...(await store.findKnownDocuments(new Set(["d2", "d9", "c1", "a.md"])))]).toEqual(["d2"]);
    // What can be gone through once is as good as a list.
    expect(await store.findChunks({ chunkIds: ["c3"].values() })).toEqual([chunks[2]]);
    expect(byId(await store.findChunks({ docPaths: ["a.md"].values() }))).toEqual(byId(chunks.slice(0, 2)));
  });

  it("keeps chunks, documents and paths apart whose ids look alike", async () => {
    const store = await makeStore();
    const places = ODD_IDS.map((id) => ({ chunk_id: id, doc_id: id, doc_path: id, source_spans: [] }));
    await store.saveChunks(places);
    await store.saveRun(run, { archive: places });
    for (const [at, id] of ODD_IDS.entries()) {
      const own = [places[at]];
      expect(await store.findChunks({ chunkIds: [id] })).toEqual(own);
      expect(await store.findChunks({ docPaths: [id] })).toEqual(own);
      expect(await store.findArchivedChunks([id])).toEqual(own);
      expect([...(await store.findKnownDocuments([id]))]).toEqual([id]);
    }
  });

  it("looks up more ids than a database takes at once", async () => {
    const store = await makeStore();
    const ids = Array.from({ length: 40_000 }, (_, index) => `id-${index}`);
    const many = ids.map((id) => ({ chunk_id: id, doc_id: id, doc_path: id, source_spans: [] }));
    await store.saveChunks(many);
    await store.saveRun(run, { archive: many });
    expect((await store.findChunks({ chunkIds: ids })).length).toEqual(40_000);
    expect((await store.findChunks({ docPaths: ids })).length).toEqual(40_000);
    expect((await store.findArchivedChunks(ids)).length).toEqual(40_000);
    expect((await store.findKnownDocuments(ids)).size).toEqual(40_000);
  });
}

/** That a knowledge base is replaced as a whole, and what runs came with is archived beside it. */
export function keepsKnowledgeBase({ it, expect }: TestRunner, makeStore: MakeStore): void {
  it("replaces the knowledge base as a whole, and keeps archived places apart from it", async () => {
    const store = await makeStore();
    await store.saveChunks(chunks);
    await store.saveRun(run, { archive: chunks.slice(0, 1) });
    await store.saveChunks([
      { chunk_id: "new", doc_id: "d3", doc_path: "c.md", source_spans: [], chunker_version: "para@2" },
    ]);
    expect(await store.findChunks({ chunkIds: ["c1", "c2"], docPaths: ["a.md"] })).toEqual([]);
    expect(await store.findArchivedChunks(["c1", "c2", "new"])).toEqual([chunks[0]]);
    expect([...(await store.findKnownDocuments(["d1", "d3"]))]).toEqual(["d3"]);
    expect(await store.loadRun("baseline")).toEqual(run);
    await store.deleteRun("baseline");
    expect(await store.findArchivedChunks(["c1"])).toEqual([chunks[0]]);
    await store.saveChunks([]);
    expect(await store.findChunks({ chunkIds: ["new"], docPaths: ["c.md"] })).toEqual([]);
    expect(await store.hasCorpus()).toEqual(false);
  });

  it("archives a chunk id of two chunkers as two, and has the newest place of each", async () => {
    const store = await makeStore();
    const first = chunks[0] as ChunkRecord;
    const other: ChunkRecord = {
      ...first,
      source_spans: [{ kind: "line", start: 7, end: 9 }],
      chunker_version: "win@2",
    };
    const moved: ChunkRecord = { ...first, source_spans: [{ kind: "line", start: 2, end: 4 }] };
    await store.saveRun(run, { archive: [first, other] });
    await store.saveRun({ ...run, run_id: "later" }, { archive: [moved] });
    expect(byId(await store.findArchivedChunks(["c1"]))).toEqual(byId([moved, other]));
  });

  it("keeps an archived place that has spans where a newer one has none", async () => {
    const store = await makeStore();
    const chunk = chunks[0] as ChunkRecord;
    await store.saveRun(run, { archive: [chunk] });
    await store.saveRun({ ...run, run_id: "later" }, { archive: [{ ...chunk, source_spans: [] }] });
    expect(await store.findArchivedChunks(["c1"])).toEqual([chunk]);
  });

  refusesChunks({ it, expect }, makeStore);
}

function refusesChunks({ it, expect }: Pick<TestRunner, "it" | "expect">, makeStore: MakeStore): void {
  it("refuses chunks that it could not give back, and keeps what it has", async () => {
    const store = await makeStore();
    await store.saveChunks(chunks);
    const [first] = chunks as [ChunkRecord];
    for (const wrong of [
      { ...first, source_spans: [{ start: 1, end: 2 }] },
      { ...first, source_spans: "1-2" },
      { ...first, source_spans: [{ kind: "line", start: 0, end: 2 }] },
      { doc_id: "d1" },
      null,
    ] as unknown as ChunkRecord[])
      await expect(store.saveChunks([wrong])).rejects.toMatchObject({ code: "CORPUS_SHAPE" });
    // What a run came with is archived with it, whatever its places are.
    const odd = { ...first, source_spans: [{ kind: "line", start: 0, end: 2 }] } as ChunkRecord;
    await store.saveRun({ ...run, run_id: "odd" }, { archive: [odd] });
    await store.deleteRun("odd");
    for (const wrong of [{ doc_id: "d1" }, null] as unknown as ChunkRecord[])
      await expect(store.saveRun(run, { archive: [wrong] })).rejects.toMatchObject({ code: "CORPUS_SHAPE" });
    expect([
      (await store.listRuns()).length,
      (await store.findChunks({ docPaths: ["a.md"] })).length,
    ]).toEqual([0, 2]);
  });

  it("refuses options that are none, and ids that are no list", async () => {
    const store = await makeStore();
    await store.saveRun(run);
    const wrong = { replace: "no" } as unknown as { replace: boolean };
    await expect(store.saveRun({ ...run, suite: "other" }, wrong)).rejects.toMatchObject({
      code: "ARGUMENT",
    });
    await expect(store.findChunks({ chunkIds: "c1" })).rejects.toMatchObject({ code: "ARGUMENT" });
    expect((await store.loadRun("baseline"))?.suite).toEqual(run.suite);
  });

  it("refuses a chunk id twice, or a path of two documents, and keeps what was there", async () => {
    const store = await makeStore();
    await store.saveChunks(chunks);
    const [first] = chunks as [ChunkRecord];
    await expect(store.saveChunks([first, first])).rejects.toMatchObject({ code: "CORPUS_SHAPE" });
    await expect(store.saveChunks([first, { ...first, chunk_id: "c9", doc_id: "d9" }])).rejects.toMatchObject(
      { code: "CORPUS_SHAPE" },
    );
    await expect(
      store.saveChunks([first, { ...first, chunk_id: "c9", doc_path: "elsewhere.md" }]),
    ).rejects.toMatchObject({ code: "CORPUS_SHAPE" });
    expect((await store.findChunks({ docPaths: ["a.md"] })).length).toEqual(2);
  });
}
