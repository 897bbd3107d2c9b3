import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { gzipSync } from "node:zlib";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { paperFixture } from "../cli/bench-files.js";
import { oracle } from "../support/oracles.js";
import { describeInChromium, launchChromium } from "./chromium.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
};

interface Results {
  readonly aggregate: string;
  readonly report: string;
  readonly markdown: string;
  readonly written: string;
}

/** The same calls on the same built files in Node. */
async function inNode(goldenFile: string, storeFile: string, a: string, b: string): Promise<Results> {
  const load = (
    room: string,
  ): Promise<
    typeof import("../../src/index.js") &
      typeof import("../../src/formats/index.js") &
      typeof import("../../src/runs/index.js") &
      typeof import("../../src/storage/sqljs/index.js")
  > => import(pathToFileURL(join(root, "dist", room, "index.js")).href) as never;
  const { renderReportMd } = await load(".");
  const { parseGolden } = await load("formats");
  const { aggregateStoredRun, compareStoredRuns } = await load("runs");
  const { sqljsStore } = await load("storage/sqljs");
  const golden = parseGolden(readFileSync(goldenFile), "golden.yaml");
  const store = await sqljsStore({ bytes: readFileSync(storeFile) });
  const aggregate = JSON.stringify(await aggregateStoredRun(store, a, golden));
  const report = await compareStoredRuns(store, a, b, golden);
  return { aggregate, report: JSON.stringify(report), markdown: renderReportMd(report), written: aggregate };
}

describeInChromium("in headless Chromium", () => {
  let server: Server;
  let browser: Browser;
  let context: BrowserContext;
  let address: string;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "rankproof-browser-"));
    server = createServer((request, response) => {
      const path = normalize(join(root, new URL(request.url ?? "/", "http://localhost").pathname));
      if (!path.startsWith(root) || !existsSync(path)) return response.writeHead(404).end();
      return response
        .writeHead(200, {
          "content-type": TYPES[extname(path)] ?? "application/octet-stream",
          // A page has hundreds of modules, and they do not change from one test to the next.
          "cache-control": "max-age=3600",
        })
        .end(readFileSync(path));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/test/browser`;
    browser = await launchChromium();
    context = await browser.newContext();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  async function opened(complaints: string[], name = "page.html"): Promise<Page> {
    const page = await context.newPage();
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => {
      if (!request.url().startsWith("http://127.0.0.1:") && !request.url().startsWith("data:"))
        complaints.push(request.url());
    });
    await page.goto(`${address}/${name}`);
    return page;
  }

  async function inChromium(
    goldenFile: string,
    storeFile: string,
    a: string,
    b: string,
  ): Promise<Results & { error?: string }> {
    const complaints: string[] = [];
    const page = await opened(complaints);
    await page.setInputFiles("#golden", goldenFile);
    await page.setInputFiles("#store", storeFile);
    await page.fill("#a", a);
    await page.fill("#b", b);
    await page.click("#form button");
    await page.waitForSelector("#output[data-done]");
    const results = await page.evaluate(
      () => (window as unknown as { results: Results & { error?: string } }).results,
    );
    if (process.env["RANKPROOF_SCREENSHOT"] !== undefined)
      await page.screenshot({ path: process.env["RANKPROOF_SCREENSHOT"] });
    await page.close();
    expect(complaints).toEqual([]);
    return results;
  }

  it("pages without a bundler import one file, and get the digits of Node", async () => {
    const scores = (rankproof: typeof import("../../src/index.js")): string => {
      const ids = ["d3", "d1", "d7", "d2"];
      const qrels = { q1: { d1: 2, d2: 1, d9: 3 }, q2: { d7: 1 } };
      const run = { q1: ids, q2: ids.slice(1) };
      const names = ["nDCG@10", "AP", "RR", "ERR@10", "RBP(p=0.8)"];
      const evaluation = rankproof.evaluate(new Map(Object.entries(run)), qrels, names);
      return JSON.stringify(evaluation.record({ perQuery: true }));
    };
    const page = await browser.newPage();
    await page.goto(`${address}/single-file.html`);
    const found = await page.evaluate(
      async (source) =>
        (new Function("rankproof", `return (${source})(rankproof)`) as (module: unknown) => string)(
          await (globalThis as unknown as { rankproof: Promise<unknown> }).rankproof,
        ),
      scores.toString(),
    );
    expect(found).toBe(scores((await import(pathToFileURL(join(root, "dist/index.js")).href)) as never));
    await page.close();
  });
  it(
    "gives the same bytes of aggregate, comparison and Markdown as in Node, from a store that the " +
      "demo made",
    async () => {
      const { runDemo } = (await import(pathToFileURL(join(root, "fixtures/demo/demo.js")).href)) as {
        runDemo: (out: string, terminal: object) => Promise<void>;
      };
      const quiet = (): void => undefined;
      await runDemo(folder, {
        out: quiet,
        talk: quiet,
        warn: quiet,
        error: quiet,
        command: quiet,
        progress: quiet,
        paint: (value: string) => value,
        signal: new AbortController().signal,
      });
      const files = [
        join(root, "fixtures/demo/golden.yaml"),
        join(folder, "store.sqlite"),
        "bm25-words",
        "bm25-windows",
      ] as const;
      expect(await inChromium(...files)).toEqual(await inNode(...files));
    },
  );

  it.runIf(oracle("xquad-en") !== null).each(["xquad-en", "xquad-zh"])(
    "gives the same bytes on %s, across chunkers, from a database of another program",
    async (name) => {
      const source = oracle(name) as string;
      for (const b of ["run_fts_win", "run_fts_raw"]) {
        const files = [join(source, "golden.yaml"), join(source, "kb.sqlite"), "run_fts_para", b] as const;
        expect(await inChromium(...files)).toEqual(await inNode(...files));
      }
    },
  );

  it("says what is wrong with a file, with its line", async () => {
    const golden = join(folder, "golden.yaml");
    const store = join(folder, "text.sqlite");
    writeFileSync(golden, "- id: a\n  qery: b\n");
    writeFileSync(store, "not a database ".repeat(20));
    expect((await inChromium(golden, store, "a", "b")).error).toBe(
      "golden.yaml:1:3: query is missing\ngolden.yaml:2:3: unknown key `qery`; did you mean `query`?",
    );
    writeFileSync(golden, "- id: a\n  query: b\n");
    expect((await inChromium(golden, store, "a", "b")).error).toBe(
      "database: is not an SQLite database; give the path of a store, or of a new file",
    );
  });

  async function scoresInChromium(
    qrels: string,
    runs: readonly string[],
    metrics: string,
  ): Promise<{ records?: string; table?: string; error?: string }> {
    const complaints: string[] = [];
    const page = await opened(complaints);
    await page.setInputFiles("#qrels", qrels);
    await page.setInputFiles("#runs", [...runs]);
    await page.fill("#metrics", metrics);
    await page.click("#scores button");
    await page.waitForSelector("#table[data-done]");
    const scores = await page.evaluate(() => (window as unknown as { scores: { records?: string } }).scores);
    if (process.env["RANKPROOF_SCREENSHOT"] !== undefined)
      await page.screenshot({ path: process.env["RANKPROOF_SCREENSHOT"] });
    await page.close();
    expect(complaints).toEqual([]);
    return scores;
  }

  it("scores dropped files of every format, plain and packed, to the same bytes as in Node", async () => {
    const source = oracle("synthetic") as string;
    const load = (
      room: string,
    ): Promise<
      typeof import("../../src/formats/index.js") & typeof import("../../src/node/evaluate/index.js")
    > => import(pathToFileURL(join(root, "dist", room, "index.js")).href) as never;
    const { asScoredRun, formatRun, parseAnyRun } = await load("formats");
    const { evaluateFile, loadQrels } = await load("node/evaluate");
    const qrels = join(source, "qrels.txt");
    const metrics = "nDCG@10,AP,Bpref,ERR@20,RBP(p=0.5),infAP,INST,Compat,Judged@10";
    const run = asScoredRun(parseAnyRun(readFileSync(join(source, "runs/a.run")), "a").run, "doc");
    const files = (["trec", "json", "jsonl", "csv"] as const).flatMap((format) =>
      [false, true].map((packed) => {
        const path = join(folder, `a-${format}${packed ? ".gz" : ""}`);
        writeFileSync(path, packed ? gzipSync(formatRun(run, format, "a")) : formatRun(run, format, "a"));
        return path;
      }),
    );
    const judged = await loadQrels(qrels);
    const inNode = await Promise.all(
      files.map(async (path) =>
        (await evaluateFile(path, judged, metrics.split(/,(?![^(]*\))/))).record({ perQuery: true }),
      ),
    );
    const { records } = await scoresInChromium(qrels, files, metrics);
    expect(records).toBe(JSON.stringify(inNode));
  });

  it("names file, line and column of what is wrong with a dropped run", async () => {
    const bad = join(folder, "bad.run");
    writeFileSync(bad, "1 Q0 a 1 2.0 t\n1 Q0 b 2 nan t\n");
    expect(
      (await scoresInChromium(join(oracle("synthetic") as string, "qrels.txt"), [bad], "AP")).error,
    ).toBe("bad.run:2:10: score must be a finite number, got `nan`");
  });

  it.each([
    ["papers", paperFixture()],
    [
      "papers in Chinese, Korean and English",
      paperFixture({
        papers: cjkPapers(),
        cases: paperFixture().cases.map((one, index) => ({
          ...one,
          query: ["转捩", "경계층 천이", "ＬＡＹＥＲＳ of ﬁlm", "湍流边界层", "running layers"][index] ?? "",
        })),
      }),
    ],
  ])("searches, measures and decides to the same bytes as in Node, of %s", async (_, fixture) => {
    const { measuredBench } = (await import(
      pathToFileURL(join(root, "test/browser/measured-bench.js")).href
    )) as { measuredBench: (rooms: object, fixture: object) => Promise<Record<string, unknown>> };
    const [bench, report, retrieve] = (await Promise.all(
      ["bench", "report", "retrieve"].map(
        (room) => import(pathToFileURL(join(root, "dist", room, "index.js")).href),
      ),
    )) as [object, object, object];
    const complaints: string[] = [];
    const page = await opened(complaints, "bench.html");
    await page.waitForFunction(() => "measured" in window);
    const inChromium = await page.evaluate(
      (given) =>
        (window as unknown as { measured: (fixture: object) => Promise<Record<string, unknown>> }).measured(
          given,
        ),
      fixture,
    );
    await page.close();
    expect(complaints).toEqual([]);
    expect(inChromium["markdown"]).toContain("fts_only");
    expect(inChromium).toEqual(await measuredBench({ bench, report, retrieve }, fixture));
  });
});

function cjkPapers(): ReturnType<typeof paperFixture>["papers"] {
  const abstracts = [
    "本文研究平板边界层的转捩。",
    "경계층의 천이를 연구한다.",
    "Layers of ﬁlm, ＦＵＬＬ width and soft\u00adhyphens.",
    "湍流邊界層の遷移について。",
    "Boundary layers that run on plates.",
  ];
  return paperFixture().papers.map((paper, index) => ({ ...paper, abstract: abstracts[index] ?? "" }));
}
