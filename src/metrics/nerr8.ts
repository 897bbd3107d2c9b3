import { cwlMeasure, expectedRate } from "./cwl.js";
import { defineMetric } from "./define-metric.js";
import { scaleGain, scaleParameters } from "./scale.js";

/** The measure nearest to ERR that is C/W/L, by equation 8 of its paper. */
export const nerr8 = /*#__PURE__*/ defineMetric({
  ...cwlMeasure,
  name: "NERR8",
  question:
    "How much gain per item does a reader get who stops at an item with the probability of its " +
    "gain, or at k?",
  formula: "expected rate of gain; after rank i the reader goes on with 1 - gain, and not beyond k",
  agreesWith: "cwl_eval and ir_measures NERR8",
  paper: "Azzopardi, Mackenzie, Moffat: ERR is not C/W/L, https://doi.org/10.1145/3471158.3472239",
  cutoff: "required",
  parameters: scaleParameters,
  score: ({ cutoff, min_rel, max_rel }) => {
    const gain = scaleGain(min_rel, max_rel);
    return (judged) => expectedRate(judged, gain, (rank, here) => (rank < cutoff ? 1 - here : 0));
  },
});
