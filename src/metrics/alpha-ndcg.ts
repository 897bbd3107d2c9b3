import { defineMetric } from "./define-metric.js";
import { alpha, normalizedDiversityMeasure, normalizeNovelty } from "./subtopics.js";
import { relevanceLevel } from "./relevance.js";
import { logDiscount } from "./gain.js";

const discount = (rank: number): number => 1 / logDiscount(rank);

/** Normalized discounted gain of novelty: `alphaNdcg({ cutoff: 10 }).name // => "alpha_nDCG@10"`. */
export const alphaNdcg = /*#__PURE__*/ defineMetric({
  ...normalizedDiversityMeasure,
  name: "alpha_nDCG",
  question: "How close is the order to the best one that could be put together for all subtopics?",
  formula: "sum of novelty gain / log2(rank + 1), divided by that of the greedy ideal",
  agreesWith: "ndeval and ir_measures alpha_nDCG",
  paper:
    "Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher, MacKinnon: Novelty and Diversity in " +
    "Information Retrieval Evaluation, https://doi.org/10.1145/1390334.1390446",
  cutoff: "required",
  parameters: { alpha, rel: relevanceLevel },
  score: (settled) => normalizeNovelty({ ...settled, discount }),
});
