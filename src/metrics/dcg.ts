import { defineMetric } from "./define-metric.js";
import { discountedGain, gainFunction, gainParameters, logDiscount } from "./gain.js";

/** Discounted cumulative gain: `dcg({ cutoff: 10 }).name // => "DCG@10"`. */
export const dcg = /*#__PURE__*/ defineMetric({
  name: "DCG",
  aliases: ["dcg"],
  question: "How much gain is there, the more the nearer to the top?",
  formula: "sum of gain / log2(rank + 1), the numerator of nDCG",
  edges: "Nothing of positive gain found: 0. Unjudged hits have no gain.",
  agreesWith: "ranx dcg@k; dcg='exp-log2': ranx dcg_burges@k",
  paper:
    "Järvelin, Kekäläinen: Cumulated Gain-based Evaluation of IR Techniques, " +
    "https://doi.org/10.1145/582415.582418",
  cutoff: "optional",
  parameters: gainParameters,
  range: [0, null],
  higherIsBetter: true,
  bounds: "rising",
  score: ({ cutoff, dcg, gains }) => {
    const gain = gainFunction(dcg, gains);
    return (judged) => discountedGain(judged, cutoff, gain);
  },
  linear: ({ cutoff, dcg, gains }) => ({
    over: "earned",
    gain: gainFunction(dcg, gains),
    discount: (rank) => (rank <= cutoff ? 1 / logDiscount(rank) : 0),
    norm: () => 1,
  }),
});
