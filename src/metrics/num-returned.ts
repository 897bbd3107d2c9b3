import { count } from "./counts.js";
import { defineMetric } from "./define-metric.js";
import { relevanceLevel } from "./relevance.js";
import { relevantReturned } from "./set-measure.js";

/** The number of hits. */
export const numReturned = /*#__PURE__*/ defineMetric({
  ...count,
  name: "NumRet",
  question: "How many hits came back?",
  formula: "number of hits; with rel=r those of grade r or more",
  edges: "Nothing returned: 0.",
  agreesWith: "trec_eval num_ret, ir_measures NumRet",
  parameters: {
    rel: {
      ...relevanceLevel,
      default: 0,
      minimum: 0,
      meaning: "0 for all hits, else the lowest grade that counts",
    },
  },
  exempt: { "an unjudged item at the end changes nothing": "it is counted" },
  fraction:
    ({ rel }) =>
    (judged) => ({ numerator: rel === 0 ? judged.returned : relevantReturned(judged, rel), denominator: 1 }),
});
