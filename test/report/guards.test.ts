import { expect, it } from "vitest";
import { compareScores, type ScoreTable } from "../../src/compare/index.js";
import { renderComparisonText, renderReportMd } from "../../src/report/index.js";

const card = { higher_is_better: true, range: [0, 1] as [number, number] };
const queryIds = Array.from({ length: 10 }, (_, i) => `q${i}`);
const table = (run: string, score: (row: number) => number): ScoreTable => ({
  run,
  metrics: ["m", "n"].map((name) => ({ name, card })),
  queryIds,
  columns: ["m", "n"].map(() => queryIds.map((_, row) => score(row))),
});

it("a guard that holds is said in every form, as one that does not is", () => {
  const before = table("a", () => 0.5);
  const after = table("b", (row) => 0.5 + 0.01 * row);
  const comparison = compareScores([before, after], { primary: "m", guards: ["n"] });
  const [guard] = comparison.comparisons[0]?.verdict.guards ?? [];
  expect(guard).toMatchObject({ metric: "n", is_held: true });
  expect(renderComparisonText(comparison)).toContain("  The guard n holds");
  expect(renderReportMd(comparison)).toContain("- The guard n holds");
});
