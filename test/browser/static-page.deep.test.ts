import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { formatAssessments, parseAnyQrels, parseAnyRun } from "../../src/formats/index.js";
import { compareRuns } from "../../src/index.js";
import { compareSystems, usualMetrics } from "../../src/compare/index.js";
import { openLabelStore, openStore, readGolden, readRun } from "../../src/node/index.js";
import { importRun } from "../../src/runs/index.js";
import { staticWorkbench } from "../../src/server/index.js";
import { aProject, jsonLines, queryTable, type MadeProject } from "../server/projects.js";
import { Workplace } from "../cli/spawned.js";
import { HOSTILE_TEXTS } from "../support/hostile-texts.js";
import { complaintsOf, describeInChromium, launchChromium, violationsInAllColours } from "./chromium.js";

/** Nothing here is about speed, and other tests may run beside. */
const LONG_MS = 180_000;
const SCREENS = ["#/", "#/d/shop", "#/d/shop/q/q1", "#/d/shop/label", "#/d/shop/batches"];
const REPORTS = ["#/compare?c=shop", "#/d/shop/trust", "#/d/shop/builds", "#/d/shop/tune"];

const GOLDEN = `queries:
  - { id: q1, query: refund, expected_chunk_ids: [c1, c2] }
  - { id: q2, query: warranty, expected_chunk_ids: [c3] }
  - { id: q3, query: delivery, expected_chunk_ids: [c4] }
`;
const runOf = (lists: readonly (readonly string[])[]): string =>
  jsonLines(
    lists.map((ids, at) => ({
      query_id: `q${at + 1}`,
      hits_top_k: ids.map((id, index) => ({ chunk_id: id, doc_id: `d-${id}`, rank: index + 1 })),
    })),
  );
const BEFORE = runOf([["c9", "c1"], ["c8", "c3"], ["c4"]]);
const AFTER = runOf([["c1", "c2"], ["c3"], ["c9", "c4"]]);
const QRELS = "q1 0 d1 2\nq1 0 d2 1\nq2 0 d3 1\n";
const trec = (name: string, ids: readonly string[]): string =>
  ids.map((id, at) => `q${at < 2 ? 1 : 2} Q0 ${id} ${at + 1} ${9 - at} ${name}\n`).join("");

describeInChromium("the page without a server in headless Chromium", () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let project: MadeProject;
  let complaints: string[];
  let asked: string[];
  let host: Server | undefined;

  beforeAll(async () => {
    browser = await launchChromium();
  }, 60_000);
  afterAll(() => browser?.close());
  beforeEach(async () => {
    project = aProject();
    asked = [];
    context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true });
    page = await context.newPage();
    page.setDefaultTimeout(LONG_MS / 12);
    complaints = complaintsOf(page);
    page.on("request", (request) => asked.push(request.url()));
  });
  afterEach(async () => {
    await context.close();
    host?.close();
    host = undefined;
    project.remove();
  });

  const write = async (options: { texts?: boolean; raters?: boolean } = {}): Promise<string> => {
    const { html, problems } = await staticWorkbench({ ...project.options(), ...options });
    expect(problems).toEqual([]);
    writeFileSync(project.path("index.html"), html);
    return pathToFileURL(project.path("index.html")).href;
  };
  const twoBatches = async (): Promise<void> => {
    const opened = project.open();
    await opened.batch({ annotate: true });
    await opened.batch();
  };
  /** Opens a screen, and waits until it has what it asks for. */
  const show = async (hash: string): Promise<string> => {
    await page.evaluate((to) => (location.hash = to), hash);
    await page
      .locator("main")
      .filter({ hasNotText: /^(?:Comparing|Scoring|Looking|Reading)/ })
      .waitFor();
    await page.waitForTimeout(50);
    return page.locator("main").innerText();
  };
  const drop = async (files: Readonly<Record<string, string | Buffer>>): Promise<void> => {
    await page.setInputFiles(
      "input[type=file]",
      Object.entries(files).map(([name, content]) => ({
        name,
        mimeType: "application/octet-stream",
        buffer: Buffer.from(content),
      })),
    );
    await page.locator(".opened").waitFor();
    await page.locator(".open-files", { hasText: "Open files" }).waitFor();
  };

  it(
    "shows every screen from a file and from a file server, and asks nothing of anybody",
    async () => {
      await twoBatches();
      const file = await write();
      host = createServer((_, response) => {
        response.setHeader("content-type", "text/html; charset=utf-8");
        response.end(readFileSync(project.path("index.html")));
      }).listen(0, "127.0.0.1");
      await new Promise((resolve) => host?.once("listening", resolve));
      for (const address of [file, `http://127.0.0.1:${(host.address() as AddressInfo).port}/`]) {
        asked = [];
        await page.goto(address);
        await page.evaluate(() => localStorage.setItem("rankproof-rater", "Ada"));
        for (const hash of [...SCREENS, ...REPORTS])
          expect(await show(hash), hash).not.toContain("did not work");
        expect(asked.filter((url) => !url.startsWith("data:"))).toEqual([address]);
      }
      expect(complaints).toEqual([]);
    },
    LONG_MS,
  );

  it(
    "keeps what queries and items say inert",
    async () => {
      project.remove();
      const texts = HOSTILE_TEXTS.filter((text) => text.trim() !== "");
      const items = texts.map((title, at) => ({ id: `i${at} <b>`, title, text: `shoe ${title}` }));
      const queries = [["q0", "shoe <img src=x onerror=alert(1)></script><!--"]] as const;
      project = aProject({ "queries.tsv": queryTable(queries), "items.jsonl": jsonLines(items) });
      await twoBatches();
      await page.goto(await write());
      for (const hash of ["#/", "#/d/shop", "#/compare?c=shop", ...queries.map(([id]) => `#/d/shop/q/${id}`)])
        expect(await show(hash)).not.toContain("did not work");
      expect(complaints).toEqual([]);
    },
    LONG_MS,
  );

  it(
    "keeps labels over a reload, and gives them as a file that `label import` takes",
    async () => {
      await twoBatches();
      await page.goto(await write());
      await page.evaluate(() => localStorage.setItem("rankproof-rater", "Ada"));
      await show("#/d/shop/label");
      for (const key of ["3", "2", "x", "0", "u"]) {
        await page.waitForSelector("[data-pair]");
        await page.keyboard.press(key);
      }
      await page.getByRole("button", { name: /Download 3 labels/ }).waitFor();
      await page.reload();
      await page.getByRole("button", { name: /Download 3 labels/ }).waitFor();
      expect(await page.locator(".desk-head").innerText()).toContain("3 judged");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: /Download/ }).click(),
      ]);
      const place = new Workplace();
      try {
        await download.saveAs(place.path("labels.jsonl"));
        for (const told of ["5 new assessments", "0 new assessments"]) {
          const { status, stderr } = await place.run([
            "label",
            "import",
            "labels.jsonl",
            "--labels",
            "l.sqlite",
          ]);
          expect([status, stderr]).toEqual([0, expect.stringContaining(told)]);
        }
        const store = await openLabelStore(place.path("l.sqlite"));
        const said = await store.find({});
        await store.close();
        expect(formatAssessments(said)).toBe(readFileSync(place.path("labels.jsonl"), "utf8"));
        expect(said.map(({ outcome, grade }) => grade ?? outcome).sort()).toEqual(
          [0, 2, 3, "cannot_tell", "withdrawn"].sort(),
        );
        expect(
          said.every(
            ({ rater, item_hash, outcome }) =>
              rater.name === "Ada" && (item_hash != null || outcome === "withdrawn"),
          ),
        ).toBe(true);
      } finally {
        rmSync(place.folder, { recursive: true });
      }
      expect(complaints).toEqual([]);
    },
    LONG_MS,
  );

  it(
    "shows ids that every object has a member of, without the texts of their items",
    async () => {
      const ids = ["constructor", "toString", "__proto__"];
      project.write({
        "queries.tsv": queryTable(ids.map((id) => [id, "red shoe"])),
        "items.jsonl": jsonLines(ids.map((id) => ({ id, title: "red shoe" }))),
      });
      await twoBatches();
      await page.goto(await write({ texts: false }));
      for (const id of ids) {
        const shown = await show(`#/d/shop/q/${id}`);
        for (const item of ids) expect(shown).toContain(item);
        expect(await page.locator("main h2").count()).toBe(1);
      }
      expect(complaints).toEqual([]);
    },
    LONG_MS,
  );

  it(
    "gives the labels of another tab along, and those of a query that has left the dataset",
    async () => {
      await twoBatches();
      const address = await write();
      const label = async (tab: Page, keys: readonly string[]): Promise<void> => {
        for (const key of keys) {
          await tab.waitForSelector("[data-pair]");
          await tab.keyboard.press(key);
        }
      };
      await page.goto(address);
      await page.evaluate(() => localStorage.setItem("rankproof-rater", "Ada"));
      const other = await context.newPage();
      await other.goto(address);
      for (const tab of [page, other]) await tab.evaluate(() => (location.hash = "#/d/shop/label"));
      await label(page, ["3", "2"]);
      await label(other, ["1"]);
      const download = async (): Promise<string[]> => {
        const [given] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("button", { name: /Download/ }).click(),
        ]);
        await given.saveAs(project.path("labels.jsonl"));
        return readFileSync(project.path("labels.jsonl"), "utf8").trimEnd().split("\n");
      };
      // Both tabs began with the same pair: what the other says takes back what this one said.
      expect(await download()).toHaveLength(4);
      await page.getByRole("button", { name: /Download 2 labels/ }).waitFor();
      const words = (await download()).map((line) => (JSON.parse(line) as { query: string }).query);
      project.write({ "queries.tsv": queryTable([["new", "another query"]]) });
      await write();
      await page.reload();
      await page.getByRole("button", { name: /Download 2 labels/ }).waitFor();
      const queries = async (): Promise<string[]> =>
        (await download()).map((line) => (JSON.parse(line) as { query: string }).query);
      expect(await queries()).toEqual(words);
      // A label that is taken back is one of its own words; that of a query that has left is gone.
      await page.evaluate(() => (location.hash = "#/d/shop/label"));
      await page.waitForSelector(".desk");
      await page.keyboard.press("u");
      await page.getByRole("button", { name: /Download 1 label$/ }).waitFor();
      const again = await queries();
      expect(again).toHaveLength(5);
      expect(words).toContain(again.at(-1));
    },
    LONG_MS,
  );

  it(
    "computes from a golden set, runs and a store what the command line computes",
    async () => {
      project.write({ "golden.yaml": GOLDEN, "a-before.jsonl": BEFORE, "b-after.jsonl": AFTER });
      const golden = await readGolden(project.path("golden.yaml"));
      const a = await readRun(project.path("a-before.jsonl"));
      const b = await readRun(project.path("b-after.jsonl"));
      const { comparisons } = compareRuns(a, b, golden).statistics ?? { comparisons: [] };
      const [compared] = comparisons;
      project.remove();
      project = aProject();
      const file = await withoutProject();
      await page.goto(file);
      expect(await page.locator("h1").innerText()).toBe("Which search is better, and where?");
      await drop({ "golden.yaml": GOLDEN });
      await drop({ "a-before.jsonl": BEFORE });
      await page.waitForTimeout(20);
      await drop({ "b-after.jsonl": AFTER });
      const overview = await show("#/");
      expect(overview).toContain(compared?.verdict.headline);
      const list = await show("#/d/golden.yaml");
      expect(list).toContain("warranty");
      expect(await show("#/d/golden.yaml/q/q1?run=b-after&baseline=a-before")).toContain("refund");
      expect(await show("#/d/golden.yaml/batches")).toContain("a-before");
      const report = await show("#/compare?c=golden.yaml&a=a-before&b=b-after");
      const primary = compared?.metrics.find(({ metric }) => metric === compared.verdict.primary);
      expect(report).toContain(primary?.mean_b?.toFixed(4));
      await page.reload();
      const store = await openStore(project.path("store.sqlite"), { create: true });
      for (const run of [a, b])
        await importRun(store, {
          ...run,
          created_at: run.run_id === "a-before" ? "2026-01-01T00:00:00.000Z" : "2026-01-02T00:00:00.000Z",
        });
      await store.close();
      await drop({ "golden.yaml": GOLDEN, "store.sqlite": readFileSync(project.path("store.sqlite")) });
      expect(await show("#/")).toContain(compared?.verdict.headline);
      expect(complaints).toEqual([]);
    },
    LONG_MS,
  );

  it(
    "computes from judgments and runs of TREC's format what the command line computes",
    async () => {
      const [before, after] = [trec("one", ["d9", "d1", "d3"]), trec("two", ["d1", "d2", "d8"])];
      const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
      const { comparisons } = compareSystems(
        [
          { name: "one", run: parseAnyRun(bytes(before), "one").run },
          { name: "two", run: parseAnyRun(bytes(after), "two").run },
        ],
        parseAnyQrels(bytes(QRELS), "qrels.txt").qrels,
        usualMetrics,
      );
      await page.goto(await withoutProject());
      await drop({ "qrels.txt": QRELS });
      await drop({ "one.run": before });
      await page.waitForTimeout(20);
      await drop({ "two.run": after });
      expect(await show("#/")).toContain(comparisons[0]?.verdict.headline);
      expect(await show("#/d/qrels.txt")).toContain("q1");
      expect(await show("#/d/qrels.txt/q/q1")).toContain("d1");
      const [primary] = comparisons[0]?.metrics ?? [];
      expect(await show("#/compare?c=qrels.txt&a=one&b=two")).toContain(primary?.mean_b?.toFixed(4));
      expect(complaints).toEqual([]);
    },
    LONG_MS,
  );

  it(
    "says with file and line what is wrong, and keeps what is there",
    async () => {
      await page.goto(await withoutProject());
      await drop({ "golden.yaml": GOLDEN, "a-before.jsonl": BEFORE });
      await drop({
        "broken.jsonl": `${BEFORE}{"query_id": 3}\n`,
        "bad.yaml": "queries:\n  - { id: q1, qury: x }\n",
      });
      const text = await page.locator("main").innerText();
      expect(text).toContain("broken.jsonl:4:");
      expect(text).toContain("bad.yaml:2:");
      expect(await page.locator(".opened [role=alert]").count()).toBe(2);
      expect(await show("#/d/golden.yaml")).toContain("warranty");
      expect(complaints).toEqual([]);
    },
    LONG_MS,
  );

  it(
    "says which run answers none of the queries, until judgments that ask them are there",
    async () => {
      await page.goto(await withoutProject());
      await drop({ "golden.yaml": GOLDEN, "a-before.jsonl": BEFORE, "other.run": "x9 Q0 d1 1 9 other\n" });
      expect(await page.locator(".opened").innerText()).toContain("other.run is not shown");
      await drop({ "qrels.txt": "x9 0 d1 1\n" });
      expect(await page.locator(".opened").innerText()).not.toContain("is not shown");
    },
    LONG_MS,
  );

  it(
    "takes files that are dragged into the window",
    async () => {
      await page.goto(await withoutProject());
      const files = Object.entries({ "golden.yaml": GOLDEN, "a-before.jsonl": BEFORE }).map(
        ([name, text]) => {
          writeFileSync(project.path(name), text);
          return project.path(name);
        },
      );
      await page.locator(".open-files").waitFor();
      const debug = await context.newCDPSession(page);
      const drag = (type: "dragEnter" | "dragOver" | "drop"): Promise<unknown> =>
        debug.send("Input.dispatchDragEvent", {
          type,
          x: 300,
          y: 300,
          data: { items: [], files, dragOperationsMask: 1 },
        });
      await drag("dragEnter");
      await drag("dragOver");
      await page.locator(".drop-here").waitFor();
      // A hand that holds still goes on telling where it is.
      await drag("dragOver");
      await drag("drop");
      await page.locator(".opened").waitFor();
      expect(await show("#/d/golden.yaml")).toContain("warranty");
      expect(complaints).toEqual([]);
    },
    LONG_MS,
  );

  it(
    "is accessible before and after files are dropped, in light, dark and forced colours",
    async () => {
      await page.goto(await withoutProject());
      const accessible = async (): Promise<void> => expect(await violationsInAllColours(page)).toEqual([]);
      await accessible();
      await drop({
        "golden.yaml": GOLDEN,
        "a-before.jsonl": BEFORE,
        "b-after.jsonl": AFTER,
        "broken.jsonl": `${BEFORE}{"query_id": 3}\n`,
        "other.run": "x9 Q0 d1 1 9 other\n",
      });
      await accessible();
      for (const screen of [
        "#/d/golden.yaml",
        "#/d/golden.yaml/q/q1?run=b-after&baseline=a-before",
        "#/d/golden.yaml/batches",
        "#/compare?c=golden.yaml&a=a-before&b=b-after",
      ]) {
        await show(screen);
        await accessible();
      }
    },
    LONG_MS,
  );

  /** The page of a folder that has no project. */
  async function withoutProject(): Promise<string> {
    const { html } = await staticWorkbench({ ...project.options(), config: {} });
    writeFileSync(project.path("index.html"), html);
    return pathToFileURL(project.path("index.html")).href;
  }
});
