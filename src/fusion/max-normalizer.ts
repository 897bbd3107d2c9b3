import { defineNormalizer } from "./define-normalizer.js";
import { denominator } from "./denominator.js";
import { eachScore } from "./each-score.js";
import { scoreBounds } from "./score-bounds.js";

/** Scores as parts of the best one: `maxNormalizer.name // => "max"`. */
export const maxNormalizer = /*#__PURE__*/ defineNormalizer({
  name: "max",
  question: "What part of the best score of its list does a hit have?",
  formula: "s / max",
  edges:
    "Only for scores that are not negative. The denominator is at least 1e-9, so a list whose best score " +
    "is 0 gets 0, and a list whose best score is negative gets huge negative numbers, as in ranx.",
  agreesWith: "ranx norm='max'",
  paper: "none of its own",
  normalize: (scores) => {
    const best = denominator(scoreBounds(scores).highest);
    return { scores: eachScore(scores, (score) => score / best) };
  },
});
