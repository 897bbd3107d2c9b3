import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactMean, exactSum, RationalSum, roundTo4 } from "../../../src/foundation/numbers/index.js";
import { LAW_RUNS, shuffled } from "../../support/arbitraries.js";
import { oracle } from "../../support/oracles.js";
import { units } from "../../support/units.js";

describe("exactMean", () => {
  it("gives back 0.1 for three times 0.1, where 0.30000000000000004 / 3 is 0.10000000000000002", () =>
    expect(exactMean([0.1, 0.1, 0.1])).toBe(0.1));
  it("is finite where the sum is beyond a double", () =>
    expect(exactMean([Number.MAX_VALUE, Number.MAX_VALUE])).toBe(Number.MAX_VALUE));
  it("rounds halves of the smallest double to even", () => {
    expect(exactMean([Number.MIN_VALUE, 0])).toBe(0);
    expect(exactMean([3 * Number.MIN_VALUE, 0])).toBe(2 * Number.MIN_VALUE);
    expect(exactMean([-3 * Number.MIN_VALUE, 0])).toBe(-2 * Number.MIN_VALUE);
  });
  it("is NaN of nothing", () => expect(exactMean([])).toBeNaN());

  it("is nearer to the exact mean than both its neighbours, whatever the numbers and their order", () =>
    fc.assert(
      fc.property(
        fc
          .array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 12 })
          .chain((values) => fc.tuple(fc.constant(values), shuffled(values))),
        ([values, other]) => {
          const mean = exactMean(values);
          expect(exactMean(other)).toBe(mean);
          const sum = values.reduce((total, value) => total + units(value), 0n);
          // How far a candidate is off, times the number of values.
          const distance = (candidate: number): bigint => {
            const difference = units(candidate) * BigInt(values.length) - sum;
            return difference < 0n ? -difference : difference;
          };
          for (const step of [-1, 1]) {
            const neighbour = mean + step * Math.max(Number.MIN_VALUE, Math.abs(mean) * 2 ** -53);
            if (Number.isFinite(neighbour)) expect(distance(mean) <= distance(neighbour)).toBe(true);
          }
        },
      ),
      LAW_RUNS,
    ));
});

interface MeanCase {
  readonly name: string;
  readonly kind: "double" | "fraction";
  readonly scores: readonly (number | readonly [number, number])[];
  readonly expected: {
    readonly count: number;
    readonly sum: number | string;
    readonly mean: number | null;
    readonly mean_4: number | null;
  };
}

/** Scores as doubles, and their mean in both forms. */
function meansOf({ kind, scores }: MeanCase): { mean: number; rounded: number; doubles: number[] } {
  if (kind === "double") {
    const doubles = scores as readonly number[];
    const mean = exactMean([...doubles]);
    return { mean, rounded: roundTo4(mean), doubles: [...doubles] };
  }
  const sum = new RationalSum();
  const fractions = scores as readonly (readonly [number, number])[];
  for (const [numerator, denominator] of fractions) sum.add(numerator, denominator);
  return { mean: sum.mean(scores.length), rounded: sum.roundMean(scores.length), doubles: [] };
}

describe("exact means of the oracle", () => {
  const file = join(oracle("partials") as string, "means.json");
  const { cases } = JSON.parse(readFileSync(file, "utf8")) as { cases: MeanCase[] };
  it.each(cases.filter(({ expected }) => expected.mean !== null))("$name", (each) => {
    const { mean, rounded, doubles } = meansOf(each);
    expect(mean).toBe(each.expected.mean);
    expect(rounded).toBe(each.expected.mean_4);
    if (each.kind === "double") expect(exactSum(doubles)).toBe(Number(each.expected.sum));
  });
});
