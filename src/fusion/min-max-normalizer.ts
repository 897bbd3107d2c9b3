import { defineNormalizer } from "./define-normalizer.js";
import { denominator } from "./denominator.js";
import { eachScore } from "./each-score.js";
import { scoreBounds } from "./score-bounds.js";

/** The scores of each list stretched over 0 to 1; ranx's default: `minMaxNormalizer.name // => "min-max"`. */
export const minMaxNormalizer = /*#__PURE__*/ defineNormalizer({
  name: "min-max",
  question: "Where between the worst and the best score of its list does a hit stand?",
  formula: "(s - min) / (max - min)",
  edges:
    "The last hit of a list gets 0, as if the run lacked it. A single hit and hits with equal " +
    "scores all get 0. Negative scores are no exception. The denominator is at least 1e-9.",
  agreesWith: "ranx norm='min-max' (its default)",
  paper: "Lee: Analyses of Multiple Evidence Combination, https://doi.org/10.1145/258525.258587",
  normalize: (scores) => {
    const { lowest, highest } = scoreBounds(scores);
    const range = denominator(highest - lowest);
    return { scores: eachScore(scores, (score) => (score - lowest) / range) };
  },
});
