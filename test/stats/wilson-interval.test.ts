import { describe, expect, it } from "vitest";
import { wilsonInterval } from "../../src/stats/index.js";

describe("Wilson's interval", () => {
  // SciPy 1.17.1: binomtest(k, n).proportion_ci(level, method="wilson").
  it.each([
    [0, 10, 0.95, 0.0, 0.27753279986288926],
    [1, 10, 0.95, 0.017876213095072896, 0.4041500267952385],
    [5, 10, 0.95, 0.236593090512564, 0.7634069094874361],
    [10, 10, 0.95, 0.7224672001371109, 1.0],
    [3, 150, 0.95, 0.006824751322967448, 0.05714668327038608],
    [3, 150, 0.99, 0.005067045245539324, 0.07559758872299893],
  ])("of %d in %d at %d is %d to %d", (successes, trials, level, low, high) => {
    const interval = wilsonInterval(successes, trials, level);
    expect(interval.share).toBe(successes / trials);
    expect(interval.low).toBeCloseTo(low, 14);
    expect(interval.high).toBeCloseTo(high, 14);
  });

  it("knows nothing of nothing, and refuses what is no count", () => {
    expect(wilsonInterval(0, 0)).toEqual({ share: 0, low: 0, high: 1 });
    expect(() => wilsonInterval(2, 1)).toThrow(/successes/);
    expect(() => wilsonInterval(1, 2, 1)).toThrow(/level/);
  });
});
