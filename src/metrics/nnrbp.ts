import { defineMetric } from "./define-metric.js";
import { noveltyReader } from "./nrbp.js";
import { normalizedDiversityMeasure, normalizeNovelty } from "./subtopics.js";

/** Normalized novelty- and rank-biased precision. */
export const nnrbp = /*#__PURE__*/ defineMetric({
  ...normalizedDiversityMeasure,
  name: "nNRBP",
  question: "How close is what is new to the best that could be put together for all subtopics?",
  formula: "sum of novelty gain * beta^(rank - 1), divided by that of the greedy ideal",
  agreesWith: "ndeval and ir_measures nNRBP",
  ...noveltyReader,
  score: (settled) =>
    normalizeNovelty({ ...settled, cutoff: Infinity, discount: (rank) => settled.beta ** (rank - 1) }),
});
