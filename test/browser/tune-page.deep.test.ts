import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  endSearch,
  ORIGINAL,
  runningSearch,
  startSearch,
  tunableProject,
} from "../support/live-search/index.js";
import { axeViolations, complaintsOf, describeInChromium, launchChromium } from "./chromium.js";

const BIN = fileURLToPath(new URL("../../bin/rankproof.js", import.meta.url));
const LONG_MS = 120_000;

describeInChromium("a tuning of the search on the page, in headless Chromium", () => {
  let browser: Browser;
  let folder: string;
  let server: ChildProcess;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "rankproof-tune-page-"));
    await tunableProject(folder, { tuning: { experiments: "experiments.json" } });
    await startSearch(folder);
    execFileSync(process.execPath, [BIN, "batch", "run", "shop", "--annotate"], { cwd: folder });
    server = spawn(process.execPath, [BIN, "ui", "--allow-run", "--port", "0"], { cwd: folder });
    const url = await new Promise<string>((resolve, reject) => {
      let told = "";
      server.once("exit", () => reject(new Error(told)));
      server.stdout?.on("data", (text) => {
        told += String(text);
        const [link] = /http:\S+#token=\S+/.exec(told) ?? [];
        if (link !== undefined) resolve(link);
      });
    });
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(LONG_MS);
    complaints = complaintsOf(page);
    await page.goto(url);
    await page.evaluate(() => (location.hash = "/d/shop/tune"));
    await page.getByRole("button", { name: "Try the settings of the configuration" }).waitFor();
  }, LONG_MS);
  afterAll(async () => {
    await browser?.close();
    server?.kill("SIGINT");
    endSearch(folder);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Goes to a button as somebody without a mouse does. */
  async function reach(name: string): Promise<void> {
    for (let steps = 0; steps < 60; steps++) {
      if ((await page.evaluate(() => document.activeElement?.textContent)) === name) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`no button ${name} is reached`);
  }

  it(
    "is begun, followed and read by keyboard alone, and is accessible on the way",
    async () => {
      expect(await axeViolations(page)).toEqual([]);
      await reach("Try the settings of the configuration");
      await page.keyboard.press("Enter");
      await page.getByText("It tries 3 settings besides the original one").waitFor();
      expect(await axeViolations(page)).toEqual([]);
      // What comes next has the focus.
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Begin");
      await page.keyboard.press("Enter");
      await page.getByText("A tuning of the search is running").waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await page.getByText(/^Labels not audited, .* better than the current setting/).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      expect(readFileSync(join(folder, "search.json"), "utf8")).toBe(ORIGINAL);
      expect(await runningSearch(folder)).toMatchObject({ boost: 0.5 });
      expect(complaints).toEqual([]);
    },
    LONG_MS,
  );
});
