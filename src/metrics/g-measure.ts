import { positive, type JudgedRanking } from "./judged-ranking.js";
import { defineMetric } from "./define-metric.js";

/** What looking at a hit costs at least, also when no gain was left to find. */
const LEAST_COST = 1;

function normalizedG({ earned, pool }: JudgedRanking): number {
  const { ranks, grades } = positive(earned);
  let ideal = 0;
  for (let i = 0; i < pool.length; i++) ideal += pool[i] as number;
  let cost = 0;
  let looked = 0;
  let gained = 0;
  let sum = 0;
  for (let i = 0; i < ranks.length; i++) {
    const rank = ranks[i] as number;
    for (; looked < rank && looked < pool.length; looked++)
      cost += Math.max(LEAST_COST, pool[looked] as number);
    // One by one fractions would round in another way.
    for (; looked < rank && !Number.isInteger(cost); looked++) cost += LEAST_COST;
    if (looked < rank) cost += (rank - looked) * LEAST_COST;
    looked = Math.max(looked, rank);
    const grade = grades[i] as number;
    if (grade === 0) continue;
    gained += grade;
    sum += grade / Math.log2(2 + cost - gained);
  }
  return sum === 0 ? 0 : sum / ideal;
}

/** trec_eval's G: gain, discounted by how much better the ranking could have been so far. */
export const gMeasure = /*#__PURE__*/ defineMetric({
  name: "G",
  question: "How much gain is there, discounted by the gain that was missed on the way to it?",
  formula:
    "sum of grade / log2(2 + ideal gain so far - gain so far) / sum of all grades; an ideal hit " +
    "counts at least 1",
  edges: "Nothing of positive grade judged or found: 0. Unjudged hits have no gain.",
  agreesWith: "trec_eval G",
  paper: "Buckley: the manual of trec_eval, https://github.com/usnistgov/trec_eval (experimental)",
  cutoff: "none",
  parameters: {},
  range: [0, 1],
  higherIsBetter: true,
  exempt: {
    "swapping a better item upwards never lowers it":
      "an early gain is discounted by what an ideal list would have gained by then, and takes from " +
      "later ones what they had caught up",
  },
  score: () => normalizedG,
});
