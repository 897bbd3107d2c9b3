import { cwlMeasure, expectedRate } from "./cwl.js";
import { defineMetric } from "./define-metric.js";
import { scaleGain, scaleParameters } from "./scale.js";

/** The measure nearest to ERR that is C/W/L, by equation 10 of its paper. */
export const nerr10 = /*#__PURE__*/ defineMetric({
  ...cwlMeasure,
  name: "NERR10",
  question:
    "How much gain per item does a reader get who stops at an item with the probability of its " +
    "gain, or for another reason with 1 - p?",
  formula: "expected rate of gain; after rank i the reader goes on with p * (1 - gain)",
  agreesWith: "cwl_eval and ir_measures NERR10",
  paper: "Azzopardi, Mackenzie, Moffat: ERR is not C/W/L, https://doi.org/10.1145/3471158.3472239",
  cutoff: "none",
  parameters: {
    p: {
      default: 0.9,
      minimum: 0,
      maximum: 1,
      meaning: "how likely a reader goes on after an item without gain",
    },
    ...scaleParameters,
  },
  score: ({ p, min_rel, max_rel }) => {
    const gain = scaleGain(min_rel, max_rel);
    return (judged) => expectedRate(judged, gain, (_, here) => p * (1 - here));
  },
});
