import { defineFusion } from "./define-fusion.js";
import { sumOfRanks } from "./fusion-pool.js";

/** Rank-biased centroid: `rankBiasedCentroid({ phi: 0.9 }).name // => "rbc(phi=0.9)"`. */
export const rankBiasedCentroid = /*#__PURE__*/ defineFusion({
  name: "rbc",
  aliases: ["RBC"],
  question:
    "Which items would a reader meet most often, who reads one run after the other and goes on to " +
    "the next rank with probability phi?",
  formula: "sum of (1 - phi) * phi^(rank - 1)",
  edges:
    "A run that lacks the item adds nothing. With phi=0 only first ranks count, with phi=1 " +
    "everything is 0. Far down the weight is 0 in double precision (rank 3,300 with phi=0.8), so " +
    "such items tie. Equal scores have different ranks, in the order of the list.",
  agreesWith: "ranx method='rbc', which has no default for phi, where no scores of a list are equal",
  paper:
    "Bailey, Moffat, Scholer, Thomas: Retrieval Consistency in the Presence of Query Variations, " +
    "https://doi.org/10.1145/3077136.3080839",
  reads: "ranks",
  normalizer: "none",
  parameters: {
    phi: {
      default: 0.8,
      minimum: 0,
      maximum: 1,
      meaning: "the probability of going on to the next rank",
      tuned: { from: 0, to: 0.99, step: 0.01 },
    },
  },
  score: (pool, settled) => {
    const phi = settled.number("phi");
    return sumOfRanks(pool, (rank) => (1 - phi) * phi ** (rank - 1));
  },
});
