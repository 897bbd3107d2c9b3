import { count } from "./counts.js";
import { defineMetric } from "./define-metric.js";
import { relevantItems } from "./relevance.js";

/** The number of relevant judged items. */
export const numRelevant = /*#__PURE__*/ defineMetric({
  ...count,
  name: "NumRel",
  question: "How many relevant items are there?",
  formula: "number of judged items of grade rel or more",
  edges: "Nothing relevant judged: 0.",
  agreesWith: "trec_eval num_rel, ir_measures NumRel",
  fraction:
    ({ rel }) =>
    (judged) => ({ numerator: relevantItems(judged, rel), denominator: 1 }),
});
