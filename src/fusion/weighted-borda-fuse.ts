import { bordaPoints } from "./borda-fuse.js";
import { defineFusion } from "./define-fusion.js";
import { runWeights } from "./run-weights.js";

/**
 * Borda count with a weight for each run:
 * `weightedBordaFuse({ weights: [0.7, 0.3] }).name // => "w_bordafuse(weights=0.7/0.3)"`.
 */
export const weightedBordaFuse = /*#__PURE__*/ defineFusion({
  name: "w_bordafuse",
  aliases: ["WeightedBordaFuse"],
  question:
    "Which items would win, if every run were a voter who gives points by rank, and some votes counted more?",
  formula: "sum over the runs of weight * (c - rank + 1); c = different items of all runs",
  edges:
    "Items that a run with n hits lacks share the points left over, weight * (c - n + 1) / 2 each. " +
    "A run without hits for a query does not vote. Equal scores have different ranks, in the order " +
    "of the list (by id descending).",
  agreesWith: "ranx method='w_bordafuse', where no scores of a list are equal and every run has hits",
  paper: "Aslam, Montague: Models for Metasearch, https://doi.org/10.1145/383952.384007",
  reads: "ranks",
  normalizer: "none",
  parameters: { weights: runWeights },
  isLinear: true,
  score: (pool, settled) => {
    const weights = settled.perRun("weights");
    return bordaPoints(pool, ({ run }) => weights[run] as number);
  },
});
