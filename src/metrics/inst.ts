import { cwlMeasure, expectedRate, wantedGain } from "./cwl.js";
import { defineMetric } from "./define-metric.js";
import { scaleGain, scaleParameters } from "./scale.js";

/** INST, whose reader grows impatient as the wanted gain comes near. */
export const inst = /*#__PURE__*/ defineMetric({
  ...cwlMeasure,
  name: "INST",
  question: "How much gain per item does a reader get who wants a gain of T and adapts to what was found?",
  formula:
    "expected rate of gain; after rank i the reader goes on with ((i + T + T_i - 1) / (i + T + " +
    "T_i))^2, T_i = T - gain so far",
  agreesWith: "cwl_eval and ir_measures INST(max_rel=..)",
  paper: "Moffat, Bailey, Scholer, Thomas: INST, https://doi.org/10.1145/2838931.2838938",
  cutoff: "none",
  // Below 1 / 2 the chance to go on after an item of full gain would be above 1.
  parameters: { T: { ...wantedGain, minimum: 0.5 }, ...scaleParameters },
  score: ({ T, min_rel, max_rel }) => {
    const gain = scaleGain(min_rel, max_rel);
    return (judged) =>
      expectedRate(
        judged,
        gain,
        (rank, _, total) => ((rank + 2 * T - total - 1) / (rank + 2 * T - total)) ** 2,
      );
  },
});
