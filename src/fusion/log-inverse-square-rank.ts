import { defineFusion } from "./define-fusion.js";
import { inverseSquareRankScores } from "./inverse-square-rank.js";

/**
 * Inverse square rank with the logarithm of the number of runs:
 * `logInverseSquareRank().name // => "log_isr"`.
 */
export const logInverseSquareRank = /*#__PURE__*/ defineFusion({
  name: "log_isr",
  aliases: ["Log_ISR"],
  question: "Which items stand at the very top of more than one run?",
  formula: "ln(number of runs that have the item) * sum of 1 / rank^2",
  edges:
    "An item that only one run has gets 0, at whatever rank, so all such items tie; with logn_isr " +
    "they do not. A run that lacks the item adds nothing. Equal scores have different ranks, in " +
    "the order of the list.",
  agreesWith: "ranx method='log_isr', where no scores of a list are equal",
  paper:
    "Mourão, Martins, Magalhães: Multimodal Medical Information Retrieval with Unsupervised Rank " +
    "Fusion, https://doi.org/10.1016/j.compmedimag.2014.05.006",
  reads: "ranks",
  normalizer: "none",
  parameters: {},
  score: (pool) => inverseSquareRankScores(pool, (holders) => Math.log(holders)),
});
