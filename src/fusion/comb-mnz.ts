import { defineFusion } from "./define-fusion.js";
import { sumOfScores, timesHolders } from "./fusion-pool.js";

/** The sum of the scores, times the number of runs that have the item: `combMnz().name // => "mnz"`. */
export const combMnz = /*#__PURE__*/ defineFusion({
  name: "mnz",
  aliases: ["CombMNZ"],
  question: "Which items do many runs have and think highly of?",
  formula: "sum of the scores * number of runs that have the item",
  edges:
    "A run that lacks the item adds nothing; a score of 0 counts as having it. A negative sum gets " +
    "worse with every run that has the item, so scores must not be negative. Normalize them.",
  agreesWith: "ranx method='mnz'",
  paper:
    "Fox, Shaw: Combination of Multiple Searches, TREC-2, https://trec.nist.gov/pubs/trec2/papers/txt/23.txt",
  reads: "scores",
  normalizer: "min-max",
  parameters: {},
  score: (pool) => timesHolders(pool, sumOfScores(pool), (holders) => holders),
});
