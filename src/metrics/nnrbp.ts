import { defineMetric } from "./define-metric.js";
import { alpha, normalizedDiversityMeasure, normalizedNovelty } from "./subtopics.js";
import { relevanceLevel } from "./relevance.js";

/** Normalized novelty- and rank-biased precision. */
export const nnrbp = /*#__PURE__*/ defineMetric({
  ...normalizedDiversityMeasure,
  name: "nNRBP",
  question: "How close is what is new to the best that could be put together for all subtopics?",
  formula: "sum of novelty gain * beta^(rank - 1), divided by that of the greedy ideal",
  agreesWith: "ndeval and ir_measures nNRBP",
  paper:
    "Clarke, Kolla, Vechtomova: An Effectiveness Measure for Ambiguous and Underspecified Queries, " +
    "https://doi.org/10.1007/978-3-642-04417-5_17",
  cutoff: "none",
  parameters: {
    alpha,
    beta: { default: 0.5, minimum: 0, maximum: 1, meaning: "how likely a reader goes on to the next item" },
    rel: relevanceLevel,
  },
  score: (settled) =>
    normalizedNovelty({ ...settled, cutoff: Infinity, discount: (rank) => settled.beta ** (rank - 1) }),
});
