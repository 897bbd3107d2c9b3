import { describe, expect, it } from "vitest";
import { holdOutParts } from "../../src/fusion-tuning/folds.js";

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
