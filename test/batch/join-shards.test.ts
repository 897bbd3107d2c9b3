import { describe, expect, it } from "vitest";
import { attachLabels, findUnanswered } from "../../src/batch/index.js";
import { aRun, hit, result } from "../support/records.js";

describe("shards of a batch", () => {
  it("ask again where a query has other words than the answer", () => {
    const [of, has] = [1, [1]];
    const answered = (query: string) => [{ ...result("q1", []), query }];
    expect(findUnanswered({ of, has }, [{ id: "q1", query: "new" }], answered("old"))).toEqual(["q1"]);
    expect(findUnanswered({ of, has }, [{ id: "q1", query: "old" }], answered("old"))).toEqual([]);
  });
});

it("hits with a rank left out get their places", () => {
  const run = aRun({ results: [result("q", [hit("a", 1), hit("c", 3)])] });
  const labelled = attachLabels(run, [{ id: "q", query: "q" }], [], new Map());
  expect(labelled.run.results[0]?.hits_top_k.map(({ rank }) => rank)).toEqual([1, 2]);
});
