import { defineMetric } from "./define-metric.js";
import { absoluteNovelty, alpha, diversityMeasure } from "./subtopics.js";
import { relevanceLevel } from "./relevance.js";

const discount = (rank: number): number => 1 / rank;

/** Intent-aware expected reciprocal rank. */
export const errIA = /*#__PURE__*/ defineMetric({
  ...diversityMeasure,
  name: "ERR_IA",
  question: "How far down do readers go who look for different subtopics?",
  formula:
    "sum of novelty gain / rank, divided by what a document at every rank that serves all " +
    "subtopics would give",
  agreesWith: "ndeval and ir_measures ERR_IA",
  paper:
    "Clarke, Craswell, Soboroff, Ashkan: A Comparative Analysis of Cascade Measures for Novelty " +
    "and Diversity, https://doi.org/10.1145/1935826.1935847",
  cutoff: "required",
  parameters: { alpha, rel: relevanceLevel },
  score: (settled) => absoluteNovelty({ ...settled, discount }),
});
