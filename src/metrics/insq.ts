import { cwlMeasure, expectedRate, patience, wantedGain } from "./cwl.js";
import { defineMetric } from "./define-metric.js";
import { scaleGain, scaleParameters } from "./scale.js";

/** INSQ, whose reader's patience depends on how much is wanted. */
export const insq = /*#__PURE__*/ defineMetric({
  ...cwlMeasure,
  name: "INSQ",
  question: "How much gain per item does a reader get who is the more patient, the more is wanted?",
  formula: "expected rate of gain; after rank i the reader goes on with ((i + 2T - 1) / (i + 2T))^2",
  agreesWith: "cwl_eval and ir_measures INSQ(max_rel=..)",
  paper:
    "Moffat, Scholer, Thomas: Models and Metrics: IR Evaluation as a User Process, " +
    "https://doi.org/10.1145/2407085.2407092",
  cutoff: "none",
  parameters: { T: wantedGain, ...scaleParameters },
  bounds: "rising",
  score: ({ T, min_rel, max_rel }) => {
    const gain = scaleGain(min_rel, max_rel);
    return (judged) => expectedRate(judged, gain, (rank) => patience(rank, T));
  },
});
