import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium, type Browser, type Page } from "playwright-core";
import { describe, it } from "vitest";

/**
 * The browser of this machine; undefined for none. First the same engine without windows: it has fewer
 * processes, and opens pages in a third of the time.
 */
const CHROMIUM = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
  .map((name) => `/usr/bin/${name}`)
  .find((path) => existsSync(path));

/** Tests in a browser. One that fails while the machine is busy is tried once more, which the runner says. */
export function describeInChromium(name: string, tests: () => void): void {
  if (CHROMIUM !== undefined || process.env["CI"] !== undefined)
    return void describe(name, { retry: 1 }, tests);
  const skipped =
    "skipped: no Chromium on this machine; install the package chromium-headless-shell to run it";
  describe(name, () => it.skip(skipped, () => undefined));
}

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM ?? "chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      `--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`,
    ],
  });
}

/** A name of somebody else's that the browser takes to this machine, as one that is bound anew does. */
export const REBOUND = "rebound.test";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** The rules of axe whose answer depends on colours. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** What axe finds on the page as it is, a line each. */
export async function axeViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  // The policy of the page takes no script of others; the debugger's has no policy.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(readFileSync(AXE, "utf8"));
  return page.evaluate(async (values) => {
    const { axe } = window as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run({
      // Nothing is loaded again, and nothing is told of what is right.
      preload: false,
      resultTypes: ["violations"],
      ...(values !== undefined && { runOnly: { type: "rule", values } }),
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""}`);
  }, rules);
}

/** What axe finds in light, dark and forced colours; what does not depend on colours is looked at once. */
export async function violationsInAllColours(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const [colours, media] of [
    ["light", { colorScheme: "light", forcedColors: "none" }],
    ["dark", { colorScheme: "dark", forcedColors: "none" }],
    ["forced", { colorScheme: "light", forcedColors: "active" }],
  ] as const) {
    await page.emulateMedia(media);
    const own = await axeViolations(page, colours === "light" ? undefined : COLOUR_RULES);
    found.push(...own.map((each) => `${colours} ${each}`));
  }
  await page.emulateMedia({ colorScheme: "light", forcedColors: "none" });
  return found;
}

/** Notes of every grade that is typed from now on which pair was shown. */
export function noteGrades(page: Page): Promise<void> {
  return page.evaluate(() => {
    const typed: string[] = ((window as unknown as { typed: string[] }).typed = []);
    const note = ({ key }: KeyboardEvent): void => {
      const pair = document.querySelector("[data-pair]")?.getAttribute("data-pair");
      if (pair != null && /^[0-3]$/.test(key)) typed.push(`${pair} ${key}`);
    };
    // Before the page's own listeners.
    addEventListener("keydown", note, { capture: true });
  });
}

/** What {@link noteGrades} has noted: the query, the item and the grade. */
export const notedGrades = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { typed: string[] }).typed);

/** Types grades until so many were given. */
export async function typeGrades(page: Page, count: number, pauseMs = 0): Promise<void> {
  const before = (await notedGrades(page)).length;
  for (let given = 0; given < count; given = (await notedGrades(page)).length - before)
    for (let each = given; each < count; each++) {
      await page.keyboard.press(String(each % 4));
      if (pauseMs > 0) await page.waitForTimeout(pauseMs);
    }
}

/** What the page says besides, which should be nothing; refused requests are told by the browser itself. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (!/Failed to load resource/.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => complaints.push(dialog.message()));
  return complaints;
}
