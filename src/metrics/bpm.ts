import { cwlMeasure, expectedRate, wantedGain } from "./cwl.js";
import { defineMetric } from "./define-metric.js";
import { scaleGain, scaleParameters } from "./scale.js";

/** The static Bejeweled Player Model. */
export const bpm = /*#__PURE__*/ defineMetric({
  ...cwlMeasure,
  name: "BPM",
  question: "How much gain per item does a reader get who stops at a gain of T, or after k items?",
  formula: "gain so far / rank, at the first rank where the gain so far reaches T, at the latest at k",
  edges: "Nothing relevant found: 0. Fewer than k hits: the rest has no gain.",
  agreesWith: "cwl_eval and ir_measures BPM(T=1.0,max_rel=..)@k",
  paper:
    "Zhang, Liu, Li, Zhang, Xu, Ma: Evaluating Web Search with a Bejeweled Player Model, " +
    "https://doi.org/10.1145/3077136.3080841",
  cutoff: "required",
  parameters: { T: wantedGain, ...scaleParameters },
  exempt: {
    "swapping a better item upwards never lowers it":
      "the reader stops as soon as the gain is reached, also one item before a still better one",
  },
  score: ({ cutoff, T, min_rel, max_rel }) => {
    const gain = scaleGain(min_rel, max_rel);
    return (judged) => expectedRate(judged, gain, (rank, _, total) => (total < T && rank < cutoff ? 1 : 0));
  },
});
