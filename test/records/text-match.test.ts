import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { passesTextChecks } from "../../src/records/index.js";
import { query } from "../support/records.js";

describe("text checks", () => {
  it("compares after NFC: e + accent is é", () =>
    expect(passesTextChecks("cafe\u0301", query("q", { must_contain: ["caf\u00e9"] }))).toBe(true));
  it("minds the case unless told otherwise", () => {
    expect(passesTextChecks("Straße", query("q", { must_contain: ["STRASSE"] }))).toBe(false);
    expect(passesTextChecks("Borrow Checker", query("q", { must_contain: ["borrow"] }))).toBe(false);
    expect(
      passesTextChecks("Borrow Checker", query("q", { must_contain: ["borrow"] }), "caseInsensitive"),
    ).toBe(true);
  });
  it("finds without case whatever it finds with it, also where a letter changes with its place", () => {
    const find = (text: string, part: string, match?: "caseInsensitive"): boolean =>
      passesTextChecks(text, query("q", { must_contain: [part] }), match);
    for (const [text, part] of [
      ["ΟΔΟΣΑ", "ΟΔΟΣ"],
      ["ΔΡΌΜΟΣ.", "δρόμοσ"],
      ["STRASSE", "straße"],
      ["STRAẞE", "straße"],
      ["STRAẞE", "strasse"],
      ["5 µg", "5 ΜG"],
      ["ſ", "S"],
    ] as const)
      expect(find(text, part, "caseInsensitive"), text).toBe(true);
    // Letters with their marks: an accent alone may go with the second s of what was a ß.
    const letters = fc.string({ unit: fc.constantFrom(..."aΣσςßẞſıİiµé .한", "E\u0301") });
    fc.assert(
      fc.property(letters, letters, letters, (before, part, after) => {
        const text = before + part + after;
        if (find(text, part)) expect(find(text, part, "caseInsensitive")).toBe(true);
      }),
    );
  });
  it("wants all that must be there and none that must not", () => {
    expect(passesTextChecks("a b", query("q", { must_contain: ["a", "b"] }))).toBe(true);
    expect(passesTextChecks("a", query("q", { must_contain: ["a", "b"] }))).toBe(false);
    expect(passesTextChecks("a b", query("q", { must_contain: ["a"], forbidden: ["b"] }))).toBe(false);
  });
});
