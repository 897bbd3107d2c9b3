import { expect, it } from "vitest";
import { exactSum } from "../../../src/foundation/numbers/index.js";
import { units } from "../../support/units.js";

it("a million scores: the same double in any order, and the one that BigInt gives", () => {
  let state = 42;
  const random = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const scores = Float64Array.from(
    { length: 1_000_000 },
    () => random() ** 8 / (1 + Math.floor(random() * 50)),
  );
  const exact = scores.reduce<bigint>((total, value) => total + units(value), 0n);
  const sum = exactSum(scores);
  expect(exactSum(scores.slice().sort())).toBe(sum);
  expect(exactSum(scores.slice().reverse())).toBe(sum);
  // BigInt to double rounds to nearest, ties to even; the scale is a power of two.
  const shift = BigInt(exact.toString(2).length - 64);
  expect(sum).toBe(Number((exact >> shift) | 1n) * 2 ** (Number(shift) - 1074));
});
