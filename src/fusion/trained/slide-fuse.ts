import { defineTrainedFusion } from "./define-trained-fusion.js";
import { placeShares } from "./place-shares.js";

/**
 * Probabilities of places and their neighbours: `slideFuse({ window: 2 }).name // => "slidefuse(window=2)"`.
 */
export const slideFuse = /*#__PURE__*/ defineTrainedFusion({
  name: "slidefuse",
  aliases: ["SlideFuse"],
  question: "Which items stand near places where relevant items stood before?",
  formula:
    "sum over the runs of the mean of P over the ranks from rank - window to rank + window, as far as " +
    "there are any; P is the share of the training queries with so many hits that have a relevant one at " +
    "that rank",
  edges:
    "Unjudged items are not relevant. The window ends at both ends of the list that is fused; a place " +
    "deeper than any in training counts as 0. A run that lacks the item adds nothing. With window=0 it is " +
    "posfuse.",
  agreesWith: "by its definition ranx method='slidefuse'; no values of it were compared",
  paper:
    "Lillis, Toolan, Collier, Dunnion: Extending Probabilistic Data Fusion Using Sliding Windows, " +
    "https://doi.org/10.1007/978-3-540-78646-7_33",
  reads: "ranks",
  normalizer: "none",
  parameters: {
    window: {
      default: 5,
      minimum: 0,
      maximum: 1000,
      isWhole: true,
      meaning: "neighbours on each side that have a say",
    },
  },
  learn(rankings, settled) {
    const shares = placeShares(rankings);
    const window = settled.number("window");
    return {
      worth(rank, length) {
        const [first, last] = [Math.max(1, rank - window), Math.min(length, rank + window)];
        let sum = 0;
        for (let near = first; near <= last; near++) sum += shares[near] ?? 0;
        return sum / (last - first + 1);
      },
      lacking: 0,
    };
  },
});
