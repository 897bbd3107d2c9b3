import { cwlMeasure, expectedRate } from "./cwl.js";
import { defineMetric } from "./define-metric.js";
import { scaleGain, scaleParameters } from "./scale.js";

/** The measure nearest to ERR that is C/W/L, by equation 9 of its paper. */
export const nerr9 = /*#__PURE__*/ defineMetric({
  ...cwlMeasure,
  name: "NERR9",
  question:
    "How much gain per item does a reader get who stops at an item with the probability of its " +
    "gain, or of fatigue, or at k?",
  formula:
    "expected rate of gain; after rank i the reader goes on with i / (i + 1) * (1 - gain), and not beyond k",
  agreesWith: "cwl_eval and ir_measures NERR9",
  paper: "Azzopardi, Mackenzie, Moffat: ERR is not C/W/L, https://doi.org/10.1145/3471158.3472239",
  cutoff: "required",
  parameters: scaleParameters,
  score: ({ cutoff, min_rel, max_rel }) => {
    const gain = scaleGain(min_rel, max_rel);
    return (judged) =>
      expectedRate(judged, gain, (rank, here) => (rank < cutoff ? (rank / (rank + 1)) * (1 - here) : 0));
  },
});
