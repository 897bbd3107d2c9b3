import { describe, expect, it } from "vitest";
import { compareScores, type ScoreTable } from "../../src/compare/index.js";
import type { ScoreComparison } from "../../src/records/index.js";
import { renderReportHtml } from "../../src/report/index.js";
import { comparisonSections } from "../../src/report/internal.js";

/** Two runs, of which the second is worse for these queries, and a little better for nine others. */
function worseFor(ids: readonly string[]): ScoreComparison {
  const others = Array.from({ length: 9 }, (_, at) => `other${at}`);
  const table = (run: string, worse: number, better: number): ScoreTable => ({
    run,
    metrics: [{ name: "nDCG@10", card: { higher_is_better: true, range: [0, 1] } }],
    queryIds: [...ids, ...others],
    columns: [[...ids.map(() => worse), ...others.map(() => better)]],
  });
  return compareScores([table("a", 0.5, 0.5), table("b", 0.3, 0.51)]);
}

describe("the list of queries that got worse", () => {
  it("names the metric once above them", () => {
    const page = renderReportHtml(worseFor(["q0"]));
    expect(page).toContain("<h4>Queries that got worse by <bdi>nDCG@10</bdi> (1)</h4>");
    expect(page).toMatch(/<li>0\.5000→0\.3000 <span/);
  });

  it("marks them by id for a page that has addresses, by place for the script of the report", () => {
    const ids = ["q0", 'a "b" <c>&\n%20é', "__proto__", "\ud800"];
    const comparison = worseFor(ids);
    const marks = (html: string, name: string): string[] =>
      [...html.matchAll(new RegExp(`<span data-${name}="([^"]*)"`, "g"))].map(([, value = ""]) => value);
    const sections = comparisonSections(comparison).map(([, , { text }]) => text);
    const byId = marks(sections.join(""), "query-id").map(decodeURIComponent);
    expect(byId.sort()).toEqual(ids.map((id) => id.toWellFormed()).sort());
    const places = marks(renderReportHtml(comparison), "query");
    expect(places.sort()).toEqual(
      ids.map((id) => String(comparison.per_query.findIndex(({ query_id }) => query_id === id))).sort(),
    );
  });
});
