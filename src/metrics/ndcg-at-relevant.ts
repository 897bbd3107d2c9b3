import { positive, type JudgedRanking } from "./judged-ranking.js";
import { defineMetric } from "./define-metric.js";
import { logDiscount } from "./gain.js";

function averageAtRelevant({ earned, pool }: JudgedRanking): number {
  const { ranks, grades } = positive(earned);
  let relevant = 0;
  while (relevant < pool.length && (pool[relevant] as number) > 0) relevant++;
  let ideal = 0;
  let looked = 0;
  let gained = 0;
  let found = 0;
  let sum = 0;
  for (let i = 0; i < ranks.length; i++) {
    if ((grades[i] as number) <= 0) continue;
    gained += (grades[i] as number) / logDiscount(ranks[i] as number);
    for (; looked < relevant && looked < (ranks[i] as number); looked++)
      ideal += (pool[looked] as number) / logDiscount(looked + 1);
    sum += gained / ideal;
    found++;
  }
  for (; looked < relevant; looked++) ideal += (pool[looked] as number) / logDiscount(looked + 1);
  return sum === 0 ? 0 : (sum + ((relevant - found) * gained) / ideal) / relevant;
}

/** trec_eval's ndcg_rel: nDCG averaged over the ranks of relevant items. */
export const ndcgAtRelevant = /*#__PURE__*/ defineMetric({
  name: "nDCGRel",
  question: "What is nDCG on average at the ranks where something relevant was found?",
  formula:
    "mean over the items of positive grade of nDCG at their rank; at the end of the ranking for " +
    "those not found",
  edges: "Nothing of positive grade judged or found: 0. Unjudged hits have no gain.",
  agreesWith: "trec_eval ndcg_rel",
  paper: "Buckley: the manual of trec_eval, https://github.com/usnistgov/trec_eval (experimental)",
  cutoff: "none",
  parameters: {},
  range: [0, 1],
  higherIsBetter: true,
  exempt: {
    "swapping a better item upwards never lowers it":
      "the ranks at which nDCG is looked at move with the items",
  },
  score: () => averageAtRelevant,
});
