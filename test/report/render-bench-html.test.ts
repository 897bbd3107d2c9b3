import { describe, expect, it } from "vitest";
import type { PageData } from "../../src/report/html/page-model.js";
import { renderBenchHtml } from "../../src/report/index.js";
import { aSamplePass, hostileBench, promotedBench, storedBench } from "../support/bench-report.js";
import { HOSTILE_TEXTS } from "../support/comparison.js";
import { present } from "../support/present.js";
import { pattern } from "../support/pattern.js";

/** The contents of the elements whose text no browser reads as HTML. */
const RAW = /<(script|style)(?: [^>]*)?>([^]*?)<\/\1>/g;
const raw = (page: string): string[] => [...page.matchAll(RAW)].map(([, , content]) => content ?? "");
const markupOf = (page: string): string => page.replace(RAW, "<$1></$1>");
const visible = (page: string): string =>
  markupOf(page)
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
const elements = (page: string): Set<string> =>
  new Set(
    [...markupOf(page).matchAll(/<([a-zA-Z!][^\s>]*)([^>]*)>/g)].map(([, tag, attributes]) =>
      [tag, ...[...(attributes ?? "").matchAll(/([^\s=]+)="[^"]*"/g)].map(([, name]) => name)].join(" "),
    ),
  );
const sectionsOf = (page: string): (string | undefined)[] =>
  [...page.matchAll(/<section id="([^"]+)"/g)].map(([, id]) => id);
const sectionOf = (page: string, id: string): string =>
  visible(present(new RegExp(`<section id="${id}"[^]*?</section>`).exec(page)?.[0]));

describe("the HTML report of a benchmark", () => {
  const page = renderBenchHtml(storedBench("two-tiers"));

  it("has its sections in order, each under a heading, and links to each", () => {
    expect(sectionsOf(page)).toEqual([
      "decision",
      "query-types",
      "metrics",
      "pairs",
      "differences",
      "slices",
      "queries",
      "lost",
      "settings",
    ]);
    expect([...page.matchAll(/<nav[^]*?<\/nav>/g)][0]?.[0].match(/href="#[^"]+"/g)).toEqual(
      sectionsOf(page).map((id) => `href="#${id ?? ""}"`),
    );
    expect(page.match(/<h1>/g)).toHaveLength(1);
    for (const [cell] of page.matchAll(/<th[ >][^>]*>?/g)) expect(cell).toContain("scope=");
    expect(renderBenchHtml(storedBench("too-few"))).toContain('<a href="#warnings">');
  });

  it("begins with the decision, the modes, the tiers, the rollback and the checklist", () => {
    const text = sectionOf(page, "decision");
    expect(text).toContain("Fall back to fts_only hybrid@live ranks better, but over the latency budget.");
    expect(text).toMatch(
      pattern(
        /hybrid@live good-vectors 0\.8683 ▲ better: \+0\.2245 \+0\.0527 to \+0\.4051 0\.7250 0\.9000 /,
        /1\.0000 317\.9 ms 372\.4 ms over the budget/,
      ),
    );
    expect(text).toContain("Does the live provider beat the offline vectors?");
    expect(text).toMatch(/hybrid hash-128 → good-vectors 0\.4643 → 0\.8683 \+0\.4040 0\.0011/);
    expect(text).toContain("Rollback Run fts_only.");
    expect(text).toContain("✗ open: manual sampling pass");
    expect(text).toContain("✓ done: fixed judged dataset");
    expect(text).toContain("Embeddings may not be promoted: the decision does not keep them.");
  });

  it("draws the interval of every mode on one scale, in a colour only where it is on one side of 0", () => {
    const table = present(/<table class="modes stacked">[^]*?<\/table>/.exec(page)?.[0]);
    expect([...table.matchAll(/<svg class="plot (\w+)"/g)].map(([, tone]) => tone)).toEqual([
      "neutral",
      "worse",
      "worse",
      "neutral",
      "better",
    ]);
    expect(new Set([...table.matchAll(/<line class="zero" x1="([^"]+)"/g)].map(([, x]) => x)).size).toBe(1);
  });

  it("has the scores of each query type in every mode, and a way to their queries", () => {
    const text = sectionOf(page, "query-types");
    for (const { query_type } of storedBench("two-tiers").fixture.query_types)
      expect(text).toContain(`${query_type} 4 cases`);
    expect(page.match(/<span data-label="\d+">/g)).toHaveLength(5);
    expect(text.match(/hybrid@live/g)).toHaveLength(5);
  });

  it("has every case for the script, with the modes as runs", () => {
    const data = JSON.parse(raw(page)[1] ?? "") as PageData;
    expect(data.runs).toEqual(["fts_only", "embedding_only", "hybrid", "embedding_only@live", "hybrid@live"]);
    expect(data.queries).toHaveLength(20);
    expect(data.channels).toEqual(["fts_only", "embedding_only", "embedding_only@live"]);
  });

  it("says what fusion lost, what failed, and what people said of the hits", () => {
    expect(sectionOf(page, "lost")).toMatch(
      /case-\d+ made-up question \d+ paper-\d:\w+:0 3 hybrid (fts_only|embedding_only) \d/,
    );
    expect(sectionOf(renderBenchHtml(storedBench("too-few")), "failures")).toContain(
      "case-02 embedding_only the endpoint answered 503",
    );
    expect(
      sectionOf(renderBenchHtml({ ...storedBench("keep-hybrid"), sampling: aSamplePass() }), "sampling"),
    ).toContain("hybrid 41 10 9");
    expect(visible(renderBenchHtml(promotedBench()))).toContain(
      "Embeddings may be promoted: the decision keeps them, and nothing of the checklist is missing.",
    );
  });

  it("reads well without a decision, a comparison, or a case", () => {
    const report = storedBench("one-mode");
    const alone = renderBenchHtml(report);
    expect(sectionsOf(alone)).toEqual(["decision", "query-types", "settings", "warnings"]);
    expect(sectionOf(alone, "decision")).toContain("No decision Nothing was decided");
    expect(alone).not.toContain("Against fts_only");
    for (const more of [
      { modes: [] },
      { fixture: { ...report.fixture, query_types: [] } },
      { checklist: [] },
    ])
      expect(renderBenchHtml({ ...report, ...more })).toContain("</html>");
    expect(renderBenchHtml({ ...storedBench("two-tiers"), decision: null })).toContain("No decision");
  });

  it("is the same bytes every time, with no date but the caller's, and asks nobody for anything", () => {
    expect(renderBenchHtml(storedBench("two-tiers"))).toBe(page);
    expect(page).not.toMatch(/20\d\d-\d\d|https?:|\/\/[a-z]/i);
    expect(
      renderBenchHtml(storedBench("one-mode"), {
        title: "Nightly <run>",
        generatedAt: "2026-05-01 09:00 UTC",
      }),
    ).toMatch(/<title>Nightly &lt;run&gt;<\/title>[^]*2026-05-01 09:00 UTC/);
  });

  it("shows hostile text and lets it do nothing: no element, no attribute, no end of a script", () => {
    const hostile = renderBenchHtml(hostileBench(HOSTILE_TEXTS), {
      title: HOSTILE_TEXTS[0],
      generatedAt: HOSTILE_TEXTS[1],
    });
    const harmless = renderBenchHtml(hostileBench(HOSTILE_TEXTS.map((_, index) => `harmless ${index}`)));
    expect(elements(hostile)).toEqual(elements(harmless));
    expect([raw(hostile)[0], raw(hostile)[2]]).toEqual([raw(harmless)[0], raw(harmless)[2]]);
    expect(raw(hostile)[1]).not.toMatch(/[<>&\u2028\u2029]/);
    expect(hostile).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
    expect(hostile.isWellFormed()).toBe(true);
    expect(hostile.length).toBeLessThan(800_000);
  });
});
