import { expect, it } from "vitest";
import { groupsOf } from "../../src/compare/slices.js";

it("a label of 50 values groups queries, and one of 51 tells them apart", () => {
  const labels = (values: number) =>
    Array.from({ length: 2 * values }, (_, at) => ({ kind: `k${at % values}` }));
  expect(groupsOf(labels(50))).toHaveLength(1);
  expect(groupsOf(labels(51))).toHaveLength(0);
});
