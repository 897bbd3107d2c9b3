import { defineFusion } from "./define-fusion.js";
import { holders, sumOfScores } from "./fusion-pool.js";

/** The mean score over the runs that have the item: `combAnz().name // => "anz"`. */
export const combAnz = /*#__PURE__*/ defineFusion({
  name: "anz",
  aliases: ["CombANZ"],
  question: "Which items do the runs that have them think highly of on average?",
  formula: "sum of the scores / number of runs that have the item",
  edges:
    "A run that lacks the item has no say, also in the denominator; a score of 0 counts as a " +
    "score. Scores must be comparable: normalize them.",
  agreesWith: "ranx method='anz'",
  paper:
    "Fox, Shaw: Combination of Multiple Searches, TREC-2, https://trec.nist.gov/pubs/trec2/papers/txt/23.txt",
  reads: "scores",
  normalizer: "min-max",
  parameters: {},
  score: (pool) => {
    const counts = holders(pool);
    return sumOfScores(pool).map((sum, item) => sum / (counts[item] as number));
  },
});
