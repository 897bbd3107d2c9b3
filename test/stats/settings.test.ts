import { describe, expect, it } from "vitest";
import { fuse } from "../../src/fusion/index.js";
import { rankByScore } from "../../src/formats/index.js";
import { rankingAgreement } from "../../src/index.js";
import {
  adjustPValues,
  cohenDav,
  detectableEffect,
  differenceIntervals,
  maxT,
  meanInterval,
  pairedPower,
  pairedTTest,
  pairsNeeded,
  randomizationTest,
  signTest,
  tInterval,
  wilcoxonSignedRank,
} from "../../src/stats/index.js";

const d = Array.from({ length: 40 }, (_, at) => ((at * 7) % 11) / 11 - 0.4);
const run = (...ids: string[]) => ({ name: ids.join(), run: new Map([["q", ids]]) });
/** A word that no type lets through, as callers without types have it. */
const words = (word: string) => word as "less";

describe("settings that would give a wrong number are refused", () => {
  it.each<[string, () => unknown, string]>([
    ["confidence in per cent", () => meanInterval(d, { confidence: 95 }), "confidence must be above 0"],
    ["of Student's t", () => tInterval(d, 95), "confidence must be above 0"],
    ["of both", () => differenceIntervals([d], { confidence: 1 }), "confidence must be above 0 and below 1"],
    ["no resamples", () => meanInterval(d, { resamples: 0 }), "resamples must be a whole number from 1"],
    ["an interval that there is not", () => meanInterval(d, { method: "bcaa" as "bca" }), "method must be "],
    ["no flips", () => randomizationTest(d, { permutations: -1 }), "permutations must be a whole number"],
    ["flips in part", () => randomizationTest(d, { permutations: 1.5 }), "permutations must be a whole"],
    ["no flips of a search", () => maxT([d], { permutations: 0 }), "permutations must be a whole number"],
    ["variants of other queries", () => maxT([[0.1], [0.1, 0.2]]), "all variants must have the same queries"],
    ["a power in per cent", () => pairsNeeded(0.3, { power: 80 }), "power must be above 0 and below 1"],
    ["a level above 1", () => detectableEffect(30, { alpha: 5 }), "alpha must be above 0 and below 1"],
    ["one pair", () => pairedPower(0.5, 1), "pairs must be a whole number from 2"],
    ["an adjustment", () => adjustPValues([0.1], words("holmm") as "holm"), "method must be one of"],
    ["what is no p value", () => adjustPValues([0.1, 2], "holm"), "got `2` at position 1"],
    ["lists that are no pairs", () => cohenDav([1, 2], [1, 2, 3]), "one value per pair"],
    ["a side of t", () => pairedTTest(d, words("more")), "alternative must be two-sided, greater or less"],
    ["a side of signs", () => signTest(d, words("two_sided")), "alternative must be two-sided, greater"],
    ["a side of flips", () => randomizationTest(d, { alternative: words("x") }), "alternative must be"],
    ["a side of ranks", () => wilcoxonSignedRank(d, { alternative: words("x") }), "alternative must be"],
    ["a depth", () => rankingAgreement(run("a"), run("b"), { depth: -1 }), "depth must be a whole number"],
    ["an id without a score", () => rankByScore(["a", "b"], [1]), "the score of `b` must be a number"],
    ["a score without an id", () => rankByScore(["a"], [1, 2]), "each id must have one score"],
    [
      "a method under another name",
      () => fuse([], { normalise: "max" } as object),
      "did you mean `normalize`",
    ],
  ])("%s", (_, work, message) => {
    expect(work).toThrow(
      expect.objectContaining({ code: "ARGUMENT", message: expect.stringContaining(message) }),
    );
  });
});
