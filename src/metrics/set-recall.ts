import { defineMetric } from "./define-metric.js";
import { relevanceLevel, relevantItems } from "./relevance.js";
import { relevantFound, setMeasure } from "./set-measure.js";

/** Recall of all that was returned. */
export const setRecall = /*#__PURE__*/ defineMetric({
  ...setMeasure,
  name: "SetR",
  question: "How much of what is relevant was returned at all?",
  formula: "relevant items found / R",
  edges: "Nothing relevant judged: 0. An item found twice counts once.",
  agreesWith: "trec_eval set_recall, ir_measures SetR, ranx recall",
  parameters: { rel: relevanceLevel },
  fraction:
    ({ rel }) =>
    (judged) => ({
      numerator: relevantFound(judged, rel),
      denominator: Math.max(1, relevantItems(judged, rel)),
    }),
});
