import type { JudgedRanking } from "../ranking.js";
import { defineMetric } from "./define-metric.js";
import { relevanceLevel, relevantItems } from "./relevance.js";

/** Sum over the relevant items found of the precision at the rank where each is found first, divided by all relevant items. */
function averagePrecisionScore(judged: JudgedRanking, cutoff: number, level: number): number {
  const found = new Set<number>();
  let hits = 0;
  let last = 0;
  let sum = 0;
  for (let i = 0; i < judged.ranks.length; i++) {
    const rank = judged.ranks[i] as number;
    if (rank > cutoff) break;
    const item = judged.items[i] as number;
    if ((judged.grades[item] as number) < level || found.has(item)) continue;
    found.add(item);
    if (rank !== last) hits++;
    last = rank;
    sum += hits / rank;
  }
  return sum / Math.max(1, relevantItems(judged, level));
}

/** Average precision; its mean over queries is MAP: `averagePrecision().name // => "AP"`. */
export const averagePrecision = /*#__PURE__*/ defineMetric({
  name: "AP",
  aliases: ["MAP"],
  question: "How well are the relevant items packed towards the top?",
  formula: "sum of the precision at the rank of each relevant item found / R (R, not min(k, R))",
  edges: "Nothing relevant judged: 0. An item found twice counts at its best rank. Unjudged hits are not relevant.",
  agreesWith: "trec_eval map and map_cut_k, ir_measures AP, ranx map",
  paper: "Buckley, Voorhees: Evaluating Evaluation Measure Stability, https://doi.org/10.1145/345508.345543",
  cutoff: "optional",
  parameters: { rel: relevanceLevel },
  range: [0, 1],
  higherIsBetter: true,
  score: (judged, settled) => averagePrecisionScore(judged, settled.cutoff, settled.number("rel")),
});
