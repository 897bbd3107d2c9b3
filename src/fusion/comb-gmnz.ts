import { defineFusion } from "./define-fusion.js";
import { sumOfScores, timesHolders } from "./fusion-pool.js";

/**
 * CombMNZ with a say in how much the number of runs counts:
 * `combGmnz({ gamma: 0.5 }).name // => "gmnz(gamma=0.5)"`.
 */
export const combGmnz = /*#__PURE__*/ defineFusion({
  name: "gmnz",
  aliases: ["CombGMNZ"],
  question:
    "Which items do many runs have and think highly of, when you say how much the number of runs counts?",
  formula: "sum of the scores * (number of runs that have the item)^gamma",
  edges:
    "A run that lacks the item adds nothing; a score of 0 counts as having it. Scores must be " +
    "comparable and not negative: normalize them.",
  agreesWith: "ranx method='gmnz', which has no default for gamma",
  paper: "Lee: Analyses of Multiple Evidence Combination, https://doi.org/10.1145/258525.258587",
  reads: "scores",
  normalizer: "min-max",
  parameters: {
    gamma: {
      default: 1,
      minimum: -1,
      maximum: 100,
      meaning: "how much the number of runs counts: -1 is anz, 0 is sum, 1 is mnz",
      tuned: { from: -1, to: 5, step: 0.1 },
    },
  },
  score: (pool, settled) => {
    const gamma = settled.number("gamma");
    return timesHolders(pool, sumOfScores(pool), (holders) => holders ** gamma);
  },
});
