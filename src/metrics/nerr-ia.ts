import { defineMetric } from "./define-metric.js";
import { alpha, normalizedDiversityMeasure, normalizeNovelty } from "./subtopics.js";
import { relevanceLevel } from "./relevance.js";

const discount = (rank: number): number => 1 / rank;

/** Normalized intent-aware expected reciprocal rank. */
export const nerrIA = /*#__PURE__*/ defineMetric({
  ...normalizedDiversityMeasure,
  name: "nERR_IA",
  question:
    "How close do readers who look for different subtopics come to the best that could be done for " +
    "all of them?",
  formula: "sum of novelty gain / rank, divided by that of the greedy ideal",
  agreesWith: "ndeval and ir_measures nERR_IA",
  paper:
    "Clarke, Craswell, Soboroff, Ashkan: A Comparative Analysis of Cascade Measures for Novelty " +
    "and Diversity, https://doi.org/10.1145/1935826.1935847",
  cutoff: "required",
  parameters: { alpha, rel: relevanceLevel },
  score: (settled) => normalizeNovelty({ ...settled, discount }),
});
