import { describe, expect, it } from "vitest";
import {
  nearestRankPercentile,
  RationalSum,
  roundFraction,
  roundTo4,
} from "../../../src/foundation/numbers/index.js";

describe("rounding to 4 decimals", () => {
  it("147/160 = 0.91875 is a half and goes away from zero: 0.9188", () =>
    expect(roundFraction({ numerator: 147, denominator: 160 })).toBe(0.9188));
  it("79/800 = 0.09875 gives 0.0988, where adding doubles gives 0.0987", () => {
    const sum = new RationalSum();
    for (let i = 0; i < 79; i++) sum.add(1, 10);
    expect(sum.roundMean(80)).toBe(0.0988);
    expect(
      Math.round(
        (Array<number>(79)
          .fill(0.1)
          .reduce((a, b) => a + b) /
          80) *
          1e4,
      ) / 1e4,
    ).toBe(0.0987);
  });
  it("negative halves go away from zero, too, and there is no -0", () => {
    expect(roundFraction({ numerator: -147, denominator: 160 })).toBe(-0.9188);
    expect(Object.is(roundFraction({ numerator: -1, denominator: 1_000_000 }), 0)).toBe(true);
    expect(Object.is(roundTo4(-0.00001), 0)).toBe(true);
    expect(roundTo4(-0.03125)).toBe(-0.0313);
  });
  it("the mean of nothing is 0", () => expect(new RationalSum().roundMean(0)).toBe(0));
  it("thirds, sevenths and elevenths are added exactly: (1/3 + 1/7 + 1/11) / 3 = 131/693", () => {
    const sum = new RationalSum();
    for (const denominator of [3, 7, 11]) sum.add(1, denominator);
    expect(sum.roundMean(3)).toBe(0.189);
  });
});

describe("nearest-rank percentile", () => {
  const times = Array.from({ length: 20 }, (_, index) => index + 1);
  it("the 95th of 20 values is the 19th, the 50th the 10th, the 100th the last", () => {
    expect([95, 50, 100].map((percent) => nearestRankPercentile(times, percent))).toEqual([19, 10, 20]);
  });
  it("of one value is that value", () => expect(nearestRankPercentile([7], 50)).toBe(7));
});
