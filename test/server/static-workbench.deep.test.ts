import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WorkbenchStatic } from "../../src/records/index.js";
import { openStore } from "../../src/node/index.js";
import { importRun } from "../../src/runs/index.js";
import {
  staticWorkbench,
  type StaticWorkbench,
  type StaticWorkbenchOptions,
} from "../../src/server/index.js";
import { aRun, hit, result } from "../support/records.js";
import { aProject, jsonLines, queryTable, type MadeProject } from "./projects.js";

const LIMIT_BYTES = 500_000;

let project: MadeProject;
const made = (options: Partial<StaticWorkbenchOptions> = {}): Promise<StaticWorkbench> =>
  staticWorkbench({ ...project.options(), ...options });
const dataOf = ({ html }: StaticWorkbench): WorkbenchStatic => {
  const [, json = ""] =
    /<script id="rankproof-data" type="application\/json">([^<]*)<\/script>/.exec(html) ?? [];
  return JSON.parse(json) as WorkbenchStatic;
};

describe("the page without a server, of a project with people's labels", () => {
  const titles = ["crimson shoe </script><!-- \u2028", "cerulean hat"];
  beforeAll(async () => {
    project = aProject({
      "queries.tsv": queryTable([
        ["q1", "crimson shoe"],
        ["q2", "cerulean hat"],
      ]),
      "items.jsonl": jsonLines(titles.map((title, at) => ({ id: `i${at}`, title, material: "velvet" }))),
    });
    const opened = project.open();
    await opened.batch({ annotate: true });
    await opened.batch();
    const mark = { mark: "mark-0001", query_id: "q1", item: "i0", outcome: "graded", grade: 3 };
    const marks = [{ ...mark, reason: "as worded", at: "2026-05-01T09:00:00.000Z" }];
    expect((await opened.post("/api/c/shop/marks", { rater: "Griselda", marks })).status).toBe(200);
  }, 60_000);
  afterAll(() => project.remove());

  it("says what is in it", async () => {
    const { contents, raters, problems } = await made();
    expect(contents).toEqual([
      { id: "shop", queries: 2, batches: 2, comparisons: 1, labels: expect.any(Number) as number },
    ]);
    expect([raters, problems]).toEqual([["Griselda"], []]);
  });

  it("has the answers of the server", async () => {
    const { collections } = dataOf(await made());
    const opened = project.open();
    const [view] = collections[0]?.views ?? [];
    expect(view?.queries).toEqual(await opened.get("/api/c/shop/queries"));
    expect(collections[0]?.overview).toEqual(await opened.get("/api/c/shop/overview"));
    const { run, baseline } = view?.queries ?? {};
    expect(view?.report).toEqual(await opened.get(`/api/c/shop/compare?a=${baseline}&b=${run}`));
  });

  it("has data that ends no element, and is the same when it is read", async () => {
    const page = await made();
    expect(page.html.includes("\u2028")).toBe(false);
    expect(dataOf(page).items.map(({ title }) => title)).toContain(
      "crimson shoe </script><!-- \u2028".trim(),
    );
  });

  it("leaves out what queries, items and raters say", async () => {
    const { html } = await made({ texts: false });
    const words = ["crimson", "cerulean", "velvet", "as worded", "Griselda"];
    expect(words.filter((word) => html.includes(word))).toEqual(["Griselda"]);
  });

  it("leaves out the names of people", async () => {
    const page = await made({ raters: false });
    expect(page.raters).toEqual([]);
    expect([page.html.includes("Griselda"), page.html.includes("crimson")]).toEqual([false, true]);
  });

  it("asks people for what no person has judged", async () => {
    const { collections, items } = dataOf(await made());
    const pairs = collections[0]?.labelling?.pairs.map(([query, item]) => `${query} ${items[item]?.id}`);
    expect(pairs).not.toContain("q1 i0");
    expect(pairs?.length).toBeGreaterThan(0);
  });
});

describe("the page without a server and without texts", () => {
  afterAll(() => project.remove());

  it("has no label of queries that says what is looked for, nor one of many values", async () => {
    const ids = Array.from({ length: 60 }, (_, at) => `q${at}`);
    const rows = ids.map((id, at) => [id, `shoe ${at}`, "secretneed", "secretstory", `secret${at}`, "plain"]);
    project = aProject({
      "queries.tsv": [["query_id", "query", "need", "narrative", "why", "lang"], ...rows]
        .map((row) => `${row.join("\t")}\n`)
        .join(""),
      "items.jsonl": jsonLines(ids.map((id, at) => ({ id, title: `shoe ${at}` }))),
      "golden.json": JSON.stringify({
        queries: ids.map((id) => ({
          id,
          query: "x",
          expected_doc_ids: [id],
          meta: { narrative: "secrettale", kind: "plain" },
        })),
      }),
    });
    const opened = project.open();
    await opened.batch({ annotate: true });
    await opened.batch();
    const golden = project.options().golden.replace(/[^/]*$/, "golden.json");
    const shown = (await made({ golden })).html;
    for (const word of ["secretneed", "secretstory", "secret59", "plain"]) expect(shown).toContain(word);
    const { html, contents } = await made({ golden, texts: false });
    expect(contents.length).toBeGreaterThan(0);
    expect(/secret\w+/.exec(html)?.[0]).toBeUndefined();
    expect(html).toContain("plain");
  });
});

describe("the page without a server", () => {
  afterAll(() => project.remove());

  it("has at most 500 kB without data, and may compile WebAssembly", async () => {
    project = aProject();
    const { html, contents } = await staticWorkbench({ ...project.options(), config: {} });
    expect(contents).toEqual([]);
    expect(brotliCompressSync(html).length).toBeLessThanOrEqual(LIMIT_BYTES);
    const [, policy] = /security-policy" content="([^"]*)"/.exec(html) ?? [];
    expect(policy).toMatch(/^default-src 'none'; script-src .*'wasm-unsafe-eval'; style-src 'sha256-/);
    expect(policy).not.toMatch(/'unsafe-/);
  });

  it("has what there is of a dataset whose search is down", async () => {
    project = aProject({
      "queries.tsv": queryTable([["q1", "crimson shoe"]]),
      "items.jsonl": jsonLines([{ id: "i0", title: "crimson shoe" }]),
    });
    const options = project.options();
    const { shop } = options.config.datasets ?? {};
    const down = { kind: "http", url: "http://127.0.0.1:9/search", params: { q: "{query}" }, hits: "hits" };
    const datasets = { shop: { ...shop, backend: "down" } };
    const { contents, problems } = await staticWorkbench({
      ...options,
      config: { ...options.config, datasets, backends: { down } } as never,
    });
    expect(contents).toMatchObject([{ id: "shop", queries: 1, batches: 0 }]);
    expect(problems).toEqual([
      expect.stringMatching(/^what of shop could be labelled: http:.* cannot be reached/),
    ]);
  });

  it("has the runs of a golden set, each against the one before", async () => {
    project.write({ "golden.yaml": "queries:\n  - { id: q1, query: refund, expected_chunk_ids: [c1] }\n" });
    const store = await openStore(project.path("store.sqlite"), { create: true });
    for (const day of [1, 2, 3])
      await importRun(
        store,
        aRun({
          run_id: `r${day}`,
          created_at: `2026-01-0${day}T00:00:00.000Z`,
          results: [result("q1", [hit("c1", 1)])],
        }),
      );
    await store.close();
    const { collections } = dataOf(await staticWorkbench({ ...project.options(), config: {} }));
    expect(collections[0]?.views.map(({ queries }) => [queries.run, queries.baseline])).toEqual([
      ["r3", "r2"],
      ["r3", "r1"],
      ["r2", "r1"],
    ]);
  });
});
