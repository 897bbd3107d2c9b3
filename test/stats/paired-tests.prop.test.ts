import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pairedTests, type PairedTest } from "../../src/stats/index.js";

const SETTINGS = { seed: 1, permutations: 2000 };

function found(test: PairedTest, values: readonly number[]): { p: number; way: number } {
  const differences = Float64Array.from(values);
  const [result] = test.test([{ differences, unrounded: differences, byQuery: differences }], SETTINGS);
  const mean = Math.sign(values.reduce((sum, value) => sum + value, 0));
  return { p: result?.p ?? NaN, way: Math.sign(result?.way ?? mean) };
}

/** Whole sixteenths, whose sums are exact. */
const values = fc.array(
  fc.integer({ min: -16, max: 16 }).map((value) => value / 16),
  { minLength: 2, maxLength: 40 },
);

describe.each(Object.entries<PairedTest>(pairedTests))("the paired test %s", (_, test) => {
  it("has a probability, the same with all signs turned, and then the other way", () => {
    fc.assert(
      fc.property(values, (differences) => {
        const [one, other] = [
          found(test, differences),
          found(
            test,
            differences.map((value) => 0 - value),
          ),
        ];
        if (Number.isNaN(one.p)) return expect(other.p).toBeNaN();
        expect(one.p).toBeGreaterThan(0);
        expect(one.p).toBeLessThanOrEqual(1);
        expect(other.p).toBeCloseTo(one.p, 10);
        expect(other.way + one.way).toBe(0);
      }),
    );
  });
  it("finds nothing in no difference, and what is alike in 12 queries", () => {
    const { p } = found(test, new Array<number>(12).fill(0));
    expect(Number.isNaN(p) || p === 1).toBe(true);
    const alike = Array.from({ length: 12 }, (_value, at) => (8 + (at % 3)) / 16);
    expect(found(test, alike)).toMatchObject({ way: 1 });
    expect(found(test, alike).p).toBeLessThan(0.01);
  });
  it("takes what differs as often either way for chance", () => {
    const even = Array.from({ length: 20 }, (_value, at) => ((at % 2 === 0 ? 1 : -1) * (1 + (at >> 1))) / 16);
    expect(found(test, even).p).toBeGreaterThan(0.5);
  });
});
