import { count } from "./counts.js";
import { defineMetric } from "./define-metric.js";
import { relevantReturned } from "./set-measure.js";

/** The number of hits that were judged not relevant. */
export const numNonrelevantReturned = /*#__PURE__*/ defineMetric({
  ...count,
  name: "NumNonrelRet",
  question: "How many hits were judged and found not relevant?",
  formula: "number of judged hits of a grade below rel",
  edges: "Nothing returned: 0. Unjudged hits do not count.",
  agreesWith: "trec_eval num_nonrel_judged_ret",
  higherIsBetter: false,
  exempt: {
    "ideal attains the maximum":
      "the ideal list is filled up with items judged not relevant before unjudged ones",
  },
  fraction:
    ({ rel }) =>
    (judged) => ({ numerator: judged.hits.ranks.length - relevantReturned(judged, rel), denominator: 1 }),
});
