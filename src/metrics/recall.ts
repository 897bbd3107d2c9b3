import type { Fraction } from "../foundation/numbers/index.js";
import type { JudgedRanking } from "./judged-ranking.js";
import { defineMetric } from "./define-metric.js";
import { relevanceLevel, relevantItems, relevantWithin } from "./relevance.js";

/** Relevant items found at ranks up to `cutoff`, divided by all relevant items. */
export function recallFraction(judged: JudgedRanking, cutoff: number, level = 1): Fraction {
  return {
    numerator: relevantWithin(judged.finds, level, cutoff),
    denominator: Math.max(1, relevantItems(judged, level)),
  };
}

/** Recall at a cutoff: `recall({ cutoff: 100 }).name // => "R@100"`. */
export const recall = /*#__PURE__*/ defineMetric({
  name: "R",
  aliases: ["Recall", "recall"],
  question: "How much of what is relevant is in the top k?",
  formula: "relevant items in the top k / R, with R = number of relevant judged items",
  edges: "Nothing relevant judged: 0. An item found twice counts once. Unjudged hits are not relevant.",
  agreesWith: "trec_eval recall_k, ir_measures R@k, ranx recall@k",
  paper: "Cleverdon, Mills, Keen: Factors Determining the Performance of Indexing Systems, 1966",
  cutoff: "required",
  parameters: { rel: relevanceLevel },
  range: [0, 1],
  higherIsBetter: true,
  bounds: "counted",
  fraction:
    ({ cutoff, rel }) =>
    (judged) =>
      recallFraction(judged, cutoff, rel),
  linear: ({ cutoff, rel }) => ({
    over: "finds",
    gain: (grade) => (grade >= rel ? 1 : 0),
    discount: (rank) => (rank <= cutoff ? 1 : 0),
    norm: (judged) => relevantItems(judged, rel),
  }),
});
