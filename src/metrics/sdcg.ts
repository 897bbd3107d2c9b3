import { InputError } from "../foundation/errors/index.js";
import { cwlMeasure } from "./cwl.js";
import { defineMetric } from "./define-metric.js";
import { logDiscount } from "./gain.js";
import { scaleGain, scaleParameters } from "./scale.js";

/** So many discounts add up in a quarter of a second. */
const DEEPEST = 10_000_000;

/** The sum of 1 / log2(rank + 1) down to a cutoff. */
function allDiscounts(cutoff: number): number {
  if (cutoff > DEEPEST)
    throw new InputError("METRIC_PARAMETER", `the cutoff of SDCG must be at most ${DEEPEST}, got ${cutoff}`);
  let sum = 0;
  for (let rank = 1; rank <= cutoff; rank++) sum += 1 / Math.log2(rank + 1);
  return sum;
}

/** Scaled DCG: the discounts add up to 1. */
export const sdcg = /*#__PURE__*/ defineMetric({
  ...cwlMeasure,
  name: "SDCG",
  question: "How much gain per item does a reader get whose attention fades with the logarithm of the rank?",
  formula: "sum of scaled gain / log2(rank + 1), divided by the sum of 1 / log2(rank + 1), both down to k",
  edges:
    "Nothing relevant found: 0. Fewer than k hits: still divided by the discounts of all k. At most " +
    "10,000,000 for k.",
  agreesWith: "cwl_eval and ir_measures SDCG(max_rel=..)@k",
  paper:
    "Moffat, Bailey, Scholer, Thomas: Incorporating User Expectations and Behavior into the " +
    "Measurement of Search Effectiveness, https://doi.org/10.1145/3052768",
  cutoff: "required",
  parameters: scaleParameters,
  bounds: "rising",
  linear: ({ cutoff, min_rel, max_rel }) => {
    const all = allDiscounts(cutoff);
    return {
      over: "earned",
      gain: scaleGain(min_rel, max_rel),
      discount: (rank) => (rank <= cutoff ? 1 / logDiscount(rank) : 0),
      norm: () => all,
    };
  },
});
