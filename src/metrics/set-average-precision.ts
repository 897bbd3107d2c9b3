import { defineMetric } from "./define-metric.js";
import { relevanceLevel, relevantItems } from "./relevance.js";
import { relevantFound, relevantReturned, seesTheEnd, setMeasure } from "./set-measure.js";

/** Average precision of all that was returned, taken as one set: precision times recall. */
export const setAveragePrecision = /*#__PURE__*/ defineMetric({
  ...setMeasure,
  name: "SetAP",
  question: "What would AP be, if what was returned had no order?",
  formula: "SetP * SetR",
  edges: "Nothing returned or nothing relevant judged: 0.",
  agreesWith: "trec_eval set_map, ir_measures SetAP",
  parameters: { rel: relevanceLevel },
  exempt: seesTheEnd,
  score:
    ({ rel }) =>
    (judged) => {
      const found = relevantReturned(judged, rel);
      return found === 0
        ? 0
        : (found * relevantFound(judged, rel)) / (relevantItems(judged, rel) * judged.returned);
    },
});
