import { describe, expect, it } from "vitest";
import { wilcoxonSignedRank } from "../../src/stats/index.js";

describe("Wilcoxon's signed-rank test", () => {
  it("never has p = 0, not even of a thousand queries that all improved", () => {
    const differences = Array.from({ length: 1080 }, (_, i) => i + 1);
    // 2^-1080 is below the smallest double.
    expect(wilcoxonSignedRank(differences, { method: "exact" }).p).toBe(Number.MIN_VALUE);
  });
});
