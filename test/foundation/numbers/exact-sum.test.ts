import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactSum } from "../../../src/foundation/numbers/index.js";
import { LAW_RUNS, shuffled } from "../../support/arbitraries.js";
import { units } from "../../support/units.js";

describe("exactSum", () => {
  it("does not lose what a running sum loses: 1e100 + 1 - 1e100 = 1", () =>
    expect(exactSum([1e100, 1, -1e100])).toBe(1));
  it("adds ten tenths to 1, where a running sum gives 0.9999999999999999", () =>
    expect(exactSum(Array<number>(10).fill(0.1))).toBe(1));
  it("rounds to even at a tie: 2^53 + 1 is 2^53, 2^53 + 3 is 2^53 + 4", () => {
    expect(exactSum([2 ** 53, 1])).toBe(2 ** 53);
    expect(exactSum([2 ** 53, 3])).toBe(2 ** 53 + 4);
  });
  it("sees what lies far below a tie", () => expect(exactSum([2 ** 53, 1, 2 ** -1074])).toBe(2 ** 53 + 2));
  it("handles the smallest and the largest doubles", () => {
    expect(exactSum([Number.MIN_VALUE, Number.MIN_VALUE])).toBe(2 * Number.MIN_VALUE);
    expect(exactSum([Number.MAX_VALUE, Number.MAX_VALUE, -Number.MAX_VALUE])).toBe(Number.MAX_VALUE);
    expect(exactSum([Number.MAX_VALUE, Number.MAX_VALUE])).toBe(Infinity);
  });
  it("gives 0, not -0, for nothing", () => expect(Object.is(exactSum([]), 0)).toBe(true));
  it("refuses what is not finite", () => {
    expect(() => exactSum([1, NaN])).toThrow("every value must be a finite number, got `NaN`");
  });

  it("is nearer to the exact sum than both its neighbours, whatever the numbers and their order", () =>
    fc.assert(
      fc.property(
        fc
          .array(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 }), {
            maxLength: 40,
          })
          .chain((values) => fc.tuple(fc.constant(values), shuffled(values))),
        ([values, other]) => {
          const sum = exactSum(values);
          expect(exactSum(other)).toBe(sum);
          const exact = values.reduce((total, value) => total + units(value), 0n);
          const distance = (candidate: number): bigint => {
            const difference = units(candidate) - exact;
            return difference < 0n ? -difference : difference;
          };
          const step = Math.max(Number.MIN_VALUE, Math.abs(sum) * 2 ** -53);
          expect(distance(sum) <= distance(sum + step) && distance(sum) <= distance(sum - step)).toBe(true);
        },
      ),
      LAW_RUNS,
    ));
});
