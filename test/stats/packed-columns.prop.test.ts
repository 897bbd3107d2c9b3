import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packColumns, ROUNDING_OF_DIFFERENCES, unpackSums } from "../../src/stats/packed-columns.js";
import { lawRuns } from "../support/arbitraries.js";

interface Fractions {
  readonly numerators: readonly number[];
  readonly denominator: number;
}

const fractions: fc.Arbitrary<Fractions> = fc.record({
  numerators: fc.array(fc.integer({ min: -30, max: 30 }), { minLength: 1, maxLength: 50 }),
  denominator: fc.constantFrom(1, 2, 3, 5, 7, 10, 2520),
});
const valuesOf = ({ numerators, denominator }: Fractions): number[] =>
  numerators.map((numerator) => numerator / denominator);
const total = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((sum, value) => sum + value, 0);
const sizes = (values: ArrayLike<number>): number => total(Array.from(values, Math.abs));
const pack = (columns: readonly ArrayLike<number>[]): ReturnType<typeof packColumns> =>
  packColumns(columns, sizes, ROUNDING_OF_DIFFERENCES);

/** The sums of columns and of each one turned around, divided by two. */
function halvedSums(columns: readonly ArrayLike<number>[]): number[][] {
  const into = columns.map(() => new Float64Array(2));
  for (const packed of pack(columns)) {
    const sum = total(packed.values);
    unpackSums(packed, Float64Array.of(sum, 0 - sum), 2, into);
  }
  return into.map((sums) => [...sums]);
}

describe("packed columns", () => {
  it("have the exact sums of all fractions in them, of whatever lengths and denominators", () => {
    fc.assert(
      fc.property(fc.array(fractions, { minLength: 1, maxLength: 12 }), (columns) => {
        expect(halvedSums(columns.map(valuesOf))).toEqual(
          columns.map(({ numerators, denominator }) => {
            const sum = total(numerators) / (2 * denominator);
            return [sum, -sum + 0];
          }),
        );
      }),
      lawRuns(0.4),
    );
  });

  it("are as many as the digits of a number have room for", () => {
    const column = Array.from({ length: 5000 }, (_, at) => at % 3);
    const wide = Array.from({ length: 5000 }, (_, at) => (at % 11) / 2520);
    const sizesOf = (columns: readonly number[][]): number[] =>
      pack(columns).map(({ members }) => members.length);
    expect(sizesOf(Array<number[]>(8).fill(column))).toEqual([3, 3, 2]);
    expect(sizesOf(Array<number[]>(8).fill(wide))).toEqual([3, 3, 2]);
    expect(sizesOf([[2 ** 40], [2 ** 40], [1]])).toEqual([2, 1]);
  });

  it("leave alone what is no fraction, what is tiny and what is too large, to the bit", () => {
    const others = [[0.123456789, 0.5], [1e-12, 1e-12], [2 ** 60, 1], [0.5, 1e-17], [NaN]];
    expect(pack(others)).toEqual(others.map((values, column) => ({ values, column, members: [] })));
    expect(halvedSums([[1], ...others])).toEqual([
      [0.5, -0.5],
      ...others.map((values) => [total(values) / 2, -total(values) / 2]),
    ]);
  });

  it("take differences of rounded fractions for what they are, and of scores fractions alone", () => {
    const rounded = [0.3 - 0.1, 2 / 3 - 1 / 3];
    expect(halvedSums([rounded])[0]).toEqual([8 / 15 / 2, -8 / 15 / 2]);
    expect(packColumns([rounded], sizes, 0)[0]?.members).toEqual([]);
    expect(packColumns([[0.3, 0.1, 2 / 3, 1 / 9]], sizes, 0)[0]?.members).toMatchObject([
      { denominator: 2520 },
    ]);
  });
});
