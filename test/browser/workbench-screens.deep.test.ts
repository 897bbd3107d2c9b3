import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Assessment } from "../../src/label/index.js";
import { openLabelStore } from "../../src/node/index.js";
import type { WorkbenchDisputes, WorkbenchHistory, WorkbenchQueue } from "../../src/records/index.js";
import { shopProject, type MadeProject } from "../server/projects.js";
import { tries } from "../support/proof.js";
import {
  complaintsOf,
  describeInChromium,
  launchChromium,
  notedGrades,
  noteGrades,
  typeGrades,
  violationsInAllColours,
} from "./chromium.js";

const BIN = fileURLToPath(new URL("../../bin/rankproof.js", import.meta.url));
/** Nothing here is about speed, and other tests may run beside. */
const LONG_MS = 180_000;
const PORT = 6010 + (process.pid % 20_000);

/** A workbench in a process of its own, as a user has it. */
interface Started {
  readonly process: ChildProcess;
  readonly url: string;
}

describeInChromium("every screen of a workbench that is a process of its own, in headless Chromium", () => {
  let browser: Browser;
  let project: MadeProject;
  let started: Started;
  const pages: Page[] = [];
  const complaints: string[][] = [];

  /** @param rater undefined: the page asks. */
  function start(rater?: string): Promise<Started> {
    const args = [BIN, "ui", "--port", String(PORT), ...(rater === undefined ? [] : ["--rater", rater])];
    const child = spawn(process.execPath, args, {
      cwd: project.folder,
      env: { ...process.env, RANKPROOF_CONFIG: project.path("rankproof.config.yaml") },
    });
    return new Promise((resolve, reject) => {
      let text = "";
      const take = (chunk: Buffer): void => {
        text += chunk.toString();
        const url = /http:\S+/.exec(text)?.[0];
        if (url !== undefined) resolve({ process: child, url });
      };
      child.stdout.on("data", take);
      child.stderr.on("data", take);
      child.once("exit", () => reject(new Error(`the server has ended: ${text}`)));
    });
  }
  const kill = ({ process: child }: Started): Promise<void> =>
    new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once("exit", () => resolve());
      child.kill("SIGKILL");
    });
  async function open(
    options: BrowserContextOptions = {},
    url = started.url,
    given?: BrowserContext,
  ): Promise<Page> {
    const size = { viewport: { width: 1280, height: 800 } };
    const context = given ?? (await browser.newContext({ ...size, ...options }));
    const page = await context.newPage();
    page.setDefaultTimeout(LONG_MS);
    pages.push(page);
    complaints.push(complaintsOf(page));
    await page.goto(url);
    await page.getByRole("heading", { level: 1 }).waitFor();
    return page;
  }
  async function api<T>(path: string, body?: object): Promise<T> {
    const { origin, hash } = new URL(started.url);
    const answer = await fetch(`${origin}${path}`, {
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
      headers: {
        "x-rankproof-token": hash.replace("#token=", ""),
        "sec-fetch-site": "same-origin",
        "content-type": "application/json",
      },
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
    return JSON.parse(text) as T;
  }
  /** Until no work is running. */
  const ended = async (): Promise<void> => {
    const { origin, hash } = new URL(started.url);
    const headers = { "x-rankproof-token": hash.replace("#token=", ""), "sec-fetch-site": "same-origin" };
    await (await fetch(`${origin}/api/c/shop/jobs`, { headers })).text();
  };
  const history = (): Promise<WorkbenchHistory> => api("/api/c/shop/batches");
  async function goTo(page: Page, hash: string): Promise<void> {
    await page.evaluate(async (to) => {
      location.hash = to;
      // What is asked for is asked in the frame after.
      for (let frames = 0; frames < 2; frames++)
        await new Promise((resolve) => requestAnimationFrame(resolve));
    }, hash);
    await page.locator(".loading").waitFor({ state: "detached" });
    await page.waitForTimeout(100);
  }
  async function label(page: Page): Promise<void> {
    await goTo(page, "#/d/shop/label");
    await page.waitForSelector("[data-pair]");
    await noteGrades(page);
  }
  /** Starts the server anew, opens its link in the same tab, and goes on labelling. */
  async function anew(page: Page): Promise<void> {
    started = await start("Ada");
    await page.goto("about:blank");
    await page.goto(started.url);
    await label(page);
  }
  async function stored(): Promise<Assessment[]> {
    const store = await openLabelStore(project.path("labels.sqlite"), { create: true });
    try {
      const people = (await store.find({})).filter(({ rater }) => rater.kind !== "model");
      return people.sort((a, b) => (a.at < b.at ? -1 : 1));
    } finally {
      await store.close();
    }
  }
  const pairShown = (page: Page): Promise<string | null> =>
    page.locator("[data-pair]").getAttribute("data-pair");
  const typed = async (page: Page, grade: number): Promise<string> => {
    const shown = (await pairShown(page)) ?? "";
    await page.keyboard.press(String(grade));
    return `${shown} ${grade}`;
  };
  /** The grades as they were typed, as far as they are stored. */
  function asTyped(kept: readonly Assessment[]): string[] {
    const ids = new Map(
      readFileSync(project.path("shop/queries.tsv"), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => line.split("\t").reverse() as [string, string]),
    );
    return kept.map(({ query, item, grade }) => `${ids.get(query) ?? "?"} ${item} ${grade}`);
  }
  /** Waits until all that was typed is stored: each once, and in order. */
  async function storedAs(wanted: readonly string[]): Promise<void> {
    const count = async (): Promise<number> => (await stored()).length;
    await expect.poll(count, { timeout: LONG_MS, interval: 500 }).toBe(wanted.length);
    const kept = await stored();
    expect(asTyped(kept)).toEqual(wanted);
    expect(new Set(kept.map((each) => each["mark"])).size).toBe(wanted.length);
  }
  /** The first element that the keyboard reaches and that fits. */
  async function tabTo(page: Page, name: RegExp): Promise<void> {
    for (let count = 0; count < 80; count++) {
      await page.keyboard.press("Tab");
      const text = await page.evaluate(() => {
        const { activeElement: at, body } = document;
        return at === body ? "" : `${at?.getAttribute("aria-label") ?? ""} ${at?.textContent ?? ""}`;
      });
      if (name.test(text)) return;
    }
    throw new Error(`the keyboard does not reach ${name}`);
  }
  /** Two batches, labels of a person and of the model that differ, an audit, a build and a tuning. */
  async function everything(): Promise<void> {
    await api("/api/c/shop/work", { kind: "labels", deep: true });
    await ended();
    await api("/api/c/shop/batch", {});
    await ended();
    await api("/api/c/shop/batch", {});
    await ended();
    const { pairs } = await api<WorkbenchQueue>("/api/c/shop/label?rater=Ada");
    const marks = pairs.slice(0, 40).map(({ query_id, item: { id } }, at) => ({
      mark: `mark-of-test-${at}`,
      query_id,
      item: id,
      outcome: "graded",
      grade: at % 4,
      reason: at % 3 === 0 ? "as it was asked" : null,
      at: new Date(Date.UTC(2026, 0, 1) + at).toISOString(),
    }));
    await api("/api/c/shop/marks", { rater: "Ada", marks });
    await api("/api/c/shop/work", { kind: "probe" });
    const runs = (await history()).batches.map(({ id }) => id);
    await api("/api/c/shop/work", { kind: "fusion", runs, metric: "nDCG@10" });
    await ended();
  }
  async function allScreens(): Promise<string[]> {
    const [dispute] = (await api<WorkbenchDisputes>("/api/c/shop/disputes")).open;
    const at = `query=${encodeURIComponent(dispute?.query_id ?? "")}`;
    const [query = ""] = [dispute?.query_id];
    return [
      "#/",
      "#/d/shop",
      `#/d/shop/q/${encodeURIComponent(query)}`,
      "#/d/shop/label",
      `#/d/shop/label?${at}&grid=1`,
      "#/d/shop/batches",
      "#/compare?c=shop",
      "#/d/shop/trust",
      `#/d/shop/trust?${at}&item=${encodeURIComponent(dispute?.item.id ?? "")}`,
      "#/d/shop/builds",
      "#/d/shop/tune",
    ];
  }

  beforeAll(async () => {
    browser = await launchChromium();
  }, 60_000);
  afterAll(() => browser?.close());
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.context().close();
    await kill(started);
    project.remove();
    expect(complaints.splice(0).flat()).toEqual([]);
  });
  async function begin(rater?: string): Promise<void> {
    project = shopProject();
    const dataset = {
      queries: project.path("shop/queries.tsv"),
      corpus: project.path("shop/products.jsonl"),
    };
    const config = {
      labels: project.path("labels.sqlite"),
      artifacts: project.path("out"),
      datasets: { shop: dataset },
    };
    // JSON is YAML, too.
    writeFileSync(project.path("rankproof.config.yaml"), JSON.stringify(config));
    started = await start(rater);
  }

  it("each is clean to axe in all colours, moves nothing, and fits 200 % and a telephone", async () => {
    await begin("Ada");
    await everything();
    const page = await open({ reducedMotion: "reduce" });
    const found: string[] = [];
    for (const screen of await allScreens()) {
      await goTo(page, screen);
      const moving = await page.evaluate(() =>
        document.getAnimations().map(({ effect }) => effect?.getComputedTiming().duration),
      );
      if (moving.length > 0) found.push(`${screen} moves for ${moving.join(", ")} ms`);
      found.push(...(await violationsInAllColours(page)).map((each) => `${screen} ${each}`));
      // A window of 1280 pixels at 200 %, and a telephone.
      for (const [width, height] of [
        [640, 400],
        [320, 640],
      ] as const) {
        await page.setViewportSize({ width, height });
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (beyond > 0) found.push(`${screen} is ${beyond} pixels wider than ${width}`);
      }
      await page.setViewportSize({ width: 1280, height: 800 });
    }
    await page.keyboard.press("?");
    found.push(...(await violationsInAllColours(page)).map((each) => `keys ${each}`));
    expect(found).toEqual([]);
    await page.keyboard.press("Escape");
    // What came of the last change is the same on every screen that says it.
    const words: (string | null)[] = [];
    for (const [screen, painted] of [
      ["#/", "verdict"],
      ["#/d/shop/batches", "history"],
    ] as const) {
      await goTo(page, screen);
      await page.locator(`.word + [data-painted=${painted}]`).waitFor();
      words.push(await page.locator("#main .word").textContent());
      words.push(await page.locator(`[data-painted=${painted}]`).textContent());
    }
    expect(words.slice(2)).toEqual(words.slice(0, 2));
  });

  it("by keyboard alone: a build, a batch, labels, the grid, a decision, a live query, a key", async () => {
    await begin("Ada");
    const page = await open();
    await page.keyboard.press("g");
    await page.keyboard.press("b");
    await tabTo(page, /^ Label what the search returns/);
    await page.keyboard.press("Enter");
    // The question has the focus; what it would take stands above it.
    await page.getByText(/overlap would be asked/).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText(/The model gave/).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("h");
    await tabTo(page, /^ Run a batch$/);
    await page.keyboard.press("Enter");
    await page.getByText("Choose two to compare them").waitFor();
    // Its button goes while it runs.
    const focused = (): Promise<string | undefined> => page.evaluate(() => document.activeElement?.tagName);
    await expect.poll(focused, { timeout: LONG_MS }).not.toBe("BODY");
    await page.keyboard.press("]");
    await page.keyboard.press("Space");
    expect(await page.locator(".batches input:checked").count()).toBe(1);
    await page.keyboard.press("g");
    await page.keyboard.press("l");
    await page.waitForSelector("[data-pair]");
    await typed(page, 3);
    await typed(page, 0);
    await page.keyboard.press("u");
    await page.waitForTimeout(300);
    await page.keyboard.press("m");
    await page.locator(".label-grid li").first().waitFor();
    const items = await page.locator(".label-grid li").count();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("2");
    await page.keyboard.press("d");
    expect(await page.locator(".label-grid .bead.g-2").count()).toBe(2);
    await page.keyboard.press("u");
    expect(await page.locator(".label-grid .bead.g-2").count()).toBe(1);
    expect(items).toBeGreaterThan(3);
    await expect
      .poll(async () => (await stored()).map(({ outcome, grade }) => `${outcome} ${grade}`), {
        timeout: LONG_MS,
        interval: 500,
      })
      .toEqual(["graded 3", "graded 0", "withdrawn null", "graded 2", "graded 2", "withdrawn null"]);
    await page.keyboard.press("g");
    await page.keyboard.press("t");
    await page.getByText(/Decide the worst first/).waitFor();
    await page.keyboard.press("]");
    await page.keyboard.press("]");
    await page.keyboard.press("[");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-dispute]");
    // A reason is that of its pair.
    const [reason, pair] = [page.getByLabel("Why, kept with the decision"), page.locator("[data-dispute]")];
    const written = await pair.getAttribute("data-dispute");
    await reason.fill("of this one");
    await page.getByRole("button", { name: /^Next/ }).click();
    await expect.poll(() => pair.getAttribute("data-dispute"), { timeout: LONG_MS }).not.toBe(written);
    expect(await reason.inputValue()).toBe("");
    await page.getByRole("button", { name: /^Previous/ }).click();
    await expect.poll(() => reason.inputValue(), { timeout: LONG_MS }).toBe("of this one");
    await page.locator("h1").focus();
    await page.keyboard.press("1");
    await expect
      .poll(async () => (await stored()).filter(({ rater }) => rater.kind === "adjudicator").length, {
        timeout: LONG_MS,
      })
      .toBe(1);
    await page.keyboard.press("g");
    await page.keyboard.press("q");
    await page.locator("[data-painted=queries]").waitFor();
    await page.keyboard.press("]");
    await page.keyboard.press("Enter");
    await tabTo(page, /^ Run it live$/);
    await page.keyboard.press("Enter");
    await page.getByText("What came back now").waitFor();
    await page.keyboard.press("?");
    await tabTo(page, /^undo: u, change/);
    await page.keyboard.press("Enter");
    await page.keyboard.press("x");
    await page.getByText("x is taken: cannot tell.").waitFor();
    await page.keyboard.press("z");
    await page.getByText("z: undo").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.keyboard.press("l");
    await page.waitForSelector("[data-pair]");
    expect(await page.locator(".desk-actions kbd").allTextContents()).toContain("z");
    const before = (await stored()).length;
    await page.keyboard.press("u");
    await page.keyboard.press("z");
    await expect.poll(async () => (await stored()).length, { timeout: LONG_MS }).toBe(before + 1);
  });

  it("hundreds of grades are stored once, in order: the server is slow, fails, is killed", async () => {
    await begin("Ada");
    const page = await open();
    let turn = 0;
    await page.route("**/marks", async (route) => {
      turn++;
      // Slow; every third is refused; every fifth is stored, and its answer is lost.
      await new Promise((resolve) => setTimeout(resolve, 100));
      const answer = async (): Promise<void> => {
        if (turn % 3 === 0) return route.fulfill({ status: 503, body: "{}" });
        if (turn % 5 !== 0) return route.continue();
        await route.fetch();
        return route.abort();
      };
      // The page or the server may be gone meanwhile.
      await answer().catch(() => route.abort().catch(() => undefined));
    });
    await label(page);
    const half = tries(75, 250);
    await typeGrades(page, half, 50);
    await kill(started);
    // What is at hand is labelled while nobody answers.
    await typeGrades(page, 10, 50);
    await page.getByText(/not stored yet, kept in this browser/).waitFor();
    const wanted = await notedGrades(page);
    await anew(page);
    await typeGrades(page, half, 50);
    wanted.push(...(await notedGrades(page)));
    await page.unroute("**/marks");
    await storedAs(wanted);
  });

  it("a minute without the server, and one without the network, lose nothing of what is typed", async () => {
    await begin("Ada");
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    // The minute of the page is not ours: its clock is put forward.
    await context.clock.install();
    const page = await open({}, started.url, context);
    const minute = async (): Promise<void> => {
      for (let seconds = 0; seconds < 60; seconds += 5) {
        await typeGrades(page, 2);
        await context.clock.runFor(5000);
      }
      await page.getByText(/24 not stored yet, kept in this browser/).waitFor();
    };
    await label(page);
    await context.setOffline(true);
    await minute();
    const before = await notedGrades(page);
    await context.setOffline(false);
    await storedAs(before);
    await kill(started);
    await minute();
    const wanted = await notedGrades(page);
    await anew(page);
    await storedAs(wanted);
  });

  it("two raters at once get what the other has not judged, and what each said is stored", async () => {
    await begin();
    const desks: Page[] = [];
    for (const name of ["Ada", "Ben"]) {
      const page = await open();
      await goTo(page, "#/d/shop/label");
      await page.getByLabel("Your name").fill(name);
      await page.keyboard.press("Enter");
      await page.waitForSelector("[data-pair]");
      desks.push(page);
    }
    const wanted: string[][] = [[], []];
    for (let count = 0; count < 100; count++)
      await Promise.all(desks.map(async (page, at) => wanted[at]?.push(await typed(page, count % 4))));
    await expect.poll(async () => (await stored()).length, { timeout: LONG_MS, interval: 500 }).toBe(200);
    const kept = await stored();
    const of = (name: string): Assessment[] => kept.filter(({ rater }) => rater.name === name);
    expect(asTyped(of("Ada"))).toEqual(wanted[0]);
    expect(asTyped(of("Ben"))).toEqual(wanted[1]);
    const pairs = (name: string): string[] => of(name).map(({ query, item }) => `${query} ${item}`);
    const both = pairs("Ada").filter((pair) => pairs("Ben").includes(pair));
    // A tenth is for everybody; what one judged while the other had it at hand comes on top.
    expect(both.length).toBeLessThan(60);
  });
});
