import { defineFusion } from "./define-fusion.js";
import { sumWeighted } from "./fusion-pool.js";
import { runWeights } from "./run-weights.js";

/**
 * The sum of the scores, each run's times its weight:
 * `weightedSum({ weights: [0.7, 0.3] }).name // => "wsum(weights=0.7/0.3)"`.
 */
export const weightedSum = /*#__PURE__*/ defineFusion({
  name: "wsum",
  question:
    "Which items do the runs together think most highly of, when some runs are trusted more than others?",
  formula: "sum of weight * score",
  edges:
    "A run that lacks the item adds nothing, which is as good as a score of 0; the weights are " +
    "used as they are. Scores must be comparable: normalize them.",
  agreesWith: "ranx method='wsum'",
  paper: "Vogt, Cottrell: Fusion Via a Linear Combination of Scores, https://doi.org/10.1023/A:1009980820262",
  reads: "scores",
  normalizer: "min-max",
  parameters: { weights: runWeights },
  isLinear: true,
  score: (pool, settled) => sumWeighted(pool, settled.perRun("weights")),
});
