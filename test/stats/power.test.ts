import { describe, expect, it } from "vitest";
import {
  detectableEffect,
  pairedPower,
  pairsNeeded,
  powerTable,
  randomizationTest,
} from "../../src/stats/index.js";
import { seededRandom } from "../../src/foundation/numbers/index.js";

describe("power of paired tests", () => {
  // Cohen (1988), table 2.3.5 for paired scores, and G*Power's manual: d_z = 0.5 needs 34 pairs, 0.2 needs
  // 199, 0.8 needs 15.
  it.each([
    [0.5, 34],
    [0.2, 199],
    [0.8, 15],
    [-0.5, 34],
  ])("an effect of %d needs %d pairs for a power of 0.8", (effect, pairs) => {
    expect(pairsNeeded(effect)).toBe(pairs);
    expect(pairedPower(Math.abs(effect), pairs)).toBeGreaterThanOrEqual(0.8);
    expect(pairedPower(Math.abs(effect), pairs - 1)).toBeLessThan(0.8);
  });
  it("without an effect a test finds one as often as alpha says", () => {
    expect(pairedPower(0, 20)).toBeCloseTo(0.05, 9);
    expect(pairedPower(0, 200, { alpha: 0.01 })).toBeCloseTo(0.01, 9);
    expect(pairsNeeded(0)).toBeNull();
    expect(pairsNeeded(1e-9)).toBeNull();
  });
  it.each([2, 3, 5, 10, 50, 1000, 100_000])(
    "the detectable effect of %d pairs has the power that was asked for",
    (pairs) => {
      for (const power of [0.1, 0.5, 0.8, 0.99])
        expect(pairedPower(detectableEffect(pairs, { power }), pairs)).toBeCloseTo(power, 9);
    },
  );
  it("one pair detects nothing", () => {
    expect(detectableEffect(1)).toBeNaN();
  });
  it("the randomization test finds a detectable effect about as often (500 samples of 40)", () => {
    const random = seededRandom(11);
    const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const effect = detectableEffect(40);
    let found = 0;
    for (let sample = 0; sample < 500; sample++)
      if (
        randomizationTest(
          Float64Array.from({ length: 40 }, () => effect + normal()),
          { permutations: 1999 },
        ).p < 0.05
      )
        found++;
    // 0.8 give or take three standard errors of 500 tries.
    expect(Math.abs(found / 500 - 0.8)).toBeLessThan(0.054);
  });
});

describe("powerTable", () => {
  it("refuses sizes and differences that there cannot be", () => {
    expect(() => powerTable({ sizes: [1] })).toThrow("sizes must be a whole number from 2, got `1`");
    expect(() => powerTable({ power: 0.04 })).toThrow("power must be above alpha (0.05), got `0.04`");
    expect(() => powerTable({ power: 0.05 })).toThrow("power must be above alpha (0.05), got `0.05`");
    expect(() => powerTable({ difference: 0 })).toThrow("difference must be a number above 0, got `0`");
    expect(detectableEffect(2.5)).toBeNaN();
  });
  it("has a row for each size: with 4 times the queries half of the difference is detected", () => {
    const { sizes, queries_needed, difference } = powerTable({ sizes: [400, 1600], deviation: 0.1 });
    expect([queries_needed, difference]).toEqual([null, null]);
    expect(sizes.map(({ queries, power }) => [queries, power])).toEqual([
      [400, null],
      [1600, null],
    ]);
    const [few = NaN, many = NaN] = sizes.map(({ detectable }) => detectable ?? NaN);
    expect(few / many).toBeCloseTo(2, 2);
  });
  it("promises nothing that the randomization test cannot find", () => {
    const { sizes, queries_needed } = powerTable({ difference: 0.5, deviation: 0.2, sizes: [5, 6] });
    expect(queries_needed).toBe(6);
    expect(sizes).toEqual([
      { queries: 5, detectable: null, power: 0 },
      { queries: 6, detectable: expect.any(Number), power: expect.any(Number) },
    ]);
  });
  // Of 6 queries all must move the same way: Φ(1.45)^6 = 0.632, and Φ(1.8)^6 = 0.803 (SciPy).
  it.each([
    [1.45, 0.6324, 7],
    [1.7, 0.7606, 7],
    [1.8, 0.8029, 6],
  ])(
    "with 6 queries an effect of %d is found with a power of %d, so that it needs %d",
    (effect, power, needed) => {
      const { sizes, queries_needed } = powerTable({ difference: effect, deviation: 1, sizes: [6, 7] });
      expect(sizes[0]?.power).toBeCloseTo(power, 3);
      expect(queries_needed).toBe(needed);
      const [six = NaN, seven = NaN] = sizes.map(({ detectable }) => detectable ?? NaN);
      expect(seven).toBeLessThan(six);
      expect(powerTable({ difference: six, deviation: 1, sizes: [6] }).sizes[0]?.power).toBeCloseTo(0.8, 9);
    },
  );
  it("says what one difference needs: so many queries reach the power, and one fewer does not", () => {
    const { queries_needed } = powerTable({ difference: 0.02, deviation: 0.1 });
    const at = (queries: number): number | null | undefined =>
      powerTable({ difference: 0.02, deviation: 0.1, sizes: [queries] }).sizes[0]?.power;
    expect(at(queries_needed as number)).toBeGreaterThanOrEqual(0.8);
    expect(at((queries_needed as number) - 1)).toBeLessThan(0.8);
  });
});
