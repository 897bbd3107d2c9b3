import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { reportRun } from "../../src/index.js";
import { renderBenchHtml, renderReportHtml, renderRunHtml, reportTexts } from "../../src/report/index.js";
import type { CompareReport } from "../../src/records/index.js";
import { hostileBench, storedBench } from "../support/bench-report.js";
import { HOSTILE_TEXTS, hostileComparison, madeComparison } from "../support/comparison.js";
import { answer, aRun, hit, query, result } from "../support/records.js";
import { describeInChromium, launchChromium } from "./chromium.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const PHONE = { width: 390, height: 844 };

describeInChromium("the HTML report in headless Chromium", () => {
  let browser: Browser;
  let folder: string;
  let server: Server;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "rankproof-report-"));
    server = createServer((_, response) =>
      response
        .writeHead(200, { "content-type": "text/html; charset=utf-8" })
        .end(readFileSync(join(folder, "report.html"))),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    browser = await launchChromium();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true });
  });
  /** Every test ends without a complaint of the browser, a request, and a script that was not ours. */
  afterEach(async () => {
    if (page?.isClosed() !== false) return;
    expect(await page.evaluate(() => (window as unknown as { owned?: number }).owned)).toBeUndefined();
    await page.context().close();
    expect(complaints.splice(0)).toEqual([]);
  });

  /** The report opened from disk, or from a server. */
  async function open(
    html: string,
    options: BrowserContextOptions = {},
    from: "disk" | "server" = "disk",
  ): Promise<void> {
    const path = join(folder, "report.html");
    writeFileSync(path, html);
    const address =
      from === "disk"
        ? pathToFileURL(path).href
        : `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    page = await (
      await browser.newContext({
        viewport: { width: 1280, height: 900 },
        reducedMotion: "reduce",
        ...options,
      })
    ).newPage();
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("dialog", (dialog) => complaints.push(dialog.message()));
    page.on("request", (request) => {
      if (request.url() !== address && !request.url().startsWith("data:")) complaints.push(request.url());
    });
    await page.goto(address);
  }

  const rows = (): Locator => page.locator("#query-table tbody tr");
  const ids = (): Promise<string[]> => page.locator("#query-table tbody th").allTextContents();
  const cells = (column: number): Promise<string[]> =>
    page.locator(`#query-table tbody td:nth-child(${column + 1})`).allTextContents();
  const numbers = async (column: number): Promise<number[]> =>
    (await cells(column)).map((text) => Number(text.replace("−", "-")));
  const inOrder = (values: readonly number[], way: 1 | -1): boolean =>
    values.every((value, index) => index === 0 || way * (value - (values[index - 1] ?? 0)) >= 0);
  const head = (name: string): Locator => page.locator("#query-table thead th", { hasText: name });
  const focusedRow = (): Promise<string | null> =>
    page.evaluate(
      () => document.activeElement?.closest("#query-table tr")?.querySelector("th")?.textContent ?? null,
    );
  const isOpen = (): Promise<boolean> =>
    page.evaluate(() => document.querySelector<HTMLDialogElement>("#query")?.open === true);
  /** No part of the page is wider than the window. */
  const fits = (): Promise<boolean> =>
    page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

  it.each(["disk", "server"] as const)("opens from %s", async (from) => {
    await open(renderReportHtml(madeComparison()), {}, from);
    expect(await page.locator("h1").innerText()).toBe("bm25-words → hybrid-rrf");
    expect(await rows().count()).toBe(50);
    expect(await page.locator("#chart path").count()).toBe(3);
  });

  it("is what the built package writes, too", async () => {
    const { renderReportHtml: built } = (await import(
      pathToFileURL(join(root, "dist/report/index.js")).href
    )) as { renderReportHtml: typeof renderReportHtml };
    const html = built(madeComparison());
    expect(html).toBe(renderReportHtml(madeComparison()));
    await open(html);
  });

  it("sorts by every column, both ways, and says so", async () => {
    await open(renderReportHtml(madeComparison()));
    // The worst first, before anybody asks.
    expect(await head("Difference").getAttribute("aria-sort")).toBe("ascending");
    expect(inOrder(await numbers(5), 1)).toBe(true);
    for (const [name, column] of [
      ["bm25-words", 3],
      ["hybrid-rrf", 4],
      ["Difference", 5],
    ] as const) {
      await head(name).getByRole("button").click();
      const first = (await head(name).getAttribute("aria-sort")) === "descending" ? -1 : 1;
      expect(inOrder(await numbers(column), first)).toBe(true);
      await head(name).getByRole("button").click();
      expect(inOrder(await numbers(column), first === 1 ? -1 : 1)).toBe(true);
      expect(await page.locator("#query-table thead [aria-sort$=cending]").count()).toBe(1);
    }
    await head("Query").getByRole("button").click();
    expect((await ids()).slice(0, 3)).toEqual(["q0001", "q0002", "q0003"]);
    for (const name of ["Text", "Labels", "Outcome"]) await head(name).getByRole("button").click();
    expect(new Set(await cells(6))).toEqual(new Set(["▼ worse", "= equal"]));
    await head("Outcome").getByRole("button").click();
    expect((await cells(6))[0]).toBe("▲ improved");
  });

  it("searches ids and texts, and filters by outcome", async () => {
    const made = madeComparison();
    await open(renderReportHtml(made));
    await page.keyboard.press("/");
    await page.keyboard.type("Q0012");
    expect(await ids()).toEqual(["q0012"]);
    await page.fill("#search", "API key");
    expect(await rows().count()).toBe(
      Math.min(50, made.per_query.filter(({ query }) => query?.includes("API key")).length),
    );
    await page.fill("#search", "no such query");
    expect(await rows().allTextContents()).toEqual(["No query is like this."]);
    await page.keyboard.press("Escape");
    expect(await page.inputValue("#search")).toBe("");
    await page.selectOption("#outcome", "worse");
    const worse = made.comparisons[0]?.metrics[0]?.worse ?? 0;
    expect(await page.locator("#query-count").textContent()).toContain(`${worse} of 200 queries`);
    await page.selectOption("#queries [data-state=metric]", "4");
    expect(await page.locator("#query-count").textContent()).toContain(
      `${made.comparisons[0]?.metrics[4]?.worse ?? 0} of 200 queries`,
    );
    // The chart follows the same choice.
    expect(await page.inputValue("#differences [data-state=metric]")).toBe("4");
    expect(await page.locator("#chart-about").textContent()).toContain("Lower is better");
  });

  it("shows the queries of a slice", async () => {
    const made = madeComparison();
    await open(renderReportHtml(made));
    await page.locator("#slices").getByRole("button", { name: "ko", exact: true }).click();
    const ofSlice = made.per_query.filter(({ labels }) => labels["lang"] === "ko").length;
    expect(await page.locator("#query-count").textContent()).toContain(`${ofSlice} of 200 queries`);
    await page.click("#clear-slice");
    expect(await page.locator("#query-count").textContent()).toContain("200 queries");
  });

  it("works by keyboard alone: search, move, open, step, close", async () => {
    await open(renderReportHtml(madeComparison()));
    const order = await ids();
    await page.keyboard.press("j");
    expect(await focusedRow()).toBe(order[0]);
    await page.keyboard.press("j");
    await page.keyboard.press("ArrowDown");
    expect(await focusedRow()).toBe(order[2]);
    await page.keyboard.press("k");
    await page.keyboard.press("Enter");
    expect(await isOpen()).toBe(true);
    expect(await page.locator("#query header p").textContent()).toContain(order[1]);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("j");
    expect(await page.locator("#query header p").textContent()).toContain(order[3]);
    await page.keyboard.press("Escape");
    expect(await isOpen()).toBe(false);
    expect(await focusedRow()).toBe(order[1]);
    for (let row = 1; row < 50; row++) await page.keyboard.press("j");
    expect(await page.locator("#page-number").textContent()).toBe("Page 2 of 4");
    await page.keyboard.press("k");
    expect(await focusedRow()).toBe(order[49]);
    await page.keyboard.press("?");
    expect(await page.locator("#keys").isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    expect(await page.locator("#keys").isVisible()).toBe(false);
  });

  it("goes back from the first row of a short page to the last one of the page before", async () => {
    await open(renderReportHtml(madeComparison({ queries: 53 })));
    const order = await ids();
    for (let row = 0; row <= 50; row++) await page.keyboard.press("j");
    expect(await page.locator("#page-number").textContent()).toBe("Page 2 of 2");
    await page.keyboard.press("k");
    expect(await focusedRow()).toBe(order[49]);
  });

  it("reaches every control by Tab, with a focus that can be seen", async () => {
    await open(renderReportHtml(madeComparison({ gains: [0.1, 0.2], queries: 60 })));
    const reached = new Set<string>();
    for (let press = 0; press < 60; press++) {
      await page.keyboard.press("Tab");
      const [name, outline] = await page.evaluate(() => {
        const { activeElement } = document;
        return [
          activeElement === null || activeElement === document.body
            ? ""
            : activeElement.id || activeElement.textContent || activeElement.tagName,
          activeElement === null ? "" : getComputedStyle(activeElement).outlineStyle,
        ] as const;
      });
      if (name === "") break;
      reached.add(name);
      expect(outline, name).not.toBe("none");
    }
    for (const id of ["theme", "help", "chart", "search", "outcome", "next"]) expect(reached).toContain(id);
  });

  it("draws a chart that mouse and keys can read", async () => {
    await open(renderReportHtml(madeComparison()));
    const chart = page.locator("#chart");
    await chart.hover({ position: { x: 4, y: 20 } });
    const best = await page.locator(".tip strong").textContent();
    await chart.focus();
    await page.keyboard.press("End");
    expect(await chart.getAttribute("aria-valuenow")).toBe("200");
    expect(await chart.getAttribute("aria-valuetext")).toMatch(/, worse, −0\.\d{4}/);
    await page.keyboard.press("Home");
    expect(await chart.getAttribute("aria-valuetext")).toContain(`${best}, improved, +`);
    await page.keyboard.press("Enter");
    expect(await page.locator("#query header p").textContent()).toContain(best);
  });

  it("shows what became of a query: rankings side by side, marks, lines and fates in words", async () => {
    const made = madeComparison({ gains: [0.1, -0.1] });
    await open(renderReportHtml(made));
    const fates = new Set<string>();
    await head("Query").getByRole("button").click();
    await rows().first().click();
    for (const query of made.per_query.slice(0, 40)) {
      const dialog = page.locator("#query");
      expect(await dialog.locator("h2").textContent()).toBe(query.query);
      expect(await dialog.locator(".ranking").count()).toBe(3);
      const [first] = query.rankings ?? [];
      expect(await dialog.locator(".ranking").first().locator(".item").allTextContents()).toEqual(
        first?.map(({ id }) => id),
      );
      expect(await dialog.locator(".ranking").first().locator(".grade.unjudged").count()).toBe(
        first?.filter(({ grade }) => grade === null).length,
      );
      expect(await dialog.locator(".ranking").first().locator(".grade.relevant").count()).toBe(
        first?.filter(({ grade }) => (grade ?? 0) >= 1).length,
      );
      const common = (query.rankings?.[1] ?? []).filter(({ id }) =>
        first?.some((hit) => hit.id === id),
      ).length;
      expect(await dialog.locator(".gutter").first().locator("path").count()).toBe(common);
      for (const text of await dialog.locator(".expected td").allTextContents())
        fates.add(text.replace(/ ?[:\d].*/, ""));
      await page.keyboard.press("j");
    }
    expect(fates).toEqual(
      new Set([
        "found at rank",
        "cut off",
        "lost by fusion",
        "never retrievedby no channel",
        "never retrieved",
        "not in the index",
      ]),
    );
  });

  it("opens the query that the address names", async () => {
    await open(renderReportHtml(madeComparison()));
    await rows().nth(2).click();
    const [address, title] = [page.url(), await page.locator("#query h2").textContent()];
    expect(address).toMatch(/#q\d+$/);
    await page.keyboard.press("Escape");
    await page.goto(address);
    expect(await page.locator("#query h2").textContent()).toBe(title);
  });

  it("shows the slices and what to judge next of the run that is chosen", async () => {
    await open(renderReportHtml(madeComparison({ gains: [0.1, 0.01], queries: 60 })));
    const shown = (): Promise<string[]> =>
      page
        .locator("[data-run]")
        .evaluateAll((blocks) =>
          blocks
            .filter((block) => getComputedStyle(block).display !== "none")
            .map((block) => (block as HTMLElement).dataset["run"] ?? ""),
        );
    expect(await shown()).toEqual(["1", "1"]);
    await page.selectOption("#slices [data-state=run]", "2");
    expect(await shown()).toEqual(["2", "2"]);
    expect(await head("dense-e5").count()).toBe(1);
    await page.emulateMedia({ media: "print" });
    expect(await shown()).toEqual(["1", "2", "1", "2"]);
  });

  /** The contrast of a text against what it stands on, as WCAG counts it. */
  const contrasts = (): Promise<[string, number][]> =>
    page.evaluate(() => {
      // A canvas knows the numbers of any colour.
      const context = document
        .createElement("canvas")
        .getContext("2d", { willReadFrequently: true }) as CanvasRenderingContext2D;
      const luminance = (colour: string): number => {
        context.fillStyle = colour;
        context.fillRect(0, 0, 1, 1);
        const [r = 0, g = 0, b = 0] = [...context.getImageData(0, 0, 1, 1).data].map((part) =>
          part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
        );
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const paper = luminance(getComputedStyle(document.body).backgroundColor);
      return [
        ...document.body.querySelectorAll("p, dd, dt, th, td, small, a, span, button, text, li, summary"),
      ]
        .filter(
          (element) =>
            element.checkVisibility() &&
            element.closest(".grade, .sr") === null &&
            !element.matches(":disabled"),
        )
        .map((element): [string, number] => {
          const style = getComputedStyle(element);
          const ink = luminance(element instanceof SVGElement ? style.fill : style.color);
          return [
            `${element.tagName} ${element.getAttribute("class") ?? ""}`,
            (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05),
          ];
        });
    });

  it.each(["light", "dark"] as const)(
    "can be read in %s: every text has a contrast of 4.5 or more",
    async (colorScheme) => {
      await open(renderReportHtml(madeComparison()), { colorScheme });
      const found = await contrasts();
      expect(found.length).toBeGreaterThan(300);
      expect(found.filter(([, contrast]) => contrast < 4.5)).toEqual([]);
    },
  );

  it("follows the system's light or dark until it is told otherwise", async () => {
    await open(renderReportHtml(madeComparison()), { colorScheme: "dark" });
    const paper = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await paper();
    await page.click("#theme");
    const light = await paper();
    expect(light).toBe("rgb(255, 255, 255)");
    expect(dark).not.toBe(light);
    await page.keyboard.press("t");
    expect(await paper()).toBe(dark);
  });

  it("prints: on white, without controls, with the first queries and how many there are", async () => {
    await open(renderReportHtml(madeComparison()), { colorScheme: "dark" });
    await page.click("#theme");
    await page.click("#theme");
    await page.emulateMedia({ media: "print" });
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
      "rgb(255, 255, 255)",
    );
    for (const hidden of ["nav", ".controls", "#search", "#next", "#query"])
      expect(await page.locator(hidden).first().isVisible(), hidden).toBe(false);
    expect(await page.locator("#query-count").innerText()).toBe(
      "200 queries; these are 1 to 50, the others are in the file",
    );
    const pdf = await page.pdf({ format: "A4" });
    expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  });

  it.each([PHONE, { width: 768, height: 1024 }, { width: 1280, height: 900 }])(
    "fits a window of $width pixels",
    async (viewport) => {
      for (const html of [
        renderReportHtml(madeComparison({ gains: [0.1, 0.01] })),
        renderReportHtml(hostileComparison()),
        renderReportHtml(
          JSON.parse(
            readFileSync(join(root, "fixtures/results/0.1.0/compare.json"), "utf8"),
          ) as CompareReport,
        ),
      ]) {
        if (page?.isClosed() === false) await page.context().close();
        await open(html, { viewport });
        expect(await fits()).toBe(true);
        await rows().first().click();
        expect(
          await page.evaluate(() => {
            const dialog = document.querySelector("#query");
            return dialog !== null && dialog.scrollWidth <= dialog.clientWidth;
          }),
        ).toBe(true);
      }
    },
  );

  it("can be read without scripts: verdict, metrics and slices", async () => {
    await open(renderReportHtml(madeComparison()), { javaScriptEnabled: false });
    const text = await page.locator("main").innerText();
    for (const part of ["Better", "nDCG@10", "Slices", "need JavaScript", "Permutations"])
      expect(text).toContain(part);
    expect(await page.locator("#search").isVisible()).toBe(false);
    expect(await page.locator("#theme").isVisible()).toBe(false);
  });

  it("shows reports of earlier versions, which have no statistics", async () => {
    await open(
      renderReportHtml(
        JSON.parse(readFileSync(join(root, "fixtures/results/0.1.0/compare.json"), "utf8")) as CompareReport,
      ),
    );
    expect(await rows().count()).toBe(50);
    await page.selectOption("#outcome", "regression");
    expect(await rows().count()).toBe(1);
    await rows().first().click();
    expect(await page.locator("#query").textContent()).toContain(
      "regression: the first expected hit was at rank 46 in the baseline and is not found in the run.",
    );
  });

  it("lets hostile text do nothing, wherever it stands", async () => {
    const tags = (): Promise<string[]> =>
      page.evaluate(() =>
        [
          ...new Set(
            [...document.querySelectorAll("*")].map((element) =>
              [element.tagName, ...element.getAttributeNames()].join(" "),
            ),
          ),
        ].sort(),
      );
    const walk = async (): Promise<string[]> => {
      const seen = await tags();
      await head("Query").getByRole("button").click();
      await rows().first().click();
      for (let query = 0; query < HOSTILE_TEXTS.length; query++) {
        seen.push(...(await tags()));
        await page.keyboard.press("j");
      }
      await page.keyboard.press("Escape");
      await page.locator("#chart").hover({ position: { x: 4, y: 4 } });
      await page.locator("#slices button").first().click();
      for (const text of HOSTILE_TEXTS.slice(0, 12)) await page.fill("#search", text);
      seen.push(...(await tags()));
      return [...new Set(seen)].sort();
    };
    await open(renderReportHtml(hostileComparison(HOSTILE_TEXTS.map((_, index) => `harmless ${index}`))));
    const harmless = await walk();
    await page.context().close();
    await open(
      renderReportHtml(hostileComparison(), { title: HOSTILE_TEXTS[0], generatedAt: HOSTILE_TEXTS[1] }),
    );
    expect(await walk()).toEqual(harmless);
    expect(await page.title()).toBe(HOSTILE_TEXTS[0]);
  });

  describe("of one run", () => {
    const golden = Array.from({ length: 12 }, (_, n) =>
      query(`q${String(n).padStart(2, "0")}`, {
        expected_chunk_ids: [`good${n}`],
        must_contain: ["yes"],
        lang: n % 2 === 0 ? "en" : "ko",
      }),
    );
    const run = aRun({
      results: golden.map(({ id }, n) =>
        n === 11
          ? result(id, [], { error: "timeout" })
          : result(
              id,
              [hit("other"), hit(n < 8 ? `good${n}` : `bad${n}`, undefined, { text: `passage ${n}` })],
              {
                answer: answer(n === 0 ? "no" : "yes [1]", {
                  citations: [{ marker: "1", citation: { chunk_id: `good${n}` } }],
                }),
              },
            ),
      ),
    });
    const report = reportRun(run, golden, { statistics: { resamples: 500 } });
    const texts = reportTexts({ runs: [run], golden });

    it.each([
      [1280, 800],
      [390, 844],
    ])("has figures and ranks on the first screen of %d by %d, and nothing is cut", async (width, height) => {
      await open(renderRunHtml(report, { texts }), { viewport: { width, height } });
      expect(await fits()).toBe(true);
      const figure = await page.locator(".ranks-figure").boundingBox();
      expect((figure?.y ?? Infinity) + (figure?.height ?? 0)).toBeLessThan(height);
    });
    it("shows misses first, and filters by what went wrong", async () => {
      await open(renderRunHtml(report, { texts }));
      expect((await ids()).slice(0, 4)).toEqual(["q08", "q09", "q10", "q11"]);
      const filtered = async (value: string): Promise<string[]> => {
        await page.selectOption("#outcome", value);
        return ids();
      };
      expect(await filtered("missed")).toEqual(["q08", "q09", "q10", "q11"]);
      expect(await filtered("answer-wrong")).toEqual(["q00"]);
      expect(await filtered("failed")).toEqual(["q11"]);
    });
    it("shows what hits say, and the answer with what is asked for marked", async () => {
      await open(renderRunHtml(report, { texts }));
      await page.locator("#missed button", { hasText: "q00" }).click();
      const dialog = page.locator("#query");
      expect(await dialog.locator(".ranking .passage").allTextContents()).toContain("passage 0");
      expect(await dialog.locator(".answer-verdicts").innerText()).toContain("lacks yes");
      await page.keyboard.press("j");
      expect(await dialog.locator(".answer-text mark.wanted").innerText()).toBe("yes");
      expect(await dialog.locator(".answer-text mark.citation").innerText()).toBe("[1]");
    });
    it("can be read without scripts", async () => {
      await open(renderRunHtml(report, { texts }), { javaScriptEnabled: false });
      expect(await page.locator("#missed tbody tr").count()).toBe(5);
      expect(await page.locator("#scores tbody tr").count()).toBeGreaterThan(5);
    });
  });

  describe("of a benchmark", () => {
    /** What can be seen before anybody scrolls. */
    const isInSight = (selector: string): Promise<boolean> =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight);

    it.each([
      ["light", { width: 1280, height: 800 }],
      ["dark", { width: 1280, height: 800 }],
      ["light", PHONE],
      ["dark", PHONE],
    ] as const)("answers the question before anybody scrolls, in %s", async (colorScheme, viewport) => {
      await open(renderBenchHtml(storedBench("keep-hybrid")), { colorScheme, viewport });
      expect(await page.locator("#decision .word").innerText()).toBe("Keep hybrid");
      for (const selector of [
        "#decision .word",
        "#decision .headline",
        ".modes tbody tr:nth-child(2) .plot-cell",
      ])
        expect(await isInSight(selector), selector).toBe(true);
      expect(await fits()).toBe(true);
      expect((await contrasts()).filter(([, contrast]) => contrast < 4.5)).toEqual([]);
    });

    it("has the modes, the rollback and the checklist on the first screen of a desktop", async () => {
      await open(renderBenchHtml(storedBench("keep-hybrid")), { viewport: { width: 1280, height: 800 } });
      for (const selector of [".modes tbody tr:last-child", "#decision .why h3 + p", ".checks li:last-child"])
        expect(await isInSight(selector), selector).toBe(true);
    });

    it("shows the cases of a query type, and what became of one in every mode", async () => {
      await open(renderBenchHtml(storedBench("two-tiers")));
      await page.locator("#query-types").getByRole("button", { name: "paraphrase", exact: true }).click();
      expect(await page.locator("#query-count").textContent()).toContain("4 of 20 queries");
      await rows().first().click();
      expect(await page.locator("#query .ranking").count()).toBe(5);
      expect(await page.locator("#query .expected tbody tr").count()).toBe(2);
      await page.keyboard.press("Escape");
      await page.locator("#lost tbody button").first().click();
      expect(await isOpen()).toBe(true);
      expect(await page.locator("#query .expected").textContent()).toContain("lost by fusion");
    });

    it("lets no table of modes and metrics scroll sideways on a phone", async () => {
      await open(renderBenchHtml(storedBench("two-tiers")), { viewport: PHONE });
      for (const table of await page.locator(".scroll:has(> .stacked)").all())
        expect(await table.evaluate((box) => box.scrollWidth <= box.clientWidth + 1)).toBe(true);
      expect(
        await page
          .locator(".stacked td")
          .first()
          .evaluate((cell) => getComputedStyle(cell, "::before").content),
      ).toBe('"nDCG@5"');
    });

    it("opens without a decision or a comparison, and without scripts", async () => {
      await open(renderBenchHtml(storedBench("one-mode")));
      expect(await page.locator("#decision .word").innerText()).toBe("No decision");
      await page.keyboard.press("t");
      await page.keyboard.press("/");
      await page.context().close();
      await open(renderBenchHtml(storedBench("two-tiers")), { javaScriptEnabled: false });
      expect(await page.locator("#decision").innerText()).toContain("over the latency budget");
    });

    it.each([PHONE, { width: 768, height: 1024 }, { width: 1280, height: 800 }])(
      "lets hostile text do nothing in a window of $width pixels, and fits it",
      async (viewport) => {
        const tags = (): Promise<string[]> =>
          page.evaluate(() =>
            [
              ...new Set(
                [...document.querySelectorAll("*")].map((element) =>
                  [element.tagName, ...element.getAttributeNames()].join(" "),
                ),
              ),
            ].sort(),
          );
        const walk = async (texts: readonly string[]): Promise<string[]> => {
          await open(renderBenchHtml(hostileBench(texts)), { viewport });
          expect(await fits()).toBe(true);
          await rows().first().click();
          const seen = await tags();
          await page.context().close();
          return seen;
        };
        expect(await walk(HOSTILE_TEXTS)).toEqual(
          await walk(HOSTILE_TEXTS.map((_, index) => `harmless ${index}`)),
        );
      },
    );
  });

  it("opens, sorts and searches 5,000 queries", async () => {
    const html = renderReportHtml(madeComparison({ queries: 5_000, gains: [0.1, 0.02] }));
    const start = Date.now();
    await open(html);
    const opened = Date.now() - start;
    expect(await page.locator("#query-count").textContent()).toContain("5,000 queries");
    expect(await page.locator("#chart *").count()).toBeLessThan(20);
    expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(4_000);
    const times = await page.evaluate(() => {
      const timed = (act: () => void): number => {
        const begin = performance.now();
        act();
        // Asking for a height makes the browser lay the page out at once.
        void document.body.offsetHeight;
        return Math.round(performance.now() - begin);
      };
      const heads = [...document.querySelectorAll<HTMLElement>("#query-table thead th")].map(
        (cell) => cell.textContent ?? "",
      );
      const sorts = heads.map((name, index): [string, number] => [
        `sort by ${name}`,
        timed(() => document.querySelectorAll<HTMLElement>("#query-table thead button")[index]?.click()),
      ]);
      const search = document.querySelector<HTMLInputElement>("#search") as HTMLInputElement;
      const typed = timed(() => {
        search.value = "password";
        search.dispatchEvent(new Event("input"));
      });
      const metric = document.querySelector<HTMLSelectElement>("[data-state=metric]") as HTMLSelectElement;
      const chosen = timed(() => {
        metric.value = "1";
        metric.dispatchEvent(new Event("change"));
      });
      return [...sorts, ["search", typed], ["another metric", chosen]] as [string, number][];
    });
    expect(await page.locator("#query-count").textContent()).toMatch(/^\d[\d,]* of 5,000 queries/);
    if (process.env["RANKPROOF_TIMES"] !== undefined)
      writeFileSync(process.env["RANKPROOF_TIMES"], JSON.stringify({ size: html.length, opened, times }));
  });
});
