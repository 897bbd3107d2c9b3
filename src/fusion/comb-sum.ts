import { defineFusion } from "./define-fusion.js";
import { sumOfScores } from "./fusion-pool.js";

/** The sum of the scores: `combSum().name // => "sum"`. */
export const combSum = /*#__PURE__*/ defineFusion({
  name: "sum",
  aliases: ["CombSUM"],
  question: "Which items do the runs together think most highly of?",
  formula: "sum of the scores",
  edges:
    "A run that lacks the item adds nothing, which is as good as a score of 0. Scores must be " +
    "comparable: normalize them.",
  agreesWith: "ranx method='sum'",
  paper:
    "Fox, Shaw: Combination of Multiple Searches, TREC-2, https://trec.nist.gov/pubs/trec2/papers/txt/23.txt",
  reads: "scores",
  normalizer: "min-max",
  parameters: {},
  score: (pool) => sumOfScores(pool),
});
