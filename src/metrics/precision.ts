import type { Fraction } from "../foundation/numbers/index.js";
import type { JudgedRanking } from "./judged-ranking.js";
import { defineMetric } from "./define-metric.js";
import { relevanceLevel, relevantItems, relevantWithin } from "./relevance.js";

/** Relevant hits at ranks up to `cutoff`, divided by `cutoff` also when fewer came back. */
export function precisionFraction(judged: JudgedRanking, cutoff: number, level = 1): Fraction {
  return { numerator: relevantWithin(judged.hits, level, cutoff), denominator: cutoff };
}

/** The most hits that could be relevant in the top k. */
function attainable(judged: JudgedRanking, cutoff: number, level: number): number {
  return Math.max(1, Math.min(cutoff, relevantItems(judged, level)));
}

/** Precision at a cutoff: `precision({ cutoff: 5, parameters: { rel: 2 } }).name // => "P(rel=2)@5"`. */
export const precision = /*#__PURE__*/ defineMetric({
  name: "P",
  aliases: ["Precision", "precision"],
  question: "How much of the top k is relevant?",
  formula: "relevant hits in the top k / k; with relative=True / min(k, R)",
  edges: "Fewer than k hits: still divided by k. Nothing relevant judged: 0. Unjudged hits are not relevant.",
  agreesWith: "trec_eval P_k (relative=True: relative_P_k), ir_measures P@k, ranx precision@k",
  paper: "Cleverdon, Mills, Keen: Factors Determining the Performance of Indexing Systems, 1966",
  cutoff: "required",
  parameters: { rel: relevanceLevel, relative: { default: false, meaning: "divide by what was attainable" } },
  range: [0, 1],
  higherIsBetter: true,
  bounds: "counted",
  fraction: ({ cutoff, rel, relative }) =>
    relative
      ? (judged) => ({
          numerator: Math.min(attainable(judged, cutoff, rel), relevantWithin(judged.hits, rel, cutoff)),
          denominator: attainable(judged, cutoff, rel),
        })
      : (judged) => precisionFraction(judged, cutoff, rel),
  linear: ({ cutoff, rel, relative }) => ({
    over: "hits",
    gain: (grade) => (grade >= rel ? 1 : 0),
    discount: (rank) => (rank <= cutoff ? 1 : 0),
    norm: (judged) => (relative ? attainable(judged, cutoff, rel) : cutoff),
  }),
});
