import { describe, expect, it } from "vitest";
import { decimalOf } from "../../src/formats/trec/decimal.js";
import { seededRandom } from "../../src/foundation/numbers/index.js";

const read = (text: string): number => {
  const bytes = new TextEncoder().encode(` ${text} `);
  return decimalOf(bytes, 1, bytes.length - 1);
};

/**
 * Decimal numbers as programs print them: few digits, those of a double or a single, many, with exponents.
 */
function randomDecimal(random: () => number): string {
  const below = (limit: number): number => Math.floor(random() * limit);
  const value = (random() - 0.5) * 10 ** (below(25) - 6);
  const kinds = [
    () => String(value),
    () => value.toFixed(below(20)),
    () => String(Math.fround(value)),
    () => value.toPrecision(1 + below(21)),
    () => value.toExponential(below(20)),
    () => `${below(1e9)}.${String(below(1e9)).padStart(9, "0")}${below(10)}`,
    () => `0.${String(below(1e9)).padStart(9, "0")}${String(below(1e9)).padStart(9, "0")}`,
  ];
  return (kinds[below(kinds.length)] as () => string)();
}

describe("decimal numbers", () => {
  it("are the doubles that JavaScript reads, to the last bit", () => {
    const random = seededRandom(11);
    for (let i = 0; i < 200_000; i++) {
      const text = randomDecimal(random);
      if (!Object.is(read(text), Number(text))) throw new Error(`${text} was read as ${read(text)}`);
    }
  });
  it.each([
    "9007199254740993",
    "9007199254740992.5",
    "1.00000000000000011102230246251565",
    "4503599627370496.5",
    "4503599627370497.5",
    "0.1",
    "-0",
    "0",
    "00012.50",
    "1.7976931348623157e308",
    "5e-324",
    ".5",
    "5.",
    "+3",
    "123456789012345678",
    "999999999999999999",
    "0.00000000000000000001",
  ])("%s", (text) => {
    expect(Object.is(read(text), Number(text))).toBe(true);
  });
  it.each([
    "",
    "-",
    "+",
    ".",
    "e5",
    "1e",
    "0x10",
    "nan",
    "inf",
    "Infinity",
    "1_000",
    "--1",
    "+-1",
    "1.2.3",
    "1 2",
    "１",
  ])("%j is none", (text) => expect(read(text)).toBeNaN());
});
