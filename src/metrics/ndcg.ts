import type { JudgedRanking } from "../ranking.js";
import { defineMetric } from "./define-metric.js";

type Gain = (grade: number) => number;

/** A grade below 0 means unjudged, so it earns nothing. */
const linearGain: Gain = (grade) => Math.max(0, grade);
const exponentialGain: Gain = (grade) => (grade > 0 ? 2 ** grade - 1 : 0);

/** DCG over the ideal DCG. Each judged item is earned once, and each hit earns the best item that is still free. */
function ndcgScore(judged: JudgedRanking, cutoff: number, gain: Gain): number {
  const earned = new Set<number>();
  let dcg = 0;
  let i = 0;
  while (i < judged.ranks.length && (judged.ranks[i] as number) <= cutoff) {
    const rank = judged.ranks[i] as number;
    let best = -1;
    for (; judged.ranks[i] === rank; i++) {
      const item = judged.items[i] as number;
      if (!earned.has(item) && (best === -1 || (judged.grades[item] as number) > (judged.grades[best] as number))) best = item;
    }
    if (best === -1) continue;
    earned.add(best);
    dcg += gain(judged.grades[best] as number) / Math.log2(rank + 1);
  }
  if (dcg === 0) return 0;
  const ideal = [...judged.grades].sort((a, b) => b - a).slice(0, Math.min(cutoff, judged.grades.length));
  return dcg / ideal.reduce((sum, grade, index) => sum + gain(grade) / Math.log2(index + 2), 0);
}

/** Normalized discounted cumulative gain: `ndcg({ cutoff: 10 }).name // => "nDCG@10"`. */
export const ndcg = /*#__PURE__*/ defineMetric({
  name: "nDCG",
  aliases: ["NDCG"],
  question: "How close is the order to the best possible one, when some items are more relevant than others?",
  formula: "DCG / ideal DCG; DCG = sum of gain / log2(rank + 1); gain = grade, or 2^grade - 1 with dcg='exp-log2'",
  edges: "Nothing of positive grade judged: 0. The ideal is all judged items, cut at k. An item found twice is earned once.",
  agreesWith: "trec_eval ndcg_cut_k, ir_measures nDCG@k, ranx ndcg@k; dcg='exp-log2': ranx ndcg_burges@k",
  paper: "Järvelin, Kekäläinen: Cumulated Gain-based Evaluation of IR Techniques, https://doi.org/10.1145/582415.582418",
  cutoff: "optional",
  parameters: { dcg: { default: "log2", oneOf: ["log2", "exp-log2"], meaning: "how a grade becomes a gain: as it is, or 2^grade - 1" } },
  range: [0, 1],
  higherIsBetter: true,
  score: (judged, settled) => ndcgScore(judged, settled.cutoff, settled.word("dcg") === "log2" ? linearGain : exponentialGain),
});
