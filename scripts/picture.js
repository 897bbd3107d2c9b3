// Makes the picture in the README from the report of the demo: `npm run docs:picture`. It needs Chromium.
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
  await runDemo(folder, { out: quiet, talk: quiet, progress: quiet, paint: (text) => text, signal });
  const page = await browser.newPage({ viewport: { width: 1280, height: 660 }, deviceScaleFactor: 1.5 });
  await page.goto(pathToFileURL(join(folder, "runs/bm25-words/report.html")).href);
  mkdirSync(join(root, "docs/images"), { recursive: true });
  await page.screenshot({ path: join(root, "docs/images/report.png") });
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
