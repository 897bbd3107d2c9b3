import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { gate } from "../../src/gate/index.js";
import { intervalPlot, plotScale } from "../../src/report/html/interval-plot.js";
import { clipMarkup } from "../../src/report/html/markup.js";
import { comparisonSource, pageData } from "../../src/report/html/page-data.js";
import type { PageData } from "../../src/report/html/page-model.js";
import { formatCount } from "../../src/foundation/numbers/index.js";
import { formatDifference } from "../../src/report/html/printed-numbers.js";
import { renderReportHtml } from "../../src/report/index.js";
import { scoreComparisonSchema, verdictKindSchema } from "../../src/records/schema/index.js";
import type { CompareReport } from "../../src/records/index.js";
import { HOSTILE_TEXTS, hostileComparison, madeComparison } from "../support/comparison.js";
import { present } from "../support/present.js";
import { pattern } from "../support/pattern.js";

const older = JSON.parse(
  readFileSync(fileURLToPath(new URL("../../fixtures/results/0.1.0/compare.json", import.meta.url)), "utf8"),
) as CompareReport;

/** The contents of the elements whose text no browser reads as HTML. */
const RAW = /<(script|style)(?: [^>]*)?>([^]*?)<\/\1>/g;
const raw = (page: string): string[] => [...page.matchAll(RAW)].map(([, , content]) => content ?? "");
/** The page without them. */
const markupOf = (page: string): string => page.replace(RAW, "<$1></$1>");
const embedded = (page: string): PageData => JSON.parse(raw(page)[1] ?? "") as PageData;
/** Every element with the names of its attributes. */
const elements = (page: string): Set<string> =>
  new Set(
    [...markupOf(page).matchAll(/<([a-zA-Z!][^\s>]*)([^>]*)>/g)].map(([, tag, attributes]) =>
      [tag, ...[...(attributes ?? "").matchAll(/([^\s=]+)="[^"]*"/g)].map(([, name]) => name)].join(" "),
    ),
  );
const visible = (page: string): string =>
  markupOf(page)
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

describe("the HTML report", () => {
  const page = renderReportHtml(madeComparison());

  it("is tried on comparisons that have the shape of real ones", () => {
    for (const comparison of [madeComparison(), madeComparison({ gains: [0.1, -0.1] }), hostileComparison()])
      expect(comparison).toMatchObject(scoreComparisonSchema.parse(comparison));
  });

  it.each(verdictKindSchema.options)("says %s in a word, with a sign beside it", (kind) => {
    const word = {
      better: "Better",
      worse: "Worse",
      equivalent: "Equivalent",
      inconclusive: "Inconclusive",
      not_comparable: "Not comparable",
    }[kind];
    const comparison = madeComparison({ kind, queries: 30 });
    const text = renderReportHtml(comparison);
    expect(text).toMatch(
      new RegExp(`<h3 class="word [a-z]+"><svg class="sign"[^>]*><path d="[^"]+"/></svg>${word}</h3>`),
    );
    for (const reason of comparison.comparisons[0]?.verdict.reasons ?? [])
      expect(visible(text)).toContain(reason);
  });

  it("shows no difference in large type where there is nothing to compare", () => {
    expect(renderReportHtml(madeComparison({ kind: "not_comparable", queries: 30 }))).not.toContain(
      '<dl class="figures">',
    );
    expect(page).toContain('<dl class="figures">');
  });

  it("has its sections in order, each under a heading, and links to each", () => {
    const ids = [
      "verdict",
      "metrics",
      "differences",
      "slices",
      "queries",
      "judge-next",
      "settings",
      "warnings",
    ];
    expect(
      [...page.matchAll(/<section id="([^"]+)" aria-labelledby="([^"]+)"/g)].map(([, id]) => id),
    ).toEqual(ids);
    for (const [, , heading] of page.matchAll(/<section id="([^"]+)" aria-labelledby="([^"]+)"/g))
      expect(page).toContain(`id="${heading}"`);
    expect([...page.matchAll(/<a href="#([^"]+)">/g)].map(([, id]) => id)).toEqual(
      expect.arrayContaining(ids),
    );
    expect(page.match(/<h1>/g)).toHaveLength(1);
    for (const [cell] of page.matchAll(/<th[ >][^>]*>?/g)) expect(cell).toContain("scope=");
  });

  it("begins with what a gate says, where there is one", () => {
    const comparison = madeComparison({ queries: 30 });
    const gated = renderReportHtml(comparison, { gate: gate(comparison, ["nDCG@10 >= 0", 'R&D"x >= 1']) });
    expect([...gated.matchAll(/<section id="([^"]+)"/g)].map(([, id]) => id).slice(0, 2)).toEqual([
      "gate",
      "verdict",
    ]);
    expect(gated).toContain('<a href="#gate">Gate</a>');
    expect(visible(gated)).toMatch(
      pattern(
        /Gate The gate failed: 1 of 2 checks does not hold\. nDCG@10 &gt;= 0 \( hybrid-rrf \) ✓ held /,
        /nDCG@10 is 0\.\d+, at least 0 R&amp;D&quot;x &gt;= 1 \( hybrid-rrf \) ✗ not held /,
        /`R&amp;D&quot;x` is not in the result/,
      ),
    );
    expect(renderReportHtml(comparison, { gate: null })).toBe(renderReportHtml(comparison));
  });

  it("shows the difference, the interval and p of the primary metric without a script", () => {
    const { metrics } = present(madeComparison().comparisons[0]);
    const primary = present(metrics[0]);
    const text = visible(page);
    expect(text).toContain(formatDifference(primary.difference));
    expect(text).toContain(
      `${formatDifference(primary.interval?.low)} to ${formatDifference(primary.interval?.high)}`,
    );
    for (const { metric } of metrics) expect(text).toContain(metric);
    for (const fact of ["paired randomization", "100,000", "10,000", "42", "Holm", "BCa bootstrap"])
      expect(text).toContain(fact);
  });

  it("says nothing of unjudged hits where there are none", () => {
    const made = structuredClone(madeComparison());
    const [{ verdict }] = made.comparisons as [(typeof made.comparisons)[number]];
    verdict.unjudged = { could_overturn: "no", bounds: null, unjudged_a: 0, unjudged_b: 0 };
    expect(renderReportHtml(made)).not.toContain("of the baseline and 0 of the run have no");
    verdict.unjudged.unjudged_b = 1;
    expect(renderReportHtml(made).replace(/\s+/g, " ")).toContain("1 of the run have no label");
  });
  it("lists the worst 40 slices of a kind and counts the others, of which there may be very many", () => {
    const made = madeComparison({ queries: 3 });
    const many = Array.from({ length: 100_000 }, (_, index) => ({
      ...present(made.comparisons[0]?.slices[0]),
      by: "author",
      value: `author ${index}`,
    }));
    const text = renderReportHtml({
      ...made,
      comparisons: made.comparisons.map((run) => ({ ...run, slices: many })),
    });
    expect(visible(text)).toContain("and 99,960 more, all in the JSON report");
    expect(text).not.toContain("author 40<");
  });

  it("has a card for each of several runs, and a table of all pairs", () => {
    const text = renderReportHtml(madeComparison({ gains: [0.1, 0.01, -0.1], queries: 60 }));
    expect(text.match(/<article class="verdict compact">/g)).toHaveLength(3);
    expect(text).toContain("Every run against every other");
    expect(visible(text)).toContain("3 runs against bm25-words");
  });

  it("knows that less is better for some metrics: a fall of the first rank is an improvement", () => {
    const comparison = madeComparison({ gains: [0.2] });
    const fall = present(comparison.comparisons[0]?.metrics.find(({ metric }) => metric === "Rank@first"));
    expect(fall.difference).toBeLessThan(0);
    expect(renderReportHtml(comparison)).toContain(
      '<td class="n strong better" data-name="Difference"><span class="sign-mark" ' +
        'aria-hidden="true">▲</span><span class="sr">better: ' +
        `</span>${formatDifference(fall.difference)}</td>`,
    );
  });

  it("is the same bytes every time, with no date but the caller's", () => {
    expect(renderReportHtml(madeComparison())).toBe(page);
    expect(page).not.toMatch(/20\d\d-\d\d|Generated|GMT|UTC/);
    const dated = renderReportHtml(madeComparison(), {
      title: "Nightly <run>",
      generatedAt: "2026-05-01 09:00 UTC",
    });
    expect(dated).toContain("2026-05-01 09:00 UTC");
    expect(dated).toContain("<title>Nightly &lt;run&gt;</title>");
  });

  it("asks nobody for anything: no address, and nothing that loads", () => {
    expect(page).not.toMatch(/https?:|\/\/[a-z]/i);
    expect(markupOf(page)).not.toMatch(/ src=|@import|url\(/);
    for (const [, target] of page.matchAll(/ href="([^"]*)"/g)) expect(target).toMatch(/^(#|data:,$)/);
  });

  it("has a policy that allows its own script and style by their hashes, and nothing else", () => {
    const [style, , script] = raw(page);
    const hash = (text: string | undefined): string =>
      `'sha256-${createHash("sha256")
        .update(text ?? "")
        .digest("base64")}'`;
    expect(page).toContain(
      `content="default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src ` +
        "data:; base-uri 'none'; form-action 'none'\"",
    );
    expect(markupOf(page)).not.toMatch(/ style="| on[a-z]+="/);
  });

  it("has less than 60 kB of script and style", () => {
    const [style = "", , script = ""] = raw(page);
    expect(style.length + script.length).toBeLessThan(60_000);
  });

  it(
    "has a script and a style that are compiled from what is in the folder today (else: node " +
      "scripts/html-page.js)",
    async () => {
      const { generatedPage } = (await import(
        new URL("../../scripts/html-page.js", import.meta.url).href
      )) as {
        generatedPage: () => Promise<{ path: string; content: string }>;
      };
      const { path, content } = await generatedPage();
      expect(readFileSync(path, "utf8")).toBe(content);
    },
  );
});

describe("text from data in the HTML report", () => {
  const harmless = renderReportHtml(hostileComparison(HOSTILE_TEXTS.map((_, index) => `harmless ${index}`)));
  const page = renderReportHtml(hostileComparison(), {
    title: HOSTILE_TEXTS[0],
    generatedAt: HOSTILE_TEXTS[1],
  });

  it("adds no element and no attribute", () => {
    expect(elements(page)).toEqual(elements(harmless));
    expect(raw(page)).toHaveLength(3);
    expect([raw(page)[0], raw(page)[2]]).toEqual([raw(harmless)[0], raw(harmless)[2]]);
  });

  it("is all there, as text", () => {
    expect(visible(page)).toContain("&lt;img src=x onerror=&quot;window.owned = 1&quot;&gt;");
    expect(visible(page)).toContain("&amp;lt;b&amp;gt;");
    expect(embedded(page).queries.map(({ id }) => id)).toEqual(
      HOSTILE_TEXTS.map((text) => clipMarkup(text, 160)),
    );
  });

  it("ends no script: the data has neither < nor a line separator", () => {
    expect(raw(page)[1]).not.toMatch(/[<>&\u2028\u2029]/);
  });

  it("has no character that moves the cursor or turns the direction, and no half of a pair", () => {
    expect(page).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
    expect(page.isWellFormed()).toBe(true);
  });

  it("is clipped: strings of 100 kB in every place make no large file", () => {
    expect(page.length).toBeLessThan(400_000);
  });

  it("keeps ids apart that are the same when clipped, and labels of any name", () => {
    const long = "x".repeat(1_000);
    const comparison = madeComparison({ queries: 1 });
    const query = present(comparison.per_query[0]);
    const { data, labelIndex } = pageData(
      comparisonSource(
        {
          ...comparison,
          per_query: [
            {
              ...query,
              labels: Object.fromEntries([["__proto__", "a"]]),
              rankings: [
                [
                  { id: `${long}1`, grade: null },
                  { id: `${long}2`, grade: 1 },
                ],
                [{ id: `${long}2`, grade: 1 }],
              ],
              expected: null,
            },
          ],
        },
        null,
      ),
    );
    expect(data.queries[0]?.rankings).toEqual([
      [0, null, 1, 1],
      [1, 1],
    ]);
    expect(data.labels).toEqual([["__proto__", "a"]]);
    expect([
      labelIndex("__proto__", "a"),
      labelIndex("__proto__", "b"),
      labelIndex("constructor", "a"),
    ]).toEqual([0, null, null]);
  });
});

describe("the HTML report of two runs", () => {
  it("has metrics and outcomes when there are no statistics, as in reports of earlier versions", () => {
    const page = renderReportHtml(older);
    expect(visible(page)).toContain("Mixed, more worse than better: of 109 queries 14 improved");
    expect(visible(page)).toMatch(/MRR@10 0\.\d{4} 0\.\d{4}/);
    expect(visible(page)).toContain("chunker version: sections@1 → windows@1");
    expect(page).not.toContain('id="settings"');
    expect(embedded(page).queries[0]).toMatchObject({
      id: "q-001",
      outcome: { kind: "win", rankA: 6, rankB: 4, note: "rank 6→4" },
    });
    expect(renderReportHtml({ ...older, statistics: null })).toBe(page);
  });
  it("has the verdict, the aggregates, the causes and the settings when there are", () => {
    const page = renderReportHtml({ ...older, statistics: madeComparison({ queries: 20 }) });
    for (const id of ["verdict", "metrics", "aggregates", "configuration", "settings", "warnings"])
      expect(page).toContain(`<section id="${id}"`);
    expect(visible(page)).toContain("the chunkers differ");
  });
  it("says that there is nothing, rather than fail, without a query, a metric or a run", () => {
    const made = madeComparison({ queries: 3 });
    for (const comparison of [
      { ...made, per_query: [] },
      { ...made, metrics: [], comparisons: [] },
      { ...made, runs: [], comparisons: [], per_query: [] },
      {
        ...made,
        comparisons: made.comparisons.map((run) => ({ ...run, metrics: [], slices: [], judge_next: [] })),
      },
    ])
      expect(renderReportHtml(comparison)).toContain("</html>");
  });
});

describe("numbers in the HTML report", () => {
  it("have a sign only where they are not 0, and a p value is never 0", () => {
    expect(
      [0.01234, -0.01234, 0, -0, 0.00001, -0.00001, null].map((value) => formatDifference(value)),
    ).toEqual(["+0.0123", "−0.0123", "0.0000", "0.0000", "0.0000", "0.0000", "—"]);
    expect([0, 999, 1_000, 1_234_567].map(formatCount)).toEqual(["0", "999", "1,000", "1,234,567"]);
  });
  it("are drawn on scales that have 0, all values and round ticks", () => {
    for (const values of [[0.01, 0.04], [-0.3, -0.2], [-1, 2], [0], [], [1e6], [1e-9, null, undefined]]) {
      const { low, high, ticks } = plotScale(values);
      for (const value of [0, ...values])
        if (typeof value === "number") expect(value >= low && value <= high).toBe(true);
      expect(ticks).toContain(0);
      expect(ticks.length).toBeLessThanOrEqual(5);
    }
  });
  it("cuts what would flatten the others, and says so with an arrow at the edge", () => {
    const values = [0.01, -0.02, 0.015, 0.02, 0.9];
    expect(plotScale(values).high).toBeGreaterThan(0.9);
    const { high } = plotScale(values, { cutsOutliers: true });
    expect(high).toBeGreaterThan(0.02);
    expect(high).toBeLessThan(0.2);
    expect(plotScale([0.01, -0.02, 0.015, 0.1], { cutsOutliers: true }).high).toBeGreaterThan(0.1);
    const plot = (value: number): string =>
      intervalPlot(plotScale(values, { cutsOutliers: true }), {
        value,
        interval: { low: value - 0.01, high: value + 0.01 },
        tone: "better",
      }).text;
    expect(plot(0.9)).toContain('class="beyond"');
    expect(plot(0.015)).not.toContain('class="beyond"');
  });
  it("without zero holds its values alone", () => {
    const { low, high, ticks } = plotScale([0.5, 0.53, 0.52], { hasZero: false });
    expect([low > 0.49, high < 0.54, ticks.length > 1]).toEqual([true, true, true]);
    expect(plotScale([0.5, 0.5], { hasZero: false }).high).toBeGreaterThan(0.5);
    expect(plotScale([], { hasZero: false }).ticks).toContain(0);
  });
});
