import { defineTrainedFusion } from "./define-trained-fusion.js";
import { placeShares } from "./place-shares.js";

/** Probabilities of single places: `posFuse().name // => "posfuse"`. */
export const posFuse = /*#__PURE__*/ defineTrainedFusion({
  name: "posfuse",
  aliases: ["PosFuse"],
  question: "Which items stand at places where relevant items stood before?",
  formula:
    "sum over the runs of P(rank); P is the share of the training queries with so many hits that have a " +
    "relevant one at that rank",
  edges:
    "Unjudged items are not relevant. A place deeper than any in training is worth nothing. A run that " +
    "lacks the item adds nothing. slidefuse with window=0 is the same.",
  agreesWith: "by its definition the paper; no values of another program were compared",
  paper:
    "Lillis, Zhang, Toolan, Collier, Leonard, Dunnion: Estimating Probabilities for Effective Data Fusion, " +
    "https://doi.org/10.1145/1835449.1835508",
  reads: "ranks",
  normalizer: "none",
  parameters: {},
  learn(rankings) {
    const shares = placeShares(rankings);
    return { worth: (rank) => shares[rank] ?? 0, lacking: 0 };
  },
});
