import { count } from "./counts.js";
import { defineMetric } from "./define-metric.js";
import { relevantFound } from "./set-measure.js";

/** The number of relevant items found. */
export const numRelevantReturned = /*#__PURE__*/ defineMetric({
  ...count,
  name: "NumRelRet",
  question: "How many relevant items came back?",
  formula: "number of items found of grade rel or more",
  edges: "Nothing relevant found: 0. An item found twice counts once.",
  agreesWith: "trec_eval num_rel_ret, ir_measures NumRelRet",
  bounds: "rising",
  fraction:
    ({ rel }) =>
    (judged) => ({ numerator: relevantFound(judged, rel), denominator: 1 }),
});
