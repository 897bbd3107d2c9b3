import { pairwisePoints } from "./condorcet-fuse.js";
import { defineFusion } from "./define-fusion.js";
import { runWeights } from "./run-weights.js";

/**
 * Condorcet fusion with a weight for each run:
 * `weightedCondorcetFuse({ weights: [2, 1, 1] }).name // => "w_condorcet(weights=2/1/1)"`.
 */
export const weightedCondorcetFuse = /*#__PURE__*/ defineFusion({
  name: "w_condorcet",
  aliases: ["WeightedCondorcet"],
  question:
    "Which items would win against each other item, if the runs voted on every pair and some votes " +
    "counted more?",
  formula:
    "1 + number of items it beats + 1 / 2 for each draw; an item beats another when the runs that " +
    "have it before the other weigh more than those that have it behind",
  edges:
    "As condorcet. A run that weighs more than all others together decides alone wherever it has " +
    "one of the two items. Leads of less than 1e-12 of all weights are draws.",
  agreesWith:
    "by its definition ranx method='w_condorcet', for the same pairs as condorcet; no values of it " +
    "were compared",
  paper: "Montague, Aslam: Condorcet Fusion for Improved Retrieval, https://doi.org/10.1145/584792.584881",
  reads: "ranks",
  normalizer: "none",
  parameters: { weights: runWeights },
  score: (pool, settled) => {
    const weights = settled.perRun("weights");
    return pairwisePoints(pool, ({ run }) => weights[run] as number);
  },
});
