import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { openLabelStore } from "../../src/node/index.js";
import { serveWorkbench, type ServedWorkbench } from "../../src/server/index.js";
import { shopProject, type MadeProject } from "../server/projects.js";
import { complaintsOf, describeInChromium, launchChromium } from "./chromium.js";

const LONG_MS = 60_000;

describeInChromium("the workbench in several tabs, and by its keys", () => {
  let browser: Browser;
  let context: BrowserContext;
  let project: MadeProject;
  let served: ServedWorkbench;

  beforeAll(async () => {
    browser = await launchChromium();
  }, 60_000);
  afterAll(() => browser?.close());
  afterEach(async () => {
    await context.close();
    await served.close();
    project.remove();
  });

  const serve = async (port = 0, rater?: string): Promise<void> => {
    served = await serveWorkbench({ ...project.options(rater === undefined ? {} : { rater }), port });
  };
  async function begin(rater?: string): Promise<void> {
    project = shopProject();
    await serve(0, rater);
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  }
  async function tabAt(hash: string, url = served.url): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(LONG_MS);
    await page.goto(url);
    await page.evaluate((to) => (location.hash = to), hash);
    return page;
  }
  const pairOf = (page: Page): Promise<string | null> =>
    page.locator("[data-pair]").getAttribute("data-pair");
  /** Tells a page that it is seen again, as a switch of tabs does, and waits until it shows another pair. */
  const seeAgain = async (page: Page, pair: string | null): Promise<void> => {
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await page.waitForFunction(
      (shown) => document.querySelector("[data-pair]")?.getAttribute("data-pair") !== shown,
      pair,
    );
  };
  const focused = (page: Page): Promise<string> =>
    page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent ?? ""}`);
  async function grades(): Promise<(number | null)[]> {
    const store = await openLabelStore(project.path("labels.sqlite"), { create: true });
    try {
      return (await store.find({})).map(({ grade }) => grade);
    } finally {
      await store.close();
    }
  }

  it("asks nothing in one tab that was graded in another", async () => {
    await begin("Ada");
    const [one, two] = [await tabAt("/d/shop/label"), await tabAt("/d/shop/label")];
    const pair = await pairOf(one);
    expect(await pairOf(two)).toBe(pair);
    await one.bringToFront();
    await one.keyboard.press("3");
    await expect.poll(grades, { timeout: LONG_MS }).toEqual([3]);
    await seeAgain(two, pair);
  });

  it("keeps a pair that was graded and undone while the queue was on its way", async () => {
    await begin("Ada");
    const page = await tabAt("/d/shop/label");
    const pair = await pairOf(page);
    let letGo = (): void => undefined;
    await page.route("**/label?*", async (route) => {
      const answer = await route.fetch();
      await new Promise<void>((resolve) => (letGo = resolve));
      await route.fulfill({ response: answer });
    });
    // The queue that is asked for knows the grade, and comes when it is undone.
    await page.keyboard.press("2");
    await expect.poll(grades, { timeout: LONG_MS }).toEqual([2]);
    const asked = page.waitForRequest("**/label?*");
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await asked;
    await page.keyboard.press("u");
    expect(await pairOf(page)).toBe(pair);
    await page.waitForTimeout(500);
    letGo();
    await page.waitForTimeout(500);
    expect(await pairOf(page)).toBe(pair);
  });

  it("leaves a note and a key where the item was that another tab has graded", async () => {
    await begin("Ada");
    const [one, two] = [await tabAt("/d/shop/label"), await tabAt("/d/shop/label")];
    const pair = await pairOf(two);
    await two.keyboard.press("n");
    await two.keyboard.type("bad photo");
    await one.keyboard.press("3");
    await expect.poll(grades, { timeout: LONG_MS }).toEqual([3]);
    await seeAgain(two, pair);
    const fresh = await pairOf(two);
    await two.keyboard.press("1");
    expect([await two.locator("textarea").count(), await pairOf(two), await grades()]).toEqual([
      0,
      fresh,
      [3],
    ]);
  });

  it("stores nothing in another project that is served at the same address", async () => {
    await begin("Ada");
    const { port } = served;
    const first = project;
    const old = await tabAt("/d/shop/label");
    await pairOf(old);
    await old.evaluate(() => Object.assign(window, { isOld: true }));
    await served.close();
    await old.keyboard.press("2");
    project = shopProject();
    await serve(port, "Ada");
    const fresh = await tabAt("/d/shop/label");
    await pairOf(fresh);
    // The old tab is loaded anew, as the other project's.
    await expect
      .poll(() => old.evaluate(() => "isOld" in window).catch(() => true), { timeout: LONG_MS })
      .toBe(false);
    await pairOf(old);
    await old.waitForTimeout(1500);
    expect(await grades()).toEqual([]);
    await served.close();
    project.remove();
    project = first;
    await serve(port, "Ada");
    await (await tabAt("/d/shop/label")).waitForSelector("[data-pair]");
    await expect.poll(grades, { timeout: LONG_MS }).toEqual([2]);
  });

  it("goes on in a tab with the key of an earlier start where another has the new one", async () => {
    await begin("Ada");
    const { port } = served;
    const old = await tabAt("/d/shop/label");
    await pairOf(old);
    await served.close();
    await old.keyboard.press("2");
    await serve(port, "Ada");
    const fresh = await tabAt("/d/shop/label");
    await pairOf(fresh);
    await expect.poll(grades, { timeout: LONG_MS }).toEqual([2]);
    await old.locator(".sending").filter({ hasText: /^$/ }).waitFor({ state: "attached" });
    await old.reload();
    await pairOf(old);
    expect(await old.getByText("This page has no key").count()).toBe(0);
  });

  it("opens the query that was marked by keys, whatever link had the focus", async () => {
    await begin("Ada");
    const { origin, hash } = new URL(served.url);
    const headers = {
      "x-rankproof-token": hash.replace("#token=", ""),
      "sec-fetch-site": "same-origin",
      "content-type": "application/json",
    };
    await fetch(`${origin}/api/c/shop/batch`, { method: "POST", body: "{}", headers });
    await (await fetch(`${origin}/api/c/shop/jobs`, { headers })).text();
    const page = await tabAt("/d/shop");
    await page.locator("main a[href*='/q/']").first().focus();
    for (let i = 0; i < 4; i++) await page.keyboard.press("]");
    const told = page.locator("[role=status][aria-live=polite]").first();
    await expect.poll(() => told.textContent()).toMatch(/^4 of 60: /);
    const marked = (await told.textContent())?.replace("4 of 60: ", "") ?? "";
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/q\//);
    await page.locator(".asked, h2").filter({ hasText: marked }).first().waitFor();
    expect(await page.title()).toMatch(/^\S+ · Query · shop · rankproof$/);
    const first = await page.title();
    await page.keyboard.press("]");
    await expect.poll(() => page.title()).not.toBe(first);
    await expect.poll(() => told.textContent()).toMatch(/^query \S+$/);
  });

  it("takes any letter after g, so that it grades nothing", async () => {
    await begin("Ada");
    const page = await tabAt("/d/shop/label");
    const complaints = complaintsOf(page);
    const pair = await pairOf(page);
    for (const key of ["g", "1", "g", "s", "g", "x"]) await page.keyboard.press(key);
    expect(await pairOf(page)).toBe(pair);
    expect(await grades()).toEqual([]);
    await page.keyboard.press("1");
    await expect.poll(grades, { timeout: LONG_MS }).toEqual([1]);
    expect(complaints).toEqual([]);
  });

  it("says where keys lead, and leaves the focus nowhere", async () => {
    await begin();
    const page = await tabAt("/d/shop/label");
    const said = page.locator("[role=status][aria-live=polite]").first();
    await page.getByLabel("Your name").fill("Ada");
    await page.keyboard.press("Enter");
    await pairOf(page);
    await expect.poll(() => focused(page)).toMatch(/^H1 /);
    await page.keyboard.press("j");
    await expect.poll(() => said.textContent()).toMatch(/^2 of \d+: .+, for /);
    await page.keyboard.press("l");
    await expect.poll(() => said.textContent()).toBe("put off to the end");
    await page.keyboard.press("l");
    await expect.poll(() => said.textContent()).toBe("put off to the end\u00a0");
    await page.keyboard.press("n");
    await page.keyboard.press("Escape");
    await expect.poll(() => focused(page)).toMatch(/^BUTTON Note/);
    await page.getByRole("button", { name: "not you?" }).press("Enter");
    await expect.poll(() => focused(page)).toMatch(/^INPUT /);
  });
});
