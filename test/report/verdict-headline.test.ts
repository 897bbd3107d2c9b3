import { describe, expect, it } from "vitest";
import { compareScores } from "../../src/compare/index.js";
import { renderReportHtml } from "../../src/report/index.js";

/** What a page says large and below it, of two runs of these differences. */
function pageOf(differences: readonly number[]): { readonly page: string; readonly headline: string } {
  const table = (run: string, scores: readonly number[]): Parameters<typeof compareScores>[0][number] => ({
    run,
    metrics: [{ name: "nDCG@10", card: { higher_is_better: true, range: [0, 1] } }],
    queryIds: differences.map((_, at) => `q${at}`),
    columns: [scores],
  });
  const a = table(
    "a",
    differences.map(() => 0.5),
  );
  const b = table(
    "b",
    differences.map((difference) => 0.5 + difference),
  );
  const page = renderReportHtml(compareScores([a, b]));
  const [, headline = ""] = /<p class="headline">(.*?)<\/p>/.exec(page) ?? [];
  return { page, headline };
}

const times = (count: number, value: (at: number) => number): number[] =>
  Array.from({ length: count }, (_, at) => value(at));

describe("the verdict of a page says each number once", () => {
  it("of a difference that is found", () => {
    const { page, headline } = pageOf(times(30, (at) => 0.1 + at / 1000));
    expect(headline).toBe("nDCG@10 rose (30 queries).");
    expect(page).toMatch(/<dd class="better">\+0\.1145<\/dd>/);
  });

  it("of one that can be chance, with what few queries mean", () => {
    const { headline } = pageOf(times(10, (at) => (at % 2 === 0 ? 0.2 : -0.19)));
    expect(headline).toMatch(
      /^nDCG@10 rose, which can be chance \(few queries\)\. A difference of this size/,
    );
  });

  it("of one that is too small to matter", () =>
    expect(pageOf(times(30, (at) => (at % 2) / 1000)).headline).toBe(
      "nDCG@10 is the same for all that matters.",
    ));

  it("and the metric once above the queries that got worse", () => {
    const { page } = pageOf([-0.2, ...times(9, () => 0.01)]);
    expect(page).toContain("<h4>Queries that got worse by <bdi>nDCG@10</bdi> (1)</h4>");
    expect(page).toMatch(/<li>0\.5000→0\.3000 <span/);
  });
});
