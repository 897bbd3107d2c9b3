import { positive, type GradedRanks, type JudgedRanking } from "./judged-ranking.js";
import { defineMetric } from "./define-metric.js";
import { logDiscount } from "./gain.js";
import { relevanceLevel, relevantItems } from "./relevance.js";

function averageAtLevels(judged: JudgedRanking, rel: number): number {
  const { pool, returned } = judged;
  const earned = positive(judged.earned);
  if (relevantItems(judged, rel) === 0) return 0;
  let gained = 0;
  let next = 0;
  let ideal = 0;
  let sum = 0;
  let points = 0;
  let place = 0;
  for (; place < pool.length && (pool[place] as number) > 0; place++) {
    ideal += (pool[place] as number) / logDiscount(place + 1);
    if (place + 1 < pool.length && pool[place + 1] === pool[place]) continue;
    for (; next < earned.ranks.length && (earned.ranks[next] as number) <= place + 1; next++)
      gained += gainAt(earned, next);
    sum += gained / ideal;
    points++;
  }
  // As trec_eval: the end of the ranking is a point of its own only if it lies beyond the first rank without
  // gain to expect.
  if (returned > place + 1) {
    for (; next < earned.ranks.length; next++) gained += gainAt(earned, next);
    sum += gained / ideal;
    points++;
  }
  return points === 0 ? 0 : sum / points;
}

function gainAt({ ranks, grades }: GradedRanks, index: number): number {
  return (grades[index] as number) === 0
    ? 0
    : (grades[index] as number) / logDiscount(ranks[index] as number);
}

/** trec_eval's Rndcg: nDCG averaged over the ranks where the ideal ranking changes its grade. */
export const ndcgAtLevels = /*#__PURE__*/ defineMetric({
  name: "RnDCG",
  question: "What is nDCG on average at the ranks where the ideal ranking comes to a lower grade?",
  formula:
    "mean of nDCG at the number of items of the top grade, of the top two grades, ..., and at the " +
    "end of the ranking",
  edges: "Nothing relevant judged: 0. Unjudged hits have no gain.",
  agreesWith: "trec_eval Rndcg",
  paper: "Buckley: the manual of trec_eval, https://github.com/usnistgov/trec_eval (experimental)",
  cutoff: "none",
  parameters: { rel: relevanceLevel },
  range: [0, 1],
  higherIsBetter: true,
  exempt: {
    "an unjudged item at the end changes nothing": "the end of the ranking can become a point to look at",
  },
  score:
    ({ rel }) =>
    (judged) =>
      averageAtLevels(judged, rel),
});
