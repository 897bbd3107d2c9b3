import { defineMetric } from "./define-metric.js";

/** How much of the judged gain is in the top k: `gainRecall({ cutoff: 10 }).name // => "GainRecall@10"`. */
export const gainRecall = /*#__PURE__*/ defineMetric({
  name: "GainRecall",
  question: "How much of all the gain there is is in the top k?",
  formula: "sum of grades in the top k / sum of the grades of all judged items",
  edges: "Nothing of positive grade judged: 0. Unjudged hits have no gain.",
  agreesWith: "none known",
  paper:
    "Kekäläinen, Järvelin: Using Graded Relevance Assessments in IR Evaluation (generalized " +
    "recall), https://doi.org/10.1002/asi.10137",
  cutoff: "required",
  parameters: {},
  range: [0, 1],
  higherIsBetter: true,
  bounds: "rising",
  linear: ({ cutoff }) => ({
    over: "finds",
    gain: (grade) => grade,
    discount: (rank) => (rank <= cutoff ? 1 : 0),
    norm: ({ pool }) => {
      let sum = 0;
      for (let i = 0; i < pool.length; i++) sum += pool[i] as number;
      return sum;
    },
  }),
});
