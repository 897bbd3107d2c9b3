import { defineMetric } from "./define-metric.js";
import { countJudgedWithin } from "./judged-share.js";

/** The share of the top k that is unjudged: `unjudgedShare({ cutoff: 10 }).name // => "Unjudged@10"`. */
export const unjudgedShare = /*#__PURE__*/ defineMetric({
  name: "Unjudged",
  question: "How much of the top k is unjudged, so that the other numbers are guesses about it?",
  formula: "unjudged hits in the top k / k",
  edges: "Fewer than k hits: still divided by k. Negative grades count as unjudged.",
  agreesWith: "trec_eval 10 unj_k",
  paper: "Soboroff: the manual of trec_eval 10, https://github.com/usnistgov/trec_eval",
  cutoff: "required",
  parameters: {},
  judgedOnly: false,
  range: [0, 1],
  higherIsBetter: false,
  exempt: { "an unjudged item at the end changes nothing": "with fewer than k hits it is one of the top k" },
  fraction:
    ({ cutoff }) =>
    (judged) => ({
      numerator: Math.min(cutoff, judged.returned) - countJudgedWithin(judged, cutoff),
      denominator: cutoff,
    }),
});
