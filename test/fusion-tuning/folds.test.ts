import { describe, expect, it } from "vitest";
import { choiceSpread } from "../../src/fusion-tuning/choice-spread.js";
import { weightAxis, type Choice, type Family } from "../../src/fusion-tuning/family.js";
import { holdOutParts, usualValidation } from "../../src/fusion-tuning/folds.js";

it("up to 500 groups are held out one by one", () => {
  expect(usualValidation([], 500, 1).kind).toBe("leave_one_out");
  expect(usualValidation([], 501, 1).kind).toBe("folds");
});

it("the point in the middle of an even number of choices is the lower one, as of all medians here", () => {
  const family = {
    method: "wsum",
    normalizer: { name: "none" },
    axis: weightAxis("weight"),
  } as unknown as Family;
  const choices = [0.4, 0.2].map((point) => ({ family, choice: { point } as Choice }));
  expect(choiceSpread(choices)[0]?.point).toEqual({ low: 0.2, median: 0.2, high: 0.4 });
});

describe("queries that are held out", () => {
  const ids = Array.from({ length: 200_000 }, (_, at) => `q${at}`);
  const groups = ids.map((_, at) => (at < 10 ? `g${at}` : "most"));

  it("may be of one group nearly all", () => {
    const [parts = []] = holdOutParts(ids, groups, { kind: "folds", folds: 3, repeats: 1 });
    expect(parts.map((part) => part.length).sort((x, y) => x - y)).toEqual([3, 4, 199_993]);
    expect(new Set(parts.flat()).size).toBe(ids.length);
  });
  it("have the parts that are given, however large", () => {
    const folds = new Map(ids.map((id, at) => [id, at < 10 ? "a" : "b"]));
    const [parts = []] = holdOutParts(ids, groups, { kind: "given", folds });
    expect(parts.map((part) => part.length)).toEqual([10, 199_990]);
    folds.delete("q5");
    expect(() => holdOutParts(ids, groups, { kind: "given", folds })).toThrow("query `q5` is in no fold");
  });
});
