import { defineMetric } from "./define-metric.js";
import { relevanceLevel } from "./relevance.js";
import { checkTopGrade, topGrade } from "./scale.js";

/** Rank-biased precision: `rankBiasedPrecision({ parameters: { p: 0.5 } }).name // => "RBP(p=0.5)"`. */
export const rankBiasedPrecision = /*#__PURE__*/ defineMetric({
  name: "RBP",
  question: "How much does a reader gain per item looked at, who goes on to the next with probability p?",
  formula: "(1 - p) * sum of gain * p^(rank - 1); gain is 1 from rel on, or grade / max with gain='graded'",
  edges:
    "Nothing relevant found: 0. Unjudged hits have no gain. With gain='graded' a grade above max " +
    "is an error.",
  agreesWith: "cwl_eval and ir_measures RBP(p=..,rel=..); ranx rbp.80 agrees on binary judgments only",
  paper:
    "Moffat, Zobel: Rank-Biased Precision for Measurement of Retrieval Effectiveness, " +
    "https://doi.org/10.1145/1416950.1416952",
  cutoff: "optional",
  parameters: {
    p: {
      default: 0.8,
      minimum: 0,
      maximum: 1 - Number.EPSILON,
      meaning: "how likely a reader goes on to the next item",
    },
    rel: relevanceLevel,
    gain: {
      default: "binary",
      oneOf: ["binary", "graded"],
      meaning: "whether an item is worth 1 from `rel` on, or its grade / `max`",
    },
    max: topGrade,
  },
  range: [0, 1],
  higherIsBetter: true,
  bounds: "rising",
  linear: ({ cutoff, p, rel, gain, max }) => ({
    over: "earned",
    gain: gain === "graded" ? (grade) => grade / max : (grade) => (grade >= rel ? 1 : 0),
    discount: (rank) => (rank <= cutoff ? (1 - p) * p ** (rank - 1) : 0),
    norm: (judged) => {
      if (gain === "graded") checkTopGrade("RBP", judged, max);
      return 1;
    },
  }),
});
