import type { Fraction } from "../foundation/numbers/index.js";
import type { JudgedRanking } from "./judged-ranking.js";
import { defineMetric } from "./define-metric.js";
import { firstRelevantRank, relevanceLevel } from "./relevance.js";
import { firstRelevantGroup } from "./group-ties.js";

/** 1 when a relevant item is at a rank up to `cutoff`, else 0. */
export function successFraction(judged: JudgedRanking, cutoff: number, level = 1): Fraction {
  return { numerator: firstRelevantRank(judged, level) <= cutoff ? 1 : 0, denominator: 1 };
}

/** Success at a cutoff, also called hit rate: `success({ cutoff: 5 }).name // => "Success@5"`. */
export const success = /*#__PURE__*/ defineMetric({
  name: "Success",
  aliases: ["Hit", "HitRate", "hit_rate"],
  question: "Is there anything relevant in the top k?",
  formula: "1 if a relevant item is in the top k, else 0",
  edges: "Nothing relevant judged: 0. Fewer than k hits: those there are. Unjudged hits are not relevant.",
  agreesWith: "trec_eval success_k, ir_measures Success@k, ranx hit_rate@k",
  paper: "Craswell, Hawking: Overview of the TREC 2004 Web Track",
  cutoff: "required",
  parameters: { rel: relevanceLevel },
  range: [0, 1],
  higherIsBetter: true,
  bounds: "rising",
  fraction:
    ({ cutoff, rel }) =>
    (judged) =>
      successFraction(judged, cutoff, rel),
  expected:
    ({ cutoff, rel }) =>
    (judged) =>
      firstRelevantGroup(judged, rel, (rank) => (rank <= cutoff ? 1 : 0)),
});
