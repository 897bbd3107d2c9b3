import { describe, expect, it } from "vitest";
import { ascending, formatChange, formatP, formatPInProse } from "../../../src/foundation/numbers/index.js";

describe("numbers as they are printed", () => {
  it("p values have 4 decimals and are never 0", () => {
    expect([0.04567, 0.0001, 0.00009, 1, null].map(formatP)).toEqual([
      "0.0457",
      "0.0001",
      "< 0.0001",
      "1.0000",
      "—",
    ]);
    // Below 0.05, and above it, is not the same as 0.05.
    expect([0.049988, 0.05004, 0.05, 0.9999999999, 0.0499999999].map(formatP)).toEqual([
      ...["0.04999", "0.05004", "0.0500", "1.0000", "0.0500"],
    ]);
    expect([0.04567, 0.00009, null].map(formatPInProse)).toEqual(["p = 0.0457", "p < 0.0001", "p unknown"]);
  });
  it("differences have their sign", () =>
    expect([0.05, -0.05, 0, null].map(formatChange)).toEqual(["+0.0500", "-0.0500", "0.0000", "—"]));
});

describe("the order of numbers", () => {
  it("has a place for infinite ones, of which there may be several", () =>
    expect([Infinity, 2, -Infinity, Infinity, 1].sort(ascending)).toEqual([
      -Infinity,
      1,
      2,
      Infinity,
      Infinity,
    ]));
});
