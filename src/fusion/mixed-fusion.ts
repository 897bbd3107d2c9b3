import { defineFusion } from "./define-fusion.js";
import { timesHolders, sumWeighted } from "./fusion-pool.js";
import { runWeights } from "./run-weights.js";

/**
 * Between the weighted sum and its product with the number of runs:
 * `mixedFusion({ weights: [0.7, 0.3] }).name // => "mixed(weights=0.7/0.3)"`.
 */
export const mixedFusion = /*#__PURE__*/ defineFusion({
  name: "mixed",
  question:
    "Which items do the runs think highly of by weight, when the number of runs counts a little, too?",
  formula: "sum of weight * score * sqrt(number of runs that have the item)",
  edges:
    "A run that lacks the item adds nothing; a score of 0 counts as having it. Scores must be " +
    "comparable and not negative: normalize them.",
  agreesWith: "ranx method='mixed'",
  paper: "Wu, Crestani: Data Fusion with Estimated Weights, https://doi.org/10.1145/584792.584908",
  reads: "scores",
  normalizer: "min-max",
  parameters: { weights: runWeights },
  isLinear: true,
  score: (pool, settled) => {
    const sums = sumWeighted(pool, settled.perRun("weights"));
    return timesHolders(pool, sums, (holders) => Math.sqrt(holders));
  },
});
