import { expect, it } from "vitest";
import { compareScores, type ScoreTable } from "../../src/compare/index.js";
import { renderComparisonText, renderReportHtml, renderReportMd } from "../../src/report/index.js";
import { boardOfComparison } from "../../src/report/score-board.js";

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

it("a difference that nothing follows from is not said to be better or worse", () => {
  const comparison = compareScores([table("a", () => 0.5), table("b", (row) => 0.6 + 0.01 * row)]);
  const said = (undecided?: { why: string; but?: "better" | "worse" }): unknown[] => {
    const [first] = comparison.comparisons;
    if (first === undefined) throw new Error("there is one");
    const metrics = first.metrics.map((row) => ({ ...row, ...(undecided && { undecided }) }));
    const told = { ...comparison, comparisons: [{ ...first, metrics }] };
    const paint = (text: string, as: string): string => `<${as}>${text}`;
    return [
      renderComparisonText(told, { paint }).match(/<good>m /g)?.length ?? 0,
      boardOfComparison(told).rows.flatMap(({ scores }) => scores[0]?.groups ?? []),
      renderReportHtml(told).split('class="sr">better: ').length > 1,
    ];
  };
  const decided = said();
  expect(decided).toEqual([1, ["b", "a"], true]);
  expect(said({ why: "other depths" })).toEqual([0, ["a", "a"], false]);
  expect(said({ why: "other depths", but: "worse" })).toEqual(said({ why: "other depths" }));
  expect(said({ why: "other depths", but: "better" })).toEqual(decided);
});
