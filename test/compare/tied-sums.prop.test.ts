import { describe, expect, it } from "vitest";
import { compareScores } from "../../src/index.js";
import { LAW_RUNS } from "../support/arbitraries.js";

/** Counts every sign flip of whole numbers: no rounding anywhere. */
function exactP(differences: readonly number[]): number {
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  let extreme = 0;
  for (let signs = 0; signs < 2 ** differences.length; signs++) {
    const sum = differences.reduce(
      (all, difference, at) => all + ((signs >> at) & 1 ? difference : -difference),
      0,
    );
    if (Math.abs(sum) >= observed) extreme++;
  }
  return extreme / 2 ** differences.length;
}

describe("sums of sign flips that are equal but for rounding", () => {
  // Rounding the differences first once made these 0.0430 and 0.1484: the ties were gone.
  it.each([
    [30, [3, 0, 3, 3, 2, 1, 0, 1, 1, 2], [3, 2, 2, 4, 1, 5, 4, 3, 2, 4], 0.0546875],
    [12, [3, 0, 2, 2, 2, 4, 1, 2], [1, 1, 3, 0, 3, 2, 0, 0], 0.2734375],
  ])("in scores of so many parts: %d", (parts, a, b, p) => {
    const table = (run: string, scores: readonly number[]) => ({
      run,
      metrics: [{ name: "m", card: { higher_is_better: true, range: [0, 1] as [number, number] } }],
      queryIds: scores.map((_, at) => `q${at}`),
      columns: [scores.map((score) => score / parts)],
    });
    expect(exactP(a.map((score, at) => (b[at] as number) - score))).toBe(p);
    expect(compareScores([table("a", a), table("b", b)]).comparisons[0]?.metrics[0]?.p).toBe(p);
  });
  it("tie in small collections of every denominator", () => {
    let state = 1;
    const random = (below: number): number =>
      (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % below;
    for (let sample = 0; sample < LAW_RUNS.numRuns; sample++) {
      const parts = [3, 7, 12, 15, 30, 60, 100][sample % 7] as number;
      const [a, b] = [0, 1].map(() => Array.from({ length: 5 + random(6) }, () => random(6)));
      const size = Math.min(a?.length ?? 0, b?.length ?? 0);
      const table = (run: string, scores: readonly number[]) => ({
        run,
        metrics: [{ name: "m", card: { higher_is_better: true, range: [0, 5] as [number, number] } }],
        queryIds: scores.map((_, at) => `q${at}`),
        columns: [scores.map((score) => score / parts)],
      });
      const [first, second] = [a?.slice(0, size) ?? [], b?.slice(0, size) ?? []];
      const { comparisons } = compareScores([table("a", first), table("b", second)], { resamples: 100 });
      expect(comparisons[0]?.metrics[0]?.p).toBe(
        exactP(first.map((score, at) => (second[at] as number) - score)),
      );
    }
  });
});
