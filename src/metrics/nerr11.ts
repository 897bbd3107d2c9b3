import { cwlMeasure, expectedRate, patience, wantedGain } from "./cwl.js";
import { defineMetric } from "./define-metric.js";
import { scaleGain, scaleParameters } from "./scale.js";

/** The measure nearest to ERR that is C/W/L, by equation 11 of its paper. */
export const nerr11 = /*#__PURE__*/ defineMetric({
  ...cwlMeasure,
  name: "NERR11",
  question:
    "How much gain per item does a reader get who stops at an item with the probability of its " +
    "gain, and whose patience depends on T?",
  formula:
    "expected rate of gain; after rank i the reader goes on with ((i + 2T - 1) / (i + 2T))^2 * (1 - gain)",
  agreesWith: "cwl_eval and ir_measures NERR11",
  paper: "Azzopardi, Mackenzie, Moffat: ERR is not C/W/L, https://doi.org/10.1145/3471158.3472239",
  cutoff: "none",
  parameters: { T: wantedGain, ...scaleParameters },
  score: ({ T, min_rel, max_rel }) => {
    const gain = scaleGain(min_rel, max_rel);
    return (judged) => expectedRate(judged, gain, (rank, here) => patience(rank, T) * (1 - here));
  },
});
