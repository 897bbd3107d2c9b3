import { describe, expect, it } from "vitest";
import { effectiveGroups, groupShares, intervalsByGroup } from "../../src/stats/internal.js";
import { mean } from "../../src/stats/index.js";
import { seededRandom } from "../../src/foundation/numbers/index.js";

const groupsOf = (sizes: readonly number[]): number[][] => {
  let at = 0;
  return sizes.map((size) => Array.from({ length: size }, () => at++));
};

describe("shares of groups in a mean", () => {
  it("are the sums of groups of one size, and have the mean of the values for any sizes", () => {
    const values = Float64Array.of(1, 2, 3, 5, 8, 13);
    groupShares(values, groupsOf([2, 2, 2])).shares.forEach((share, at) => {
      expect(share).toBeCloseTo([1.5, 4, 10.5][at] as number, 12);
    });
    expect(mean(groupShares(values, groupsOf([3, 1, 2])).shares)).toBeCloseTo(mean(values), 12);
    expect(effectiveGroups(groupsOf([2, 2, 2]))).toBe(3);
    expect(effectiveGroups(groupsOf([4, 1, 1]))).toBe(2);
    expect([...groupShares(values, groupsOf([6])).shares]).toEqual([mean(values)]);
  });
  it.each([
    { sizes: [8, 4, 4, 2, 2, 2, 1, 1] },
    { sizes: [12, 6, 3, 3, 3, 3, 3, 3, 3, 1, 1, 1] },
    { sizes: [20, ...Array.from({ length: 60 }, () => 1)] },
    { sizes: Array.from({ length: 12 }, () => 5) },
  ])("give intervals that hold the truth in 95 of 100 samples, whatever the sizes: $sizes", ({ sizes }) => {
    const random = seededRandom(7);
    const normal = (): number => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
    const groups = groupsOf(sizes);
    const samples = 1000;
    let held = 0;
    for (let sample = 0; sample < samples; sample++) {
      const values = Float64Array.from(
        sizes.flatMap((size) => {
          const effect = normal();
          return Array.from({ length: size }, () => effect + normal() / 2);
        }),
      );
      const [interval] = intervalsByGroup([groupShares(values, groups)], { resamples: 100 });
      if (interval !== null && interval !== undefined && interval.low <= 0 && interval.high >= 0) held++;
    }
    expect(held / samples).toBeGreaterThan(0.935);
    expect(held / samples).toBeLessThan(0.985);
  });
});
