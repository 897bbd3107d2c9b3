import { defineFusion } from "./define-fusion.js";
import { sumOfRanks } from "./fusion-pool.js";

/** Reciprocal rank fusion: `reciprocalRankFusion({ k: 10 }).name // => "rrf(k=10)"`. */
export const reciprocalRankFusion = /*#__PURE__*/ defineFusion({
  name: "rrf",
  aliases: ["RRF"],
  question: "Which items stand high in many runs, when no single run can push an item to the top?",
  formula: "sum of 1 / (k + rank)",
  edges:
    "A run that lacks the item adds nothing. Equal scores have different ranks, in the order of " +
    "the list (by id descending). What the scores are does not matter.",
  agreesWith: "ranx method='rrf', where no scores of a list are equal",
  paper:
    "Cormack, Clarke, Büttcher: Reciprocal Rank Fusion Outperforms Condorcet and Individual Rank " +
    "Learning Methods, https://doi.org/10.1145/1571941.1572114",
  reads: "ranks",
  normalizer: "none",
  parameters: {
    k: {
      default: 60,
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      meaning: "how little the first ranks stand out; large values make it a count of runs",
      tuned: { from: 0, to: 200, step: 1 },
    },
  },
  score: (pool, settled) => {
    const k = settled.number("k");
    return sumOfRanks(pool, (rank) => 1 / (k + rank));
  },
});
