import { defineMetric } from "./define-metric.js";
import { absoluteNovelty, alpha, diversityMeasure } from "./subtopics.js";
import { relevanceLevel } from "./relevance.js";
import { logDiscount } from "./gain.js";

const discount = (rank: number): number => 1 / logDiscount(rank);

/** Discounted gain of novelty: `alphaDcg({ cutoff: 10 }).name // => "alpha_DCG@10"`. */
export const alphaDcg = /*#__PURE__*/ defineMetric({
  ...diversityMeasure,
  name: "alpha_DCG",
  question: "How much new is there on the way down, the nearer to the top the better?",
  formula:
    "sum of novelty gain / log2(rank + 1), divided by what a document at every rank that serves " +
    "all subtopics would give",
  agreesWith: "ndeval and ir_measures alpha_DCG",
  paper:
    "Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher, MacKinnon: Novelty and Diversity in " +
    "Information Retrieval Evaluation, https://doi.org/10.1145/1390334.1390446",
  cutoff: "required",
  parameters: { alpha, rel: relevanceLevel },
  score: (settled) => absoluteNovelty({ ...settled, discount }),
});
