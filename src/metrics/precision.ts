import type { Fraction } from "../numbers/index.js";
import type { JudgedRanking } from "../ranking.js";
import { defineMetric } from "./define-metric.js";
import { relevanceLevel, relevantHits } from "./relevance.js";

/** Relevant hits at ranks up to `cutoff`, divided by `cutoff` also when fewer came back. */
export function precisionFraction(judged: JudgedRanking, cutoff: number, level = 1): Fraction {
  return { numerator: relevantHits(judged, level, cutoff), denominator: cutoff };
}

/** Precision at a cutoff: `precision({ cutoff: 5, parameters: { rel: 2 } }).name // => "P(rel=2)@5"`. */
export const precision = /*#__PURE__*/ defineMetric({
  name: "P",
  aliases: ["Precision"],
  question: "How much of the top k is relevant?",
  formula: "relevant hits in the top k / k",
  edges: "Fewer than k hits: still divided by k. Nothing relevant judged: 0. Unjudged hits are not relevant.",
  agreesWith: "trec_eval P_k, ir_measures P@k, ranx precision@k",
  paper: "Cleverdon, Mills, Keen: Factors Determining the Performance of Indexing Systems, 1966",
  cutoff: "required",
  parameters: { rel: relevanceLevel },
  range: [0, 1],
  higherIsBetter: true,
  fraction: (judged, settled) => precisionFraction(judged, settled.cutoff, settled.number("rel")),
});
