import { defineFusion } from "./define-fusion.js";
import { sumOfRanks, timesHolders, type FusionPool } from "./fusion-pool.js";

/** For each item, the sum of 1 / rank^2, times `factor` of the number of runs that have it. */
export function inverseSquareRankScores(pool: FusionPool, factor: (holders: number) => number): Float64Array {
  return timesHolders(
    pool,
    sumOfRanks(pool, (rank) => 1 / rank ** 2),
    factor,
  );
}

/** Inverse square rank: `inverseSquareRank().name // => "isr"`. */
export const inverseSquareRank = /*#__PURE__*/ defineFusion({
  name: "isr",
  aliases: ["ISR"],
  question: "Which items stand at the very top of many runs?",
  formula: "number of runs that have the item * sum of 1 / rank^2",
  edges:
    "A run that lacks the item adds nothing. Equal scores have different ranks, in the order of " +
    "the list (by id descending). What the scores are does not matter.",
  agreesWith: "ranx method='isr', where no scores of a list are equal",
  paper:
    "Mourão, Martins, Magalhães: Multimodal Medical Information Retrieval with Unsupervised Rank " +
    "Fusion, https://doi.org/10.1016/j.compmedimag.2014.05.006",
  reads: "ranks",
  normalizer: "none",
  parameters: {},
  score: (pool) => inverseSquareRankScores(pool, (holders) => holders),
});
