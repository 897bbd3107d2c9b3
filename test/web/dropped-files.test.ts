import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { sqljsStore } from "../../src/storage/sqljs/index.js";
import { DroppedFiles } from "../../src/web/offline/dropped-files.js";
import { present } from "../support/present.js";
import { aRun, hit, result } from "../support/records.js";

const wasm = async (): Promise<Uint8Array> =>
  readFileSync(createRequire(import.meta.url).resolve("sql.js/dist/sql-wasm.wasm"));
const dropped = async (
  files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>,
): Promise<DroppedFiles> => {
  const page = new DroppedFiles(wasm);
  await page.open(
    Object.entries(files).map(([name, content], at) => new File([content], name, { lastModified: at })),
  );
  return page;
};
const runsIn = (page: DroppedFiles): Promise<string[][]> =>
  Promise.all(
    page.collections.map(async (collection) => (await collection.batches()).map(({ id }) => id).sort()),
  );
const recorded = (query: string): string =>
  `${JSON.stringify({ query_id: query, hits_top_k: [{ chunk_id: "c", doc_id: "d", rank: 1 }] })}\n`;
const GOLDEN = JSON.stringify({ queries: [{ id: "q1", query: "one", expected_chunk_ids: ["c"] }] });

describe("files that are given to the page", () => {
  it("judgments have the runs that answer any of their queries", async () => {
    const page = await dropped({
      "one.qrels": "q1 0 d 1\n",
      "two.qrels": "q9 0 d 1\n",
      "a.run": "q1 Q0 d 1 2 t\n",
      "b.run": "q9 Q0 d 1 2 t\n",
      "none.run": "q5 Q0 d 1 2 t\n",
      "empty.run": "",
    });
    expect(await runsIn(page)).toEqual([["a"], ["b"]]);
    expect(page.opened.filter(({ isStranger }) => isStranger).map(({ name }) => name)).toEqual([
      "none.run",
      "empty.run",
    ]);
  });

  it("what can mislead about a file is told beside it", async () => {
    const page = await dropped({ "a.run": "q1 Q0 d 1 0.2 t\nq1 Q0 e 2 0.7 t\n", "b.qrels": "q1 0 d 1\n" });
    expect(page.opened.map(({ found }) => found)).toEqual([
      expect.stringMatching(/^run of 1 query; scores rise with the ranks in 1 of 1 query whose scores/),
      "judgments of 1 query",
    ]);
  });

  it("runs of several chunkers have one score each, on every screen", async () => {
    const ids = Array.from({ length: 10 }, (_, at) => `q${at}`);
    const spans = (start: number) => [{ kind: "line", start, end: start + 9 }];
    const run = (name: string, chunk: (at: number) => object): string =>
      JSON.stringify({
        run_id: name,
        config_snapshot: { chunker_version: name },
        results: ids.map((query_id, at) => ({
          query_id,
          hits_top_k: [{ doc_id: "d", rank: 1, ...chunk(at) }],
        })),
      });
    const page = await dropped({
      "g.json": JSON.stringify({
        chunker_version: "para",
        queries: ids.map((id, at) => ({ id, query: id, expected_chunk_ids: [`p${at}`] })),
      }),
      "para.json": run("para", (at) => ({ chunk_id: `p${at}`, source_spans: spans(10 * at + 1) })),
      // In the same document, elsewhere; only the other run says where the expected chunks lie.
      "aside.json": run("aside", () => ({ chunk_id: "w", source_spans: spans(500) })),
      "half.json": run("half", (at) => ({ chunk_id: "h", source_spans: spans(at < 5 ? 10 * at + 1 : 500) })),
    });
    const [golden] = page.collections;
    const batches = (await golden?.batches()) ?? [];
    expect(batches.map(({ id, mean }) => [id, mean]).sort()).toEqual([
      ["aside", 0],
      ["half", 0.5],
      ["para", 1],
    ]);
    const { rows } = present(await golden?.rows("half", null));
    expect(rows.map(({ score, missed }) => [score, missed])).toEqual(
      ids.map((_, at) => (at < 5 ? [1, 0] : [0, 1])),
    );
    expect((await golden?.comparison("para", "half"))?.runs[1]?.means["MRR@10"]).toBe(0.5);
  });

  it("two files never turn into one run", async () => {
    expect(
      await runsIn(
        await dropped({ "g.json": GOLDEN, "s.jsonl": recorded("q1"), "s.json": `[${recorded("q1")}]` }),
      ),
    ).toEqual([["s.json", "s.jsonl"]]);
    const run = "q1 Q0 d 1 2 t\n";
    expect(
      await runsIn(await dropped({ qrels: "q1 0 d 1\n", "bm25.0.5": run, "bm25.0.7": run, "x.run": run })),
    ).toEqual([["bm25.0.5", "bm25.0.7", "x"]]);
  });

  it("nor where one is called like another without its ending", async () => {
    const files = {
      "x.json": `[${recorded("q1")}]`,
      "x.trec": recorded("q1"),
      "x.trec.json": recorded("q1"),
    };
    for (const names of [Object.entries(files), Object.entries(files).reverse()])
      expect(await runsIn(await dropped({ "g.json": GOLDEN, ...Object.fromEntries(names) }))).toEqual([
        ["x.json", "x.trec", "x.trec.json"],
      ]);
  });

  it("a gzip file that is cut off is named as one", async () => {
    const whole = gzipSync("q1 Q0 d 1 2 t\n");
    const { opened } = await dropped({ "whole.gz": whole, "cut.gz": whole.subarray(0, -9) });
    expect(opened.map(({ problem }) => problem)).toEqual([
      null,
      "It is not the gzip file that it begins as, or one of several parts; unpack it first.",
    ]);
  });

  it("a run of a store is not written over by a file that is called like it", async () => {
    const store = await sqljsStore();
    await store.saveRun(aRun({ run_id: "kept", results: [result("q1", [hit("c")])] }));
    const bytes = (await store.bytes()).slice();
    const page = await dropped({ "g.json": GOLDEN, "s.sqlite": bytes, "kept.jsonl": recorded("q7") });
    expect(await runsIn(page)).toEqual([["kept"]]);
    const bare = await dropped({ "g.json": GOLDEN, "s.sqlite": bytes, kept: recorded("q1") });
    expect(await runsIn(bare)).toEqual([["kept", "kept (file)"]]);
  });
});
