// Makes the pictures of the docs from the demo: its report, and screens of the workbench on its shop:
// `npm run docs:picture`. It needs Chromium.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { runDemo } from "../fixtures/demo/demo.js";

const root = fileURLToPath(new URL("../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "rankproof-picture-"));
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-background-networking"],
});
try {
  const quiet = () => undefined;
  const { signal } = new AbortController();
  await runDemo(folder, {
    out: quiet,
    talk: quiet,
    warn: quiet,
    progress: quiet,
    paint: (text) => text,
    signal,
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 660 }, deviceScaleFactor: 1.5 });
  await page.goto(pathToFileURL(join(folder, "runs/bm25-words/report.html")).href);
  mkdirSync(join(root, "docs/images"), { recursive: true });
  await page.screenshot({ path: join(root, "docs/images/report.png") });
  const { serveWorkbench } = await import("rankproof/server");
  const { readConfig } = await import("rankproof/node");
  const shop = join(folder, "shop");
  const config = await readConfig(join(shop, "rankproof.config.yaml"));
  const kept = join(shop, ".rankproof");
  const served = await serveWorkbench({
    config: { ...config, labels: join(kept, "labels.sqlite"), artifacts: kept },
    store: join(kept, "store.sqlite"),
    golden: join(shop, "none.yaml"),
    version: "",
    rater: "Ada",
    port: 0,
  });
  await page.setViewportSize({ width: 1280, height: 700 });
  await page.goto(served.url);
  for (const [name, route, shown] of [
    ["overview", "/", "[data-painted=verdict]"],
    ["label", "/d/shop/label", "[data-pair]"],
  ]) {
    await page.evaluate((hash) => (location.hash = hash), route);
    await page.waitForSelector(shown);
    await page.screenshot({ path: join(root, `docs/images/workbench-${name}.png`) });
  }
  await served.close();
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
