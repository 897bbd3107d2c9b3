import { expect, it } from "vitest";
import { printDifference } from "../../../src/web/parts/printed.js";

it("a difference that rounds to zero has no sign", () => {
  expect([0.1, -0.1, 0.00001, -0.00001, 0, -0, null].map(printDifference)).toEqual([
    "+0.1000",
    "−0.1000",
    "0.0000",
    "0.0000",
    "0.0000",
    "0.0000",
    "—",
  ]);
});
