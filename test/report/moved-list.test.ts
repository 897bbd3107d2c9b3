import { expect, it } from "vitest";
import { compareScores, type ScoreTable } from "../../src/compare/index.js";
import { renderReportHtml } from "../../src/report/index.js";

it("the metric stands once above the queries that got worse by it", () => {
  const differences = [-0.2, ...Array.from({ length: 9 }, () => 0.01)];
  const table = (run: string, scores: readonly number[]): ScoreTable => ({
    run,
    metrics: [{ name: "nDCG@10", card: { higher_is_better: true, range: [0, 1] } }],
    queryIds: differences.map((_, at) => `q${at}`),
    columns: [scores],
  });
  const a = differences.map(() => 0.5);
  const b = differences.map((difference) => 0.5 + difference);
  const page = renderReportHtml(compareScores([table("a", a), table("b", b)]));
  expect(page).toContain("<h4>Queries that got worse by <bdi>nDCG@10</bdi> (1)</h4>");
  expect(page).toMatch(/<li>0\.5000→0\.3000 <span/);
});
