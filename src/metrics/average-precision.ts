import { firstIndex } from "../foundation/columns/index.js";
import { positive, type JudgedRanking } from "./judged-ranking.js";
import { defineMetric } from "./define-metric.js";
import { relevanceLevel, relevantItems } from "./relevance.js";
import { groupTies } from "./group-ties.js";

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
 * {@link averagePrecisionScore} label by label, but for rounding: a label adds the precision at its rank, and
 * the share of one hit more to the precision at each relevant rank below.
 */
export function averagePrecisionAlong(
  judged: JudgedRanking,
  labels: readonly number[],
  cutoff: number,
  level: number,
): Float64Array {
  const known = Array.from(judged.finds.ranks).filter(
    (rank, index) => rank <= cutoff && (judged.finds.grades[index] as number) >= level,
  );
  /** Sums of 1 / rank over the known ranks from each place on. */
  const below = new Float64Array(known.length + 1);
  for (let i = known.length - 1; i >= 0; i--) below[i] = (below[i + 1] as number) + 1 / (known[i] as number);
  const relevant = relevantItems(judged, level);
  const isFromTop = labels.length < 2 || (labels[0] as number) < (labels[1] as number);
  const scores = new Float64Array(labels.length + 1);
  let sum = known.reduce((all, rank, index) => all + (index + 1) / rank, 0);
  let labelled = 0;
  scores[0] = sum === 0 ? 0 : sum / relevant;
  labels.forEach((rank, index) => {
    if (rank <= cutoff) {
      const above = firstIndex(known.length, (place) => (known[place] as number) > rank);
      sum +=
        (above + (isFromTop ? index : 0) + 1) / rank + (below[above] as number) + (isFromTop ? 0 : labelled);
      labelled += 1 / rank;
    }
    scores[index + 1] = sum / (relevant + index + 1);
  });
  return scores;
}

/**
 * McSherry, Najork: Computing Information Retrieval Performance Measures Efficiently in the Presence of Tied
 * Scores.
 */
function expectedAveragePrecision(judged: JudgedRanking, cutoff: number, level: number): number {
  let above = 0;
  let sum = 0;
  for (const { first, last, grades } of groupTies(judged)) {
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
  along:
    ({ cutoff, rel }) =>
    (judged, labels) =>
      averagePrecisionAlong(judged, labels, cutoff, rel),
  expected:
    ({ cutoff, rel }) =>
    (judged) =>
      expectedAveragePrecision(judged, cutoff, rel),
});
