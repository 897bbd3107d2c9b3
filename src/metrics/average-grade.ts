import { defineMetric } from "./define-metric.js";

/** The mean grade of the top k: `averageGrade({ cutoff: 10 }).name // => "AvgGrade@10"`. */
export const averageGrade = /*#__PURE__*/ defineMetric({
  name: "AvgGrade",
  question: "How good are the top k on average?",
  formula: "sum of grades in the top k / k",
  edges: "Fewer than k hits: still divided by k. Unjudged hits have grade 0.",
  agreesWith: "cumulated gain (CG) divided by k",
  paper:
    "Järvelin, Kekäläinen: Cumulated Gain-based Evaluation of IR Techniques, " +
    "https://doi.org/10.1145/582415.582418",
  cutoff: "required",
  parameters: {},
  range: [0, null],
  higherIsBetter: true,
  bounds: "rising",
  linear: ({ cutoff }) => ({
    over: "earned",
    gain: (grade) => grade,
    discount: (rank) => (rank <= cutoff ? 1 : 0),
    norm: () => cutoff,
  }),
});
