import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Assessment } from "../../src/label/index.js";
import { openLabelStore } from "../../src/node/index.js";
import { serveWorkbench, type ServedWorkbench } from "../../src/server/index.js";
import { aProject, jsonLines, queryTable, shopProject, type MadeProject } from "../server/projects.js";
import { HOSTILE_TEXTS } from "../support/hostile-texts.js";
import { CHROMIUM, complaintsOf, launchChromium, REBOUND } from "./chromium.js";

/** Nothing here is about speed, and other tests may run beside. */
const LONG_MS = 180_000;
describe("the workbench in headless Chromium", () => {
  if (CHROMIUM === undefined && process.env["CI"] === undefined) {
    it.skip("skipped: no Chromium on this machine; install the package chromium to run it", () => undefined);
    return;
  }
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
    served = await serveWorkbench({ ...project.options({ rater: "Ada" }), port });
  };
  async function open(made: MadeProject, hash = "/d/shop/label"): Promise<void> {
    project = made;
    await serve();
    page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
    page.setDefaultTimeout(LONG_MS);
    complaints = complaintsOf(page);
    await page.goto(served.url);
    await page.evaluate((to) => (location.hash = to), hash);
    if (hash.endsWith("label")) await page.waitForSelector("[data-pair]");
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
  const countStored = async (): Promise<number> => (await stored()).length;
  const allStored = (): Promise<void> =>
    page.locator(".sending").filter({ hasText: /^$/ }).waitFor({ state: "attached", timeout: LONG_MS });

  it("takes the token out of the address and of the history", async () => {
    await open(aProject());
    expect(page.url()).not.toContain("token");
    await page.goBack().catch(() => undefined);
    expect(page.url()).not.toContain("token=");
    expect(complaints).toEqual([]);
  });

  it("stores 500 grades once, in order, though the server is slow, fails, is started anew", async () => {
    await open(shopProject());
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
    const typed: string[] = [];
    for (let count = 0; count < 500; count++) {
      typed.push(`${await pairShown()} ${count % 4}`);
      await page.keyboard.press(String(count % 4));
      await page.waitForTimeout(50);
      if (count === 250) {
        const { port } = served;
        await served.close();
        for (let more = 0; more < 5; more++) {
          typed.push(`${await pairShown()} 1`);
          await page.keyboard.press("1");
        }
        await serve(port);
        // The link of the new start, opened in the same tab.
        await page.goto("about:blank");
        await page.goto(served.url);
        await expect.poll(countStored, { timeout: LONG_MS, interval: 1000 }).toBe(typed.length);
        await page.evaluate(() => (location.hash = "/d/shop/label"));
        await page.reload();
        await page.waitForSelector("[data-pair]");
      }
    }
    await page.unroute("**/marks");
    await expect.poll(countStored, { timeout: LONG_MS, interval: 1000 }).toBe(typed.length);
    const ids = new Map(
      readFileSync(project.path("shop/queries.tsv"), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => line.split("\t") as [string, string])
        .map(([id, text]) => [text, id]),
    );
    const kept = await stored();
    expect(kept.map(({ query, item, grade }) => `${ids.get(query) ?? "?"} ${item} ${grade}`)).toEqual(typed);
    expect(new Set(kept.map((each) => each["mark"])).size).toBe(505);
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
      await page
        .locator(".sending")
        .filter({ hasText: `${5 * round} ` })
        .waitFor({ timeout: 5000 });
    }
    await page.unroute("**/marks");
    await expect.poll(countStored).toBe(50);
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
    await page.route("**/label?*", (route) => route.abort());
    for (let count = 0; count < 70 && (await page.locator("[data-pair]").count()) > 0; count++) {
      await page.keyboard.press("1");
      await page.waitForTimeout(20);
    }
    await allStored();
    await page.unroute("**/label?*");
    await page.locator("[data-pair]").waitFor({ timeout: LONG_MS });
  });

  it("goes on storing when one write to the journal failed", async () => {
    await open(shopProject());
    await page.evaluate(() => {
      const add = IDBObjectStore.prototype.add;
      let count = 0;
      IDBObjectStore.prototype.add = function (...given: Parameters<typeof add>) {
        if (count++ === 0) throw new DOMException("full", "QuotaExceededError");
        return add.apply(this, given);
      };
    });
    for (const key of ["1", "2", "3"]) {
      await pairShown();
      await page.keyboard.press(key);
    }
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

  it("shows hostile texts as text", async () => {
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
    expect(complaints).toEqual([]);
  });
});
