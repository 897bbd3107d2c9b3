import { describe, expect, it } from "vitest";
import { kendallTau } from "../../src/stats/kendall-tau.js";
import { spearman } from "../../src/stats/spearman.js";

describe("Kendall's tau", () => {
  it("takes n log n steps: 200,000 values within seconds", () => {
    const x = Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 200_003);
    const y = x.map((value) => value % 1000);
    expect(kendallTau(x, y).tauB).toBeGreaterThan(0);
    expect(
      kendallTau(
        x,
        x.map((value) => -value),
      ).tauB,
    ).toBe(-1);
    expect(spearman(x, x).rho).toBe(1);
  });
});
