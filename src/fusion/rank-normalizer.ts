import { defineNormalizer } from "./define-normalizer.js";
import { eachScore } from "./each-score.js";

/** Scores by rank alone, evenly spaced: `rankNormalizer.name // => "rank"`. */
export const rankNormalizer = /*#__PURE__*/ defineNormalizer({
  name: "rank",
  question: "What part of its list stands at this rank or below?",
  formula: "1 - (rank - 1) / n",
  edges:
    "Equal scores get different ranks, in the order of the list (by id descending). The last hit " +
    "gets 1 / n, a single hit 1.",
  agreesWith: "ranx norm='rank', where no scores of a list are equal",
  paper:
    "Renda, Straccia: Web Metasearch: Rank vs. Score Based Rank Aggregation Methods, " +
    "https://doi.org/10.1145/952532.952698",
  normalize: (scores) => ({ scores: eachScore(scores, (_, index) => 1 - index / scores.length) }),
});
