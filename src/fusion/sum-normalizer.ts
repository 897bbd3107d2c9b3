import { defineNormalizer } from "./define-normalizer.js";
import { denominator } from "./denominator.js";
import { eachScore } from "./each-score.js";
import { scoreBounds } from "./score-bounds.js";

/** Scores moved so that the worst is 0 and the sum is 1: `sumNormalizer.name // => "sum"`. */
export const sumNormalizer = /*#__PURE__*/ defineNormalizer({
  name: "sum",
  question: "What share of all that is above the worst score of its list does a hit have?",
  formula: "(s - min) / (sum of scores - n min)",
  edges:
    "A single hit and hits with equal scores all get 0. A long list gives each hit less than a " +
    "short one. The denominator is at least 1e-9.",
  agreesWith: "ranx norm='sum'",
  paper:
    "Montague, Aslam: Relevance Score Normalization for Metasearch, https://doi.org/10.1145/502585.502657",
  normalize: (scores) => {
    const { lowest } = scoreBounds(scores);
    // The differences are added, not the scores: for scores near 1e9 the other order loses digits that
    // decide.
    let sum = 0;
    for (let i = 0; i < scores.length; i++) sum += (scores[i] as number) - lowest;
    const share = denominator(sum);
    return { scores: eachScore(scores, (score) => (score - lowest) / share) };
  },
});
