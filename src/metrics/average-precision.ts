import { positive, type JudgedRanking } from "./judged-ranking.js";
import { defineMetric } from "./define-metric.js";
import { relevanceLevel, relevantItems } from "./relevance.js";
import { tiedGroups } from "./tied-groups.js";

/**
 * Sum over the relevant items found of the precision at the rank where each is found first, divided by all
 * relevant items.
 */
export function averagePrecisionScore(judged: JudgedRanking, cutoff: number, level = 1): number {
  const { ranks, grades } = positive(judged.finds, level);
  let hits = 0;
  let last = 0;
  let sum = 0;
  for (let i = 0; i < ranks.length; i++) {
    const rank = ranks[i] as number;
    if (rank > cutoff) break;
    if ((grades[i] as number) < level) continue;
    if (rank !== last) hits++;
    last = rank;
    sum += hits / rank;
  }
  return sum === 0 ? 0 : sum / relevantItems(judged, level);
}

/**
 * McSherry, Najork: Computing Information Retrieval Performance Measures Efficiently in the Presence of Tied
 * Scores.
 */
function expectedAveragePrecision(judged: JudgedRanking, cutoff: number, level: number): number {
  let above = 0;
  let sum = 0;
  for (const { first, last, grades } of tiedGroups(judged)) {
    const relevant = grades.filter((grade) => grade >= level).length;
    const size = last - first + 1;
    for (let rank = first; rank <= Math.min(last, cutoff) && relevant > 0; rank++) {
      const others = size === 1 ? 0 : ((rank - first) * (relevant - 1)) / (size - 1);
      sum += ((relevant / size) * (above + 1 + others)) / rank;
    }
    above += relevant;
  }
  return sum === 0 ? 0 : sum / relevantItems(judged, level);
}

/** Average precision; its mean over queries is MAP: `averagePrecision().name // => "AP"`. */
export const averagePrecision = /*#__PURE__*/ defineMetric({
  name: "AP",
  aliases: ["MAP", "map"],
  question: "How well are the relevant items packed towards the top?",
  formula: "sum of the precision at the rank of each relevant item found / R (R, not min(k, R))",
  edges:
    "Nothing relevant judged: 0. An item found twice counts at its best rank. Unjudged hits are " +
    "not relevant.",
  agreesWith: "trec_eval map and map_cut_k, ir_measures AP, ranx map",
  paper: "Buckley, Voorhees: Evaluating Evaluation Measure Stability, https://doi.org/10.1145/345508.345543",
  cutoff: "optional",
  parameters: { rel: relevanceLevel },
  range: [0, 1],
  higherIsBetter: true,
  bounds: "counted",
  score:
    ({ cutoff, rel }) =>
    (judged) =>
      averagePrecisionScore(judged, cutoff, rel),
  expected:
    ({ cutoff, rel }) =>
    (judged) =>
      expectedAveragePrecision(judged, cutoff, rel),
});
