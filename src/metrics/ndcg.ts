import type { JudgedRanking } from "./judged-ranking.js";
import { defineMetric } from "./define-metric.js";
import {
  discountedGain,
  gainFunction,
  gainParameters,
  idealGain,
  linearGain,
  logDiscount,
  type Gain,
} from "./gain.js";

/**
 * DCG over the DCG of the best possible ranking, both down to a cutoff; 0 when nothing of positive gain is
 * judged.
 *
 * @param gain what an item of a grade is worth: its grade, unless given.
 * @param isRising whether a higher grade is always worth as much or more, so that the pool is in order
 * already.
 */
export function ndcgScore(
  judged: JudgedRanking,
  cutoff = Infinity,
  gain: Gain = linearGain,
  isRising = true,
): number {
  const earned = discountedGain(judged, cutoff, gain);
  return earned === 0 ? 0 : earned / idealGain(judged, cutoff, gain, isRising);
}

/** Normalized discounted cumulative gain: `ndcg({ cutoff: 10 }).name // => "nDCG@10"`. */
export const ndcg = /*#__PURE__*/ defineMetric({
  name: "nDCG",
  aliases: ["NDCG", "ndcg"],
  question: "How close is the order to the best possible one, when some items are more relevant than others?",
  formula:
    "DCG / ideal DCG; DCG = sum of gain / log2(rank + 1); gain = grade, or 2^grade - 1 with " +
    "dcg='exp-log2', or as in gains={1:3,2:9}",
  edges:
    "Nothing of positive gain judged: 0. The ideal is all judged items of positive gain, cut at k. " +
    "An item found twice is earned once.",
  agreesWith:
    "trec_eval ndcg and ndcg_cut_k, ir_measures nDCG@k, ranx ndcg@k; " +
    "dcg='exp-log2': gdeval, ranx ndcg_burges@k",
  paper:
    "Järvelin, Kekäläinen: Cumulated Gain-based Evaluation of IR Techniques, " +
    "https://doi.org/10.1145/582415.582418",
  cutoff: "optional",
  parameters: gainParameters,
  range: [0, 1],
  higherIsBetter: true,
  bounds: "normalized gain",
  score: ({ cutoff, dcg, gains }) => {
    const gain = gainFunction(dcg, gains);
    const isRising = gains.length === 0;
    return (judged) => ndcgScore(judged, cutoff, gain, isRising);
  },
  linear: ({ cutoff, dcg, gains }) => {
    const gain = gainFunction(dcg, gains);
    return {
      over: "earned",
      gain,
      discount: (rank) => (rank <= cutoff ? 1 / logDiscount(rank) : 0),
      norm: (judged) => idealGain(judged, cutoff, gain, gains.length === 0),
    };
  },
});
