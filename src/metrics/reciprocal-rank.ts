import type { Fraction } from "../foundation/numbers/index.js";
import type { JudgedRanking } from "./judged-ranking.js";
import { defineMetric } from "./define-metric.js";
import { firstRelevantRank, relevanceLevel } from "./relevance.js";
import { firstRelevantGroup } from "./group-ties.js";

/** 1 / rank of the first relevant item at a rank up to `cutoff`, else 0. */
export function reciprocalRankFraction(judged: JudgedRanking, cutoff: number, level = 1): Fraction {
  const rank = firstRelevantRank(judged, level);
  return rank <= cutoff && rank !== Infinity
    ? { numerator: 1, denominator: rank }
    : { numerator: 0, denominator: 1 };
}

/** Reciprocal rank; its mean over queries is MRR: `reciprocalRank({ cutoff: 10 }).name // => "RR@10"`. */
export const reciprocalRank = /*#__PURE__*/ defineMetric({
  name: "RR",
  aliases: ["MRR", "mrr"],
  question: "How far down is the first relevant item?",
  formula: "1 / rank of the first relevant item, 0 if there is none (in the top k)",
  edges: "Nothing relevant judged or found: 0. Unjudged hits are not relevant and take up ranks.",
  agreesWith: "trec_eval recip_rank, ir_measures RR, ranx mrr",
  paper: "Kantor, Voorhees: The TREC-5 Confusion Track, https://doi.org/10.1023/A:1009902609570",
  cutoff: "optional",
  parameters: { rel: relevanceLevel },
  range: [0, 1],
  higherIsBetter: true,
  bounds: "rising",
  fraction:
    ({ cutoff, rel }) =>
    (judged) =>
      reciprocalRankFraction(judged, cutoff, rel),
  expected:
    ({ cutoff, rel }) =>
    (judged) =>
      firstRelevantGroup(judged, rel, (rank) => (rank <= cutoff ? 1 / rank : 0)),
});
