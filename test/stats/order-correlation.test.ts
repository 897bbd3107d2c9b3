import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { kendallTau } from "../../src/stats/kendall-tau.js";
import { pearson } from "../../src/stats/pearson.js";
import { matchPositions } from "../../src/stats/match-positions.js";
import { spearman } from "../../src/stats/spearman.js";
import { tauAp } from "../../src/stats/tau-ap.js";
import { expectValue, type Expected } from "../support/expected-values.js";
import { statisticsOracle } from "../support/statistics.js";
import { expectCorrelations, type Correlations } from "../support/correlations.js";

interface OrderCase extends Correlations {
  readonly truth: readonly string[];
  readonly predicted: readonly string[];
  readonly tau_ap: Expected;
}

interface ScoreCase extends Correlations {
  readonly x: readonly number[];
  readonly y: readonly number[];
}

const oracle = JSON.parse(readFileSync(statisticsOracle("order-correlation.json"), "utf8")) as {
  cases: readonly OrderCase[];
  scores_with_ties: readonly ScoreCase[];
};

describe("correlation of orders, against SciPy", () => {
  it.each(oracle.cases.map((each) => [each.predicted.join(""), each] as const))("%s", (_, each) => {
    const { first, second } = matchPositions(each.truth, each.predicted);
    expectCorrelations(first, second, each);
    expectValue("tau_ap", tauAp(each.truth, each.predicted), each.tau_ap);
  });
  it.each(
    oracle.scores_with_ties.map((each) => [`${each.x.join(" ")} and ${each.y.join(" ")}`, each] as const),
  )("%s", (_, each) => expectCorrelations(each.x, each.y, each));
});

describe("Kendall's tau", () => {
  it("one pair of six discordant: (5 - 1) / 6", () =>
    expect(kendallTau([1, 2, 3, 4], [1, 2, 4, 3])).toMatchObject({ tauB: 4 / 6, tauC: 4 / 6 }));
  it("four of the 24 orders of four have at most one inversion: p = 2 * 4 / 24", () =>
    expect(kendallTau([1, 2, 3, 4], [1, 2, 4, 3]).p).toBeCloseTo(8 / 24, 15));
  it("is exactly 1 and -1 with ties in the same places", () => {
    expect(kendallTau([1, 1, 2, 3], [5, 5, 6, 9]).tauB).toBe(1);
    expect(kendallTau([1, 1, 2, 3], [9, 9, 6, 5]).tauB).toBe(-1);
  });
  it(
    "counts permutations up to 33 values, and beyond where one swap separates the orders (as SciPy " +
      "does)",
    () => {
      const counted = Array.from({ length: 40 }, (_, i) => i);
      const swapped = [1, 0, ...counted.slice(2)];
      const twice = [1, 0, 3, 2, ...counted.slice(4)];
      expect(kendallTau(counted.slice(0, 33), twice.slice(0, 33)).method).toBe("exact");
      expect(kendallTau(counted, swapped).method).toBe("exact");
      expect(kendallTau(counted, twice).method).toBe("asymptotic");
      // 2 / 39!
      expect(Math.log(kendallTau(counted, swapped).p as number)).toBeCloseTo(
        Math.log(2) - 106.63176026064346,
        10,
      );
    },
  );
  it("is the same for -0 and 0, and ranks infinities", () => {
    expect(kendallTau([-0, 0, 1], [1, 1, 2]).tauB).toBe(1);
    expect(kendallTau([-Infinity, 0, Infinity], [1, 2, 3]).tauB).toBe(1);
  });
  it("refuses what is not a number, and lists of different length", () => {
    expect(() => kendallTau([1, NaN], [1, 2])).toThrow(
      "kendallTau: every value must be a number, got `NaN` at position 1; leave the pair out",
    );
    expect(() => spearman([1], [1, 2])).toThrow(
      "spearman: both lists must have one value per pair, got `1` and `2` values; leave out what " +
        "only one of them has",
    );
    expect(() => pearson([1, Infinity], [1, 2])).toThrow("every value must be a finite number");
  });
});

describe("nothing to correlate", () => {
  it.each([[[]], [[1]], [[2, 2, 2]]])("%j: null", (values: number[]) => {
    expect(kendallTau(values, values)).toMatchObject({ tauB: null, tauC: null, p: null });
    expect(spearman(values, values)).toEqual({ rho: null, p: null });
    expect(pearson(values, values)).toEqual({ r: null, p: null });
  });
});

describe("Pearson's r", () => {
  it("4 / 5 for a swap at the end: 1 - 6 * 2 / (4 * 15)", () =>
    expect(pearson([1, 2, 3, 4], [1, 2, 4, 3]).r).toBeCloseTo(0.8, 15));
  it("is the same when values are scaled or moved, also to where squares overflow", () => {
    expect(pearson([1e200, 2e200, 3e200, 4e200], [1, 2, 4, 3]).r).toBeCloseTo(0.8, 15);
    expect(pearson([0.4e308, 0.8e308, 1.2e308, 1.6e308], [1, 2, 4, 3]).r).toBeCloseTo(0.8, 12);
    expect(pearson([-1.7e308, -0.85e308, 1.7e308, 0.85e308], [-2, -1, 2, 1]).r).toBeCloseTo(1, 12);
    expect(pearson([1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 4], [1, 2, 4, 3]).r).toBeCloseTo(0.8, 15);
  });
});

describe("tau-ap", () => {
  it("a, c, b against a, b, c: (1/1 + 1/2) * 2/2 - 1 = 1/2", () =>
    expect(tauAp(["a", "b", "c"], ["a", "c", "b"])).toBe(0.5));
  it("an error at the top costs more: b, a, c gives (0/1 + 2/2) * 2/2 - 1 = 0", () =>
    expect(tauAp(["a", "b", "c"], ["b", "a", "c"])).toBe(0));
  it("leaves out what only one order has", () =>
    expect(tauAp(["x", "a", "b", "c"], ["a", "y", "c", "z", "b"])).toBe(0.5));
  it("is null for fewer than two shared items", () =>
    expect([tauAp([], []), tauAp(["a"], ["a"]), tauAp(["a", "b"], ["b", "c"])]).toEqual([null, null, null]));
  it("refuses an item that is duplicated", () =>
    expect(() => tauAp(["a", "b"], ["b", "a", "b"])).toThrow(
      "an item may stand once in a ranking, got `b` at positions 0 and 2; keep the first",
    ));
});
