import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { englishAnalyzer, fts5Analyzer, plainAnalyzer } from "../../src/retrieve/index.js";
import { LAW_RUNS } from "../support/arbitraries.js";

const ALPHABET = [
  "a",
  "B",
  "é",
  "e\u0301",
  "İ",
  "ß",
  "ﬁ",
  "1",
  "²",
  " ",
  "-",
  "_",
  "'",
  "中",
  "文",
  "カ",
  "ﾞ",
  "ー",
  "한",
  "\u1112\u1161",
  "ก",
  "ิ",
  "ह",
  "ि",
  "ع",
  "\u200d",
  "\u200b",
  "\ufe0f",
  "\u00ad",
  "❤",
  "👍🏽",
  "\ud800",
  "\udc00",
  "\0",
  "Σ",
  "ς",
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...ALPHABET), fc.string({ unit: "binary", maxLength: 2 })), {
    maxLength: 25,
  })
  .map((parts) => parts.join(""));

describe.each([plainAnalyzer, englishAnalyzer, fts5Analyzer])("$name", (analyzer) => {
  const termsOf = (of: string): string[] => analyzer.words(of).map((word) => analyzer.term(word));

  it("never fails, and no word and no term is empty or has a space", () => {
    fc.assert(
      fc.property(text, (given) =>
        [...analyzer.words(given), ...termsOf(given)].every((word) => word !== "" && !/\s/u.test(word)),
      ),
      LAW_RUNS,
    );
  });
  it("has the words of two texts that a space parts: first those of the one, then those of the other", () => {
    fc.assert(
      fc.property(
        text,
        text,
        (one, other) => void expect(termsOf(`${one} ${other}`)).toEqual([...termsOf(one), ...termsOf(other)]),
      ),
      LAW_RUNS,
    );
  });
  it("every word begins with a letter or a digit", () => {
    fc.assert(
      fc.property(text, (given) => analyzer.words(given).every((word) => /^[\p{L}\p{N}\p{Co}]/u.test(word))),
      LAW_RUNS,
    );
  });
});

describe("plain words", () => {
  const termsOf = (of: string): string[] => plainAnalyzer.words(of).map((word) => plainAnalyzer.term(word));

  it("are the same composed, decomposed and in full", () => {
    fc.assert(
      fc.property(text, (given) => {
        for (const form of ["NFC", "NFD", "NFKC", "NFKD"])
          expect(termsOf(given.normalize(form))).toEqual(termsOf(given));
      }),
      LAW_RUNS,
    );
  });
  it("of words are those words", () => {
    const spaced = fc
      .array(fc.constantFrom("wing", "été", "İstanbul", "हिन्दी", "ﬁne", "x²"), { maxLength: 6 })
      .map((words) => words.join(" "));
    fc.assert(
      fc.property(spaced, (given) => void expect(termsOf(termsOf(given).join(" "))).toEqual(termsOf(given))),
      LAW_RUNS,
    );
  });
});
