import { defineFusion } from "./define-fusion.js";
import { inverseSquareRankScores } from "./inverse-square-rank.js";

/**
 * Logarithmic inverse square rank that also orders what only one run has:
 * `lognInverseSquareRank().name // => "logn_isr"`.
 */
export const lognInverseSquareRank = /*#__PURE__*/ defineFusion({
  name: "logn_isr",
  aliases: ["LogN_ISR"],
  question: "Which items stand at the very top of many runs, and after them, at the top of one?",
  formula: "ln(number of runs that have the item + sigma) * sum of 1 / rank^2",
  edges:
    "With sigma=0 it is log_isr. A run that lacks the item adds nothing. Equal scores have " +
    "different ranks, in the order of the list (by id descending).",
  agreesWith: "ranx method='logn_isr', where no scores of a list are equal",
  paper:
    "Mourão, Martins, Magalhães: Multimodal Medical Information Retrieval with Unsupervised Rank " +
    "Fusion, https://doi.org/10.1016/j.compmedimag.2014.05.006",
  reads: "ranks",
  normalizer: "none",
  parameters: {
    sigma: {
      default: 0.01,
      minimum: 0,
      maximum: 1,
      meaning: "how much an item is worth that only one run has",
      tuned: { from: 0, to: 1, step: 0.01 },
    },
  },
  score: (pool, settled) => {
    const sigma = settled.number("sigma");
    return inverseSquareRankScores(pool, (holders) => Math.log(holders + sigma));
  },
});
