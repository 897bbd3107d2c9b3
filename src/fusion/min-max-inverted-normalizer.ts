import { defineNormalizer } from "./define-normalizer.js";
import { denominator } from "./denominator.js";
import { eachScore } from "./each-score.js";
import { scoreBounds } from "./score-bounds.js";

/** Min-max for distances, where less is better: `minMaxInvertedNormalizer.name // => "min-max-inverted"`. */
export const minMaxInvertedNormalizer = /*#__PURE__*/ defineNormalizer({
  name: "min-max-inverted",
  turnsRound: true,
  question: "How near is a hit, when its score is a distance?",
  formula: "(max - s) / (max - min)",
  edges:
    "The order of every list turns round, for methods that read ranks too; equal scores keep their " +
    "order (by id descending). A single hit and hits with equal scores all get 0. The denominator " +
    "is at least 1e-9.",
  agreesWith: "ranx norm='min-max-inverted'",
  paper:
    "none of its own; min-max is in Lee: Analyses of Multiple Evidence Combination, " +
    "https://doi.org/10.1145/258525.258587",
  normalize: (scores) => {
    const { lowest, highest } = scoreBounds(scores);
    const range = denominator(highest - lowest);
    return { scores: eachScore(scores, (score) => (highest - score) / range) };
  },
});
