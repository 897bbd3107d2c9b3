import { defineFusion } from "./define-fusion.js";
import { sumOfScores, sumOver } from "./fusion-pool.js";
import { runWeights } from "./run-weights.js";

/**
 * The sum of the scores, times the weights of the runs that have the item:
 * `weightedMnz({ weights: [0.7, 0.3] }).name // => "wmnz(weights=0.7/0.3)"`.
 */
export const weightedMnz = /*#__PURE__*/ defineFusion({
  name: "wmnz",
  aliases: ["WMNZ"],
  question: "Which items do trusted runs have, and the runs together think highly of?",
  formula: "sum of the scores * sum of the weights of the runs that have the item",
  edges:
    "A run that lacks the item adds neither score nor weight; a score of 0 counts as having it. " +
    "Scores must be comparable and not negative: normalize them.",
  agreesWith: "ranx method='wmnz'",
  paper: "Wu, Crestani: Data Fusion with Estimated Weights, https://doi.org/10.1145/584792.584908",
  reads: "scores",
  normalizer: "min-max",
  parameters: { weights: runWeights },
  isLinear: true,
  score: (pool, settled) => {
    const weights = settled.perRun("weights");
    const held = sumOver(pool, ({ run }) => weights[run] as number);
    return sumOfScores(pool).map((sum, item) => sum * (held[item] as number));
  },
});
