import { expect, it } from "vitest";
import { searchScorecard } from "../../../src/metrics/index.js";
import { usualMetrics } from "../../../src/compare/index.js";
import { metricGroups } from "../../../src/web/parts/metric-groups.js";

const titles = (names: readonly string[]): string[] => metricGroups(names).map(({ title }) => title);

it("the metric that decides is a group of its own, whatever it looks at", () => {
  expect(metricGroups(["nDCG@10", "nDCG@20", "P@5", "P(rel=2)@5"])).toEqual([
    { title: "Primary", names: ["nDCG@10"] },
    { title: "Graded ranking", names: ["nDCG@20"] },
    { title: "Precision", names: ["P@5", "P(rel=2)@5"] },
  ]);
});

it("every metric of the usual scorecards has a group, and is in one alone", () => {
  for (const names of [searchScorecard().metrics.map(({ name }) => name), usualMetrics]) {
    const listed = names.map(String);
    expect(titles(listed)).not.toContain("Others");
    expect(metricGroups(listed).flatMap((group) => group.names)).toHaveLength(listed.length);
  }
});

it("what it does not know stands last", () => {
  expect(titles(["P@5", "Mine", "R@5"])).toEqual(["Primary", "Recall", "Others"]);
  expect(metricGroups([])).toEqual([]);
});
