import { defineNormalizer } from "./define-normalizer.js";
import { denominator } from "./denominator.js";
import { eachScore } from "./each-score.js";

/** Zero mean, unit variance: `zmuvNormalizer.name // => "zmuv"`. */
export const zmuvNormalizer = /*#__PURE__*/ defineNormalizer({
  name: "zmuv",
  aliases: ["z-score"],
  question: "How many standard deviations is a hit above the mean of its list?",
  formula: "(s - mean) / sd; sd is that of the population (divided by n)",
  edges:
    "Half of a list is negative, so a hit below the mean counts for less than no hit at all. A " +
    "single hit and hits with equal scores get 0. The denominator is at least 1e-9.",
  agreesWith: "ranx norm='zmuv'",
  paper:
    "Montague, Aslam: Relevance Score Normalization for Metasearch, https://doi.org/10.1145/502585.502657",
  normalize: (scores) => {
    const n = scores.length;
    let sum = 0;
    for (let i = 0; i < n; i++) sum += scores[i] as number;
    // Rounding can put the mean of equal scores beside them, and 1e-9 would make that a whole number of
    // deviations.
    let mean = isConstant(scores) ? (scores[0] as number) : sum / n;
    // What a sum of large scores has lost of it.
    let lost = 0;
    for (let i = 0; i < n; i++) lost += (scores[i] as number) - mean;
    mean += lost / n;
    let squares = 0;
    for (let i = 0; i < n; i++) squares += ((scores[i] as number) - mean) ** 2;
    const deviation = denominator(Math.sqrt(squares / n));
    return { scores: eachScore(scores, (score) => (score - mean) / deviation) };
  },
});

function isConstant(scores: ArrayLike<number>): boolean {
  for (let i = 1; i < scores.length; i++) if (scores[i] !== scores[0]) return false;
  return true;
}
