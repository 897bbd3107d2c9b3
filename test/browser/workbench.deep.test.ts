import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page, Request } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Assessment } from "../../src/label/index.js";
import { openLabelStore } from "../../src/node/index.js";
import { serveWorkbench, type ServedWorkbench } from "../../src/server/index.js";
import { aProject, ITEMS, jsonLines, queryTable, shopProject, type MadeProject } from "../server/projects.js";
import { HOSTILE_TEXTS } from "../support/hostile-texts.js";
import { showProof, tries } from "../support/proof.js";
import {
  axeViolations,
  complaintsOf,
  describeInChromium,
  launchChromium,
  notedGrades,
  noteGrades,
  REBOUND,
  typeGrades,
} from "./chromium.js";

/** The page asks again after as long at most. */
const LONGEST_PAUSE_MS = 15_000;
/** Nothing here is about speed, and other tests may run beside. */
const LONG_MS = 180_000;
describeInChromium("the workbench in headless Chromium", () => {
  let browser: Browser;
  let project: MadeProject;
  let served: ServedWorkbench;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    browser = await launchChromium();
  }, 60_000);
  afterAll(() => browser?.close());
  afterEach(async () => {
    await page.context().close();
    await served.close();
    project.remove();
  });

  const serve = async (port = 0): Promise<void> => {
    // In this thread: a test here is about the page, and starting others would take most of its time.
    served = await serveWorkbench({ ...project.options({ rater: "Ada" }), port, isThreaded: false });
  };
  async function open(made: MadeProject, hash = "/d/shop/label"): Promise<void> {
    project = made;
    await serve();
    page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
    page.setDefaultTimeout(LONG_MS);
    complaints = complaintsOf(page);
    await page.goto(served.url);
    await page.evaluate((to) => (location.hash = to), hash);
    if (!hash.endsWith("label")) return;
    await page.waitForSelector("[data-pair]");
    // Keys are listened to from the next frame on.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50))));
  }
  const pairShown = async (): Promise<string | null> =>
    page.locator("[data-pair]").getAttribute("data-pair", { timeout: LONG_MS });
  async function stored(): Promise<Assessment[]> {
    const store = await openLabelStore(project.path("labels.sqlite"), { create: true });
    try {
      return (await store.find({})).sort((a, b) => (a.at < b.at ? -1 : 1));
    } finally {
      await store.close();
    }
  }
  /** Asks as the page does. */
  function asked(path: string, given: RequestInit = {}): Promise<Response> {
    const { origin, hash } = new URL(served.url);
    const headers = {
      "x-rankproof-token": hash.replace("#token=", ""),
      "sec-fetch-site": "same-origin",
      "content-type": "application/json",
    };
    return fetch(`${origin}${path}`, { ...given, headers });
  }
  /** Begins work, and waits until none is running. */
  async function fetchApi(path: string, body: object): Promise<void> {
    const answer = await asked(path, { method: "POST", body: JSON.stringify(body) });
    expect([path, answer.status]).toEqual([path, 200]);
    await (await asked("/api/c/shop/jobs")).text();
  }
  const countStored = async (): Promise<number> => (await stored()).length;
  const allStored = (): Promise<void> =>
    page.locator(".sending").filter({ hasText: /^$/ }).waitFor({ state: "attached", timeout: LONG_MS });

  it("takes the token out of the address and of the history, and keeps it for the tab alone", async () => {
    await open(aProject());
    const token = served.url.split("token=")[1] ?? "";
    expect(page.url()).not.toContain("token");
    const told: string[] = [];
    page.on("request", (request) => told.push(request.url(), request.headers()["referer"] ?? ""));
    await page.keyboard.press("3");
    await allStored();
    await page.reload();
    await pairShown();
    expect(told.filter((text) => text.includes(token))).toEqual([]);
    expect(told.length).toBeGreaterThan(4);
    const kept = await page.evaluate(async () => {
      const [{ name = "" } = {}] = await indexedDB.databases();
      const opened = indexedDB.open(name);
      await new Promise((resolve) => (opened.onsuccess = resolve));
      const asked = opened.result.transaction("marks").objectStore("marks").getAll();
      await new Promise((resolve) => (asked.onsuccess = resolve));
      return JSON.stringify([{ ...localStorage }, asked.result, document.cookie, document.referrer]);
    });
    expect(kept).not.toContain(token);
    for (const name of readdirSync(project.folder, { recursive: true, encoding: "utf8" }))
      if (statSync(project.path(name)).isFile())
        expect([name, readFileSync(project.path(name)).includes(token)]).toEqual([name, false]);
    await page.goBack().catch(() => undefined);
    expect(page.url()).not.toContain("token=");
    expect(complaints).toEqual([]);
  });

  it("shows the next item two frames after a key, and memory is steady over hundreds of items", async () => {
    // 500 queries of 24 items each that come back: 10,000 pairs.
    const things = Array.from({ length: 24 }, (_, at) => `thing${at}`);
    await open(
      aProject({
        "queries.tsv": queryTable(Array.from({ length: 500 }, (_, at) => [`q${at}`, `thing shop${at}`])),
        "items.jsonl": jsonLines(things.map((id) => ({ id, title: `thing ${id}`, text: "of the shop" }))),
      }),
      "/",
    );
    await fetchApi("/api/c/shop/batch", {});
    await page.evaluate(() => (location.hash = "/d/shop/label"));
    await page.waitForSelector("[data-pair]");
    expect(await page.locator(".desk-head").innerText()).toContain("10,000 pairs left");
    await page.evaluate(() => {
      const shown = (): string | undefined =>
        document.querySelector<HTMLElement>("[data-pair]")?.dataset["pair"];
      const frames: { ms: number; isNext: boolean }[] = [];
      Object.assign(window, { frames });
      const onKey = ({ timeStamp }: Event): void => {
        const before = shown();
        requestAnimationFrame(() =>
          requestAnimationFrame(() =>
            frames.push({ ms: performance.now() - timeStamp, isNext: shown() !== before }),
          ),
        );
      };
      document.addEventListener("keydown", onKey, { capture: true });
    });
    const debug = await page.context().newCDPSession(page);
    const heap = async (): Promise<number> => {
      await allStored();
      await debug.send("HeapProfiler.collectGarbage");
      return (await debug.send("Runtime.getHeapUsage")).usedSize;
    };
    await noteGrades(page);
    const keys = tries(100, 300);
    const further = tries(200, 700);
    // Each at its own time, as people type.
    for (let each = 0; each < keys; each++) {
      await pairShown();
      await page.keyboard.press(String(each % 4));
    }
    type Timed = { readonly frames: readonly { ms: number; isNext: boolean }[] };
    // The frames of the last keys may still be to come.
    await page.waitForFunction((keys) => (window as unknown as Timed).frames.length === keys, keys);
    const frames = await page.evaluate(() => (window as unknown as Timed).frames);
    const times = frames.map(({ ms }) => ms).sort((a, b) => a - b);
    showProof("from the key to the next item, ms", {
      keys: times.length,
      p50: times[keys / 2],
      p95: times[(19 * keys) / 20],
    });
    expect(frames.filter(({ isNext }) => !isNext)).toEqual([]);
    const before = await heap();
    await typeGrades(page, further);
    const grown = (await heap()) - before;
    expect((await notedGrades(page)).length).toBe(keys + further);
    // What was said is kept for undoing: some hundred bytes each.
    expect(grown).toBeLessThan(further * 2_900);
    expect(complaints).toEqual([]);
  });

  it("leads from what to judge next to labelling", async () => {
    await open(aProject(), "/");
    await fetchApi("/api/c/shop/batch", {});
    const changed = ITEMS.map((each, at) => ({
      ...each,
      title: `${each.title}${at % 2 === 0 ? "" : " red"}`,
    }));
    project.write({ "items.jsonl": jsonLines(changed) });
    await fetchApi("/api/c/shop/batch", {});
    await page.evaluate(() => (location.hash = "/compare?c=shop"));
    const links = page.locator("#judge-next [data-query-id] a");
    await links.first().waitFor();
    const [first = ""] = await links.allTextContents();
    expect(first).toMatch(/^q\d$/);
    await page.keyboard.press("]");
    expect(await links.first().evaluate((link) => link === document.activeElement)).toBe(true);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/#/d/shop/label?query=${first}`);
    expect(((await pairShown()) ?? "").split(" ")[0]).toBe(first);
    expect(complaints).toEqual([]);
  });

  it("has no violation that axe finds where there is nothing yet, and where it asks", async () => {
    await open(aProject(), "/");
    const found: string[] = [];
    const look = async (where: string): Promise<void> => {
      found.push(...(await axeViolations(page)).map((each) => `${where} ${each}`));
    };
    for (const screen of ["", "/q/q1", "/q/nobody", "/label", "/batches", "/trust", "/builds", "/tune"]) {
      await page.evaluate((to) => (location.hash = to), `/d/shop${screen}`);
      await page.waitForTimeout(300);
      await look(screen);
    }
    await page.evaluate(() => (location.hash = "/d/shop/builds"));
    await page.getByRole("button", { name: /Label what the search returns/ }).click();
    await page.getByText(/overlap would be asked/).waitFor();
    await look("a plan");
    await served.close();
    for (const more of [{ config: {} }, { rater: undefined }]) {
      served = await serveWorkbench({ ...project.options(more), port: 0 });
      await page.goto(served.url);
      await page.evaluate(() => (location.hash = "/d/shop/label"));
      await page.getByText(/There is nothing to look at yet|Who is labelling/).waitFor();
      await look(JSON.stringify(Object.keys(more)));
      await served.close();
    }
    served = await serveWorkbench({ ...project.options(), port: 0 });
    expect(found).toEqual([]);
  });

  it("does not ask again for what waits in the journal when the page is loaded anew", async () => {
    await open(shopProject());
    await page.route("**/marks", (route) => route.fulfill({ status: 503, body: "{}" }));
    const first = await pairShown();
    await page.keyboard.press("3");
    await page.waitForTimeout(500);
    await page.reload();
    expect(await pairShown()).not.toBe(first);
  });

  it("loses nothing that was typed straight before the page is closed", async () => {
    await open(shopProject());
    await page.route("**/marks", (route) => route.fulfill({ status: 503, body: "{}" }));
    for (let round = 1; round <= 10; round++) {
      for (let count = 0; count < 5; count++) await page.keyboard.press("1");
      await page.goto("about:blank");
      await page.goto(served.url);
      await page.evaluate(() => (location.hash = "/d/shop/label"));
      await page.waitForSelector("[data-pair]");
      await expect
        .poll(() => page.locator(".sending").innerText(), { timeout: LONG_MS })
        .toMatch(new RegExp(`\\b${5 * round}\\b`));
    }
    await page.unroute("**/marks");
    await expect.poll(countStored, { timeout: LONG_MS }).toBe(50);
  });

  it("sends what an earlier page had written, however late the database answers", async () => {
    await open(shopProject());
    await page.route("**/marks", (route) => route.fulfill({ status: 503, body: "{}" }));
    await page.keyboard.press("3");
    const countKept = (): Promise<number> =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("rankproof-mark")).length);
    await expect.poll(countKept, { timeout: LONG_MS }).toBe(0);
    await page.addInitScript(() => {
      const { open: openDatabase } = IDBFactory.prototype;
      IDBFactory.prototype.open = function (...named) {
        if (performance.now() < 5000) throw new Error("busy");
        return openDatabase.apply(this, named);
      };
    });
    await page.reload();
    await pairShown();
    await page.unroute("**/marks");
    await expect.poll(countStored, { timeout: LONG_MS }).toBe(1);
  });

  it("undoes what waits in the journal, not what came before it, when the page is loaded anew", async () => {
    await open(shopProject());
    await page.keyboard.press("3");
    await expect.poll(countStored).toBe(1);
    await page.route("**/marks", (route) => route.fulfill({ status: 503, body: "{}" }));
    const second = await pairShown();
    await page.keyboard.press("2");
    await page.waitForTimeout(500);
    await page.reload();
    await pairShown();
    await page.keyboard.press("u");
    await page.waitForTimeout(500);
    await page.unroute("**/marks");
    await allStored();
    const standing = (await stored()).filter(({ outcome }) => outcome === "withdrawn");
    expect(standing.map(({ item }) => item)).toEqual([second?.split(" ").at(-1)]);
  });

  it("undoes one pair after the other, however fast, though the server is slow to show them", async () => {
    await open(shopProject());
    const pairs: (string | null)[] = [];
    for (let each = 0; each < 4; each++) {
      pairs.push(await pairShown());
      await page.keyboard.press("3");
    }
    await allStored();
    await page.reload();
    await pairShown();
    await page.route("**/pair?**", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      await route.continue();
    });
    for (let each = 0; each < 3; each++) await page.keyboard.press("u");
    await expect.poll(countStored, { timeout: LONG_MS }).toBe(7);
    const withdrawn = (await stored()).filter(({ outcome }) => outcome === "withdrawn");
    expect(withdrawn.map(({ item }) => item)).toEqual(
      pairs
        .slice(1)
        .reverse()
        .map((pair) => pair?.split(" ").at(-1)),
    );
  });

  it("takes no grade while what was undone is on its way, and brings it back when it can", async () => {
    await open(shopProject());
    const first = await pairShown();
    await page.keyboard.press("3");
    await allStored();
    await page.reload();
    const next = await pairShown();
    let isBroken = false;
    await page.route("**/pair?**", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      await (isBroken ? route.fulfill({ status: 502, body: "<html>" }) : route.continue());
    });
    await page.keyboard.press("u");
    await page.keyboard.press("0");
    await expect.poll(pairShown, { timeout: LONG_MS }).toBe(first);
    await page.keyboard.press("2");
    await allStored();
    await page.reload();
    expect(await pairShown()).toBe(next);
    isBroken = true;
    await page.keyboard.press("u");
    await page.locator(".problem").waitFor({ timeout: LONG_MS });
    // The others can be judged meanwhile.
    await page.keyboard.press("1");
    isBroken = false;
    await page.locator(".problem").waitFor({ state: "detached", timeout: LONG_MS });
    await allStored();
    expect((await stored()).map(({ outcome, grade }) => grade ?? outcome)).toEqual([
      3,
      "withdrawn",
      2,
      "withdrawn",
      1,
    ]);
  });

  it("begins nothing for a dataset that was asked for another one", async () => {
    const made = aProject({}, { labeler: "overlap" });
    const datasets = made.config.datasets as Record<string, unknown>;
    datasets["other"] = datasets["shop"];
    await open(made, "/d/shop/builds");
    await page.getByRole("button", { name: /^Label what the search returns/ }).click();
    await page.locator(".confirm").waitFor({ timeout: LONG_MS });
    await page.evaluate(() => (location.hash = "/d/other/builds"));
    await page.locator(".confirm").waitFor({ state: "detached", timeout: LONG_MS });
    expect(await page.locator("nav select").inputValue()).toBe("other");
  });

  it("says why its overview cannot be made anew, and no verdict from before", async () => {
    await open(aProject(), "/d/shop/batches");
    await fetchApi("/api/c/shop/batch", {});
    const soon = { ...((await (await asked("/api/c/shop/overview")).json()) as object), is_outdated: true };
    await page.route(/overview\?soon=1/, (route) => route.fulfill({ json: soon }));
    await page.route(/overview$/, (route) =>
      route.fulfill({ status: 400, json: { message: "no metric Foo" } }),
    );
    await page.evaluate(() => (location.hash = "/"));
    await page.getByText("no metric Foo").waitFor();
    expect(await page.locator("[data-painted]").count()).toBe(0);
    await page.unroute(/overview$/);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator("[data-painted]").waitFor();
    expect(complaints.filter((each) => !each.includes("400"))).toEqual([]);
  });

  it("shows work that another page began, and says where the server tells of it no more", async () => {
    await open(aProject(), "/d/shop/batches");
    await page.getByText("No batch yet.").waitFor({ timeout: LONG_MS });
    await fetchApi("/api/c/shop/batch", {});
    await page.locator(".batches li").waitFor({ timeout: LONG_MS });
    const running = {
      ...{
        id: "job",
        kind: "batch",
        state: "running",
        collection: "shop",
        unit: "query",
        done: 17,
        total: 60,
      },
      ...{ failed: 0, calls: 0, price: null, seconds: 1, seconds_left: 7, message: "", result: null },
    };
    await page.route("**/jobs", (route) =>
      route.fulfill({ status: 200, body: `${JSON.stringify([running])}\n` }),
    );
    await page.getByText("A batch is running").waitFor({ timeout: LONG_MS });
    await page.unroute("**/jobs");
    await page.route("**/jobs**", (route) => route.abort());
    await page.getByText("how it goes on is not known").waitFor({ timeout: LONG_MS });
    await page.unroute("**/jobs**");
    await page.getByText("how it goes on is not known").waitFor({ state: "detached", timeout: LONG_MS });
  });

  it("asks again for what was undone while nothing was stored, and leads from the grid back", async () => {
    await open(shopProject());
    await page.route("**/marks", (route) => route.fulfill({ status: 503, body: "{}" }));
    const first = await pairShown();
    await page.keyboard.press("2");
    await page.keyboard.press("u");
    await page.waitForTimeout(500);
    await page.reload();
    await pairShown();
    await page.keyboard.press("m");
    const [, item] = (first ?? "").split(" ");
    await page.locator(`[data-item="${item}"]`).waitFor({ timeout: LONG_MS });
    expect(new URL(page.url()).hash).toContain("from=all");
    await page.keyboard.press("m");
    await pairShown();
    expect(new URL(page.url()).hash).not.toContain("query=");
  });

  it("stops asking a search live when its query is left, and shows what the open one gets", async () => {
    await open(aProject());
    await fetchApi("/api/c/shop/batch", {});
    await page.evaluate(() => (location.hash = "/d/shop/q/q1"));
    const asked: string[] = [];
    const aborted: string[] = [];
    const queryOf = (request: Request): string => (request.postDataJSON() as { id: string }).id;
    page.on("requestfailed", (request) => {
      if (request.url().endsWith("/live")) aborted.push(queryOf(request));
    });
    await page.route("**/live", (route) => {
      asked.push(queryOf(route.request()));
      // The first query is never answered.
      return asked.length === 1 ? undefined : route.continue();
    });
    const askLive = page.getByRole("button", { name: "Run it live" });
    await askLive.click();
    await page.getByRole("button", { name: "Stop asking" }).waitFor();
    await page.getByRole("button", { name: "next" }).click();
    await askLive.click();
    await page.getByText("What came back now").waitFor();
    await page.getByRole("button", { name: "previous" }).click();
    await askLive.waitFor();
    expect([asked, aborted]).toEqual([["q1", "q2"], ["q1"]]);
  });

  it("grades once where a key is held, and takes no grade for a note that was left empty", async () => {
    await open(shopProject());
    await page.keyboard.down("3");
    for (let each = 0; each < 5; each++) await page.keyboard.down("3");
    await page.keyboard.up("3");
    await allStored();
    expect(await countStored()).toBe(1);
    await page.keyboard.press("n");
    await page.keyboard.press("Escape");
    await page.locator("textarea").waitFor({ state: "detached", timeout: LONG_MS });
    await page.keyboard.press("j");
    await page.keyboard.press("2");
    await expect.poll(countStored, { timeout: LONG_MS }).toBe(2);
    expect((await stored()).map(({ reason }) => reason ?? null)).toEqual([null, null]);
  });

  it("keeps a note with its item until that is graded, over other items, screens and reloads", async () => {
    await open(shopProject());
    const field = page.locator("textarea");
    await page.keyboard.press("n");
    await page.keyboard.type("bad photo");
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await field.waitFor({ state: "detached", timeout: LONG_MS });
    await page.keyboard.press("k");
    await expect.poll(async () => field.inputValue(), { timeout: LONG_MS }).toBe("bad photo");
    await page.reload();
    await expect.poll(async () => field.inputValue(), { timeout: LONG_MS }).toBe("bad photo");
    // The field is there, and a key grades all the same.
    await page.keyboard.press("j");
    await page.keyboard.press("1");
    await page.keyboard.press("k");
    await expect.poll(async () => field.inputValue(), { timeout: LONG_MS }).toBe("bad photo");
    await page.keyboard.press("2");
    await expect.poll(countStored, { timeout: LONG_MS }).toBe(2);
    expect((await stored()).map(({ grade, reason }) => [grade, reason ?? null]).sort()).toEqual([
      [1, null],
      [2, "bad photo"],
    ]);
    // A grade that was a slip is given anew, with the note.
    await page.keyboard.press("u");
    await expect.poll(async () => field.inputValue(), { timeout: LONG_MS }).toBe("bad photo");
    await page.keyboard.press("3");
    await expect.poll(countStored, { timeout: LONG_MS }).toBe(4);
    expect((await stored()).at(-1)).toMatchObject({ grade: 3, reason: "bad photo" });
  });

  it("comes back to what was looked for, and opens a marked query with the space bar", async () => {
    await open(aProject(), "/");
    await fetchApi("/api/c/shop/batch", {});
    await page.evaluate(() => (location.hash = "/d/shop"));
    await page.locator("[data-search]").fill("q1");
    await page.locator(".chip", { hasText: "Hits without a label" }).click();
    await page.keyboard.press("]");
    await page.locator("a.row[aria-current]").waitFor({ timeout: LONG_MS });
    await page.keyboard.press(" ");
    await page.waitForFunction(() => location.hash.startsWith("#/d/shop/q/"));
    await page.goBack();
    expect(await page.locator("[data-search]").inputValue()).toBe("q1");
    expect(await page.locator(".chip[aria-pressed=true]").innerText()).toContain("Hits without a label");
    expect(complaints).toEqual([]);
  });

  it("forgets what was looked for in another dataset, and keeps it for another batch", async () => {
    const golden = "queries:\n  - { id: g1, query: red shoe, lang: de, expected_doc_ids: [red-shoe] }\n";
    await open(aProject({ "golden.yaml": golden }), "/");
    await fetchApi("/api/c/shop/batch", {});
    await fetchApi("/api/c/shop/batch", {});
    await page.evaluate(() => (location.hash = "/d/shop"));
    await page.locator("[data-search]").fill("shoe");
    const against = page.locator(".run-choice select").first();
    const [other = ""] = await against.locator("option:not(:checked)").allInnerTexts();
    await against.selectOption(other);
    await page.waitForFunction((id) => location.hash.includes(encodeURIComponent(id)), other);
    expect(new URL(page.url()).hash).toContain("find=shoe");
    expect(await page.locator("[data-search]").inputValue()).toBe("shoe");
    await page.locator("nav a", { hasText: "Queries" }).click();
    await expect.poll(() => page.locator("[data-search]").inputValue(), { timeout: LONG_MS }).toBe("");
    // A screen that golden sets do not have leads to their queries, in words or at once.
    await page.evaluate(() => (location.hash = "/d/golden/label"));
    await page.getByText("has no labels of its own to look at here").waitFor({ timeout: LONG_MS });
    await page.evaluate(() => (location.hash = "/d/shop/trust"));
    await page.locator(".choose-collection select").selectOption("golden");
    await page.waitForFunction(() => location.hash === "#/d/golden");
    await page.evaluate(() => (location.hash = "/d/nope"));
    await page.getByText("There is no dataset").waitFor({ timeout: LONG_MS });
    expect(complaints).toEqual([]);
  });

  it("is all there where the browser keeps nothing", async () => {
    project = shopProject();
    served = await serveWorkbench({ ...project.options(), port: 0 });
    page = await (await browser.newContext()).newPage();
    await page.addInitScript(() => {
      for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, {
          get: () => {
            throw new DOMException("Access is denied for this document.", "SecurityError");
          },
        });
    });
    complaints = complaintsOf(page);
    await page.goto(served.url);
    await page.evaluate(() => (location.hash = "/d/shop/label"));
    await page.locator("input[list=raters]").fill("Ada");
    await page.keyboard.press("Enter");
    await pairShown();
    await page.keyboard.press("3");
    await expect.poll(countStored, { timeout: LONG_MS }).toBe(1);
    await page.keyboard.press("?");
    await page.getByLabel(/single keys are off/i).check();
    await page.keyboard.press("Escape");
    await page.keyboard.press("3");
    await page.waitForTimeout(300);
    expect(await countStored()).toBe(1);
    expect(complaints).toEqual([]);
  });

  it("leads through the grid by arrows where single keys are off, and loses no focus", async () => {
    await open(shopProject());
    await page.keyboard.press("?");
    await page.getByLabel(/single keys are off/i).check();
    await page.keyboard.press("Escape");
    await page.getByText("All of this query").focus();
    await page.keyboard.press("Enter");
    await page.locator("[data-item]").first().waitFor({ timeout: LONG_MS });
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.tagName), { timeout: LONG_MS })
      .toBe("H1");
    const current = (): Promise<string | null> =>
      page.locator("[data-item][aria-current], [data-item].current").first().getAttribute("data-item");
    const before = await current();
    await page.keyboard.press("ArrowRight");
    await expect.poll(current, { timeout: LONG_MS }).not.toBe(before);
    expect(complaints).toEqual([]);
  });

  it("withdraws a question that is about other settings by now, and gives the focus back", async () => {
    await open(shopProject(), "/d/shop/builds");
    await page.getByRole("button", { name: /^Label what/ }).click();
    await page.locator(".confirm").waitFor({ timeout: LONG_MS });
    await page.locator("input[type=number]").first().click();
    await page.keyboard.type("50");
    await page.locator(".confirm").waitFor({ state: "detached", timeout: LONG_MS });
    expect(await page.locator("input[type=number]").first().inputValue()).toBe("50");
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("INPUT");
    await page.getByRole("button", { name: /^Label what/ }).click();
    await page.locator(".confirm").waitFor({ timeout: LONG_MS });
    await page.getByRole("button", { name: "No" }).focus();
    await page.keyboard.press("Enter");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent), { timeout: LONG_MS })
      .toMatch(/^Label what/);
    expect(complaints).toEqual([]);
  });

  it("gives its key to a tab that a link is opened in, and a tab alone has none", async () => {
    await open(aProject());
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.waitForSelector("[data-pair]", { timeout: LONG_MS });
    expect(other.url()).toBe(page.url());
    await other.close();
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(page.url());
    await stranger.getByText("This page has no key").waitFor({ timeout: LONG_MS });
    await stranger.context().close();
  });

  it("lets go of its connection while nobody sees the page, and asks again when it is seen", async () => {
    await open(aProject(), "/");
    // Work that goes on: the answer does not end.
    await page.route("**/jobs", () => undefined);
    const show = (isShown: boolean): Promise<void> =>
      page.evaluate((isHidden) => {
        Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
        document.dispatchEvent(new Event("visibilitychange"));
      }, !isShown);
    const isOfJobs = (request: Request): boolean => request.url().endsWith("/jobs");
    const asked = page.waitForEvent("request", isOfJobs);
    await page.evaluate(() => (location.hash = "/d/shop/batches"));
    const first = await asked;
    const dropped = page.waitForEvent("requestfailed", isOfJobs);
    await show(false);
    expect(await dropped).toBe(first);
    const again = page.waitForEvent("request", isOfJobs);
    await show(true);
    await again;
    expect(complaints).toEqual([]);
  });

  it("gives up marks that can never be stored where that is asked for", async () => {
    await open(shopProject());
    await page.route("**/marks", (route) =>
      route.fulfill({ status: 400, body: '{"message":"no such item"}' }),
    );
    const refused = page.waitForResponse("**/marks", { timeout: LONG_MS });
    await page.keyboard.press("3");
    expect((await refused).status()).toBe(400);
    await page.locator(".sending", { hasText: "no such item" }).waitFor({ timeout: LONG_MS });
    page.once("dialog", (dialog) => void dialog.accept());
    await page.locator(".sending button").click();
    await allStored();
    await page.reload();
    await pairShown();
    expect(await page.locator(".sending").innerText()).toBe("");
    expect(await countStored()).toBe(0);
  });

  it("undoes across a reload", async () => {
    await open(shopProject());
    const first = await pairShown();
    await page.keyboard.press("3");
    await allStored();
    await page.reload();
    await pairShown();
    await page.keyboard.press("u");
    await page.waitForFunction(
      (pair) => document.querySelector("[data-pair]")?.getAttribute("data-pair") === pair,
      first,
    );
    await allStored();
    expect((await stored()).map(({ outcome }) => outcome)).toEqual(["graded", "withdrawn"]);
    expect(complaints).toEqual([]);
  });

  it("asks again for more pairs after the server did not answer for a while", async () => {
    await open(shopProject());
    await page.clock.install();
    await page.route("**/label?*", (route) => route.abort());
    for (let count = 0; count < 70 && (await page.locator("[data-pair]").count()) > 0; count++) {
      await page.keyboard.press("1");
      await page.waitForTimeout(20);
    }
    await allStored();
    await page.unroute("**/label?*");
    await page.clock.fastForward(LONGEST_PAUSE_MS);
    await page.locator("[data-pair]").waitFor({ timeout: LONG_MS });
  });

  it("goes on storing when one write to the journal failed", async () => {
    await open(shopProject());
    await page.route("**/marks", (route) => route.fulfill({ status: 503, body: "{}" }));
    await page.evaluate(() => {
      const add = IDBObjectStore.prototype.add;
      const counted = window as unknown as { adds: number };
      counted.adds = 0;
      IDBObjectStore.prototype.add = function (...given: Parameters<typeof add>) {
        if (counted.adds++ === 0) throw new DOMException("full", "QuotaExceededError");
        return add.apply(this, given);
      };
    });
    for (const key of ["1", "2", "3"]) {
      await pairShown();
      await page.keyboard.press(key);
    }
    await page.waitForFunction(() => (window as unknown as { adds: number }).adds === 4);
    await page.unroute("**/marks");
    await expect
      .poll(async () => (await stored()).map(({ grade }) => grade), { timeout: LONG_MS, interval: 1000 })
      .toEqual([1, 2, 3]);
  });

  it("is closed to a page of another origin", async () => {
    await open(aProject(), "/");
    const other = createServer(
      (_, response) =>
        void response.setHeader("content-type", "text/html").end("<!doctype html><title>other</title>"),
    );
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const token = served.url.split("token=")[1] ?? "";
    const address = `http://127.0.0.1:${served.port}`;
    const attacker = await page.context().newPage();
    await attacker.goto(`http://localhost:${(other.address() as AddressInfo).port}/`);
    const got = await attacker.evaluate(
      async ([at, key]) => {
        const headers = { "x-rankproof-token": key as string, "content-type": "application/json" };
        const tried = [
          fetch(`${at}/`),
          fetch(`${at}/api/session`, { headers }),
          fetch(`${at}/%61pi/session`),
          fetch(`${at}/api/c/shop/batch`, { method: "POST", body: "{}", headers }),
        ];
        const read = (await Promise.allSettled(tried)).map(({ status }) => status);
        const blind = await fetch(`${at}/api/c/shop/batch`, {
          method: "POST",
          body: "{}",
          mode: "no-cors",
        }).then(
          ({ type }) => type,
          () => "rejected",
        );
        const frame = document.createElement("iframe");
        frame.src = `${at}/`;
        document.body.append(frame);
        await new Promise((resolve) => (frame.onload = resolve));
        return [...read, blind, frame.contentDocument === null];
      },
      [address, token],
    );
    expect(got).toEqual(["rejected", "rejected", "rejected", "rejected", "rejected", true]);
    expect(existsSync(project.path("store.sqlite"))).toBe(false);
    other.close();
  });

  it("is closed to a page of a name that is bound anew to this machine", async () => {
    await open(aProject(), "/");
    const { port } = served;
    await served.close();
    // The page comes from the attacker's server; then its name leads to the workbench, at the same port.
    const other = createServer((_, response) => {
      response.setHeader("content-type", "text/html").end("<!doctype html><title>other</title>");
    });
    await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
    const attacker = await page.context().newPage();
    await attacker.goto(`http://${REBOUND}:${port}/`);
    other.closeAllConnections();
    await new Promise((resolve) => other.close(resolve));
    await serve(port);
    const statuses = await attacker.evaluate(
      async (key) => {
        const headers = { "x-rankproof-token": key, "content-type": "application/json" };
        const asked = [
          fetch("/"),
          fetch("/api/session", { headers }),
          fetch("/api/c/shop/batch", { method: "POST", body: "{}", headers }),
        ];
        return (await Promise.all(asked)).map(({ status }) => status);
      },
      served.url.split("token=")[1] ?? "",
    );
    expect(statuses).toEqual([403, 403, 403]);
    expect(existsSync(project.path("store.sqlite"))).toBe(false);
  });

  it("takes grades where the page is not secure, and browsers hold something back", async () => {
    project = shopProject();
    const open = { allowedHosts: [REBOUND], isReadOnly: false };
    served = await serveWorkbench({ ...project.options({ rater: "Ada" }), port: 0, ...open });
    page = await (await browser.newContext()).newPage();
    const complaints = complaintsOf(page);
    await page.goto(served.url.replace(/localhost|127\.0\.0\.1/, REBOUND));
    expect(await page.evaluate(() => isSecureContext)).toBe(false);
    await page.evaluate(() => (location.hash = "/d/shop/label"));
    await page.waitForSelector("[data-pair]");
    await page.keyboard.press("3");
    await expect.poll(countStored, { timeout: LONG_MS }).toBe(1);
    expect(complaints.filter((each) => !/^The Cross-Origin-Opener-Policy header/.test(each))).toEqual([]);
  });

  it("shows hostile texts as text, on every screen", async () => {
    const texts = HOSTILE_TEXTS.filter((text) => text.trim() !== "");
    await open(
      aProject({
        "queries.tsv": queryTable([["q1", "shoe <img src=x onerror=alert(1)>"]]),
        "items.jsonl": jsonLines(
          texts.map((title, at) => ({ id: `i${at} <b>`, title, text: `shoe ${title}` })),
        ),
      }),
    );
    for (let count = 0; count < 15 && (await page.locator("[data-pair]").count()) > 0; count++) {
      expect(
        await page.locator("main script, main img, main testcase, main a[href^=javascript]").count(),
      ).toBe(0);
      await page.keyboard.press("1");
    }
    await allStored();
    await fetchApi("/api/c/shop/work", { kind: "labels", deep: true, max_calls: null });
    for (const body of [{}, {}]) await fetchApi("/api/c/shop/batch", body);
    await fetchApi("/api/c/shop/work", { kind: "probe" });
    const item = `item=${encodeURIComponent("i0 <b>")}&query=q1`;
    for (const hash of [
      "/",
      "/d/shop",
      "/d/shop/q/q1",
      "/d/shop/label?query=q1&grid=1",
      "/d/shop/batches",
      "/compare?c=shop",
      "/d/shop/trust",
      `/d/shop/trust?${item}`,
      "/d/shop/builds",
      "/d/shop/tune",
    ]) {
      await page.evaluate((to) => (location.hash = to), hash);
      await page.waitForTimeout(300);
      await page.locator(".loading").waitFor({ state: "detached", timeout: LONG_MS });
      await page.evaluate(() => document.querySelectorAll("details").forEach((each) => (each.open = true)));
      const alive = "main :is(script, img, testcase, iframe, [onerror], a[href^=javascript])";
      expect([hash, await page.locator(alive).count()]).toEqual([hash, 0]);
    }
    expect(complaints).toEqual([]);
  });
});
