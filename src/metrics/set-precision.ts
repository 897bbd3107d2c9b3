import { defineMetric } from "./define-metric.js";
import { relevanceLevel, relevantItems } from "./relevance.js";
import { relevantReturned, seesTheEnd, setMeasure } from "./set-measure.js";

/** Precision of all that was returned. */
export const setPrecision = /*#__PURE__*/ defineMetric({
  ...setMeasure,
  name: "SetP",
  aliases: ["P"],
  question: "How much of all that was returned is relevant?",
  formula: "relevant hits / hits; with relative=True / min(hits, R)",
  edges: "Nothing returned: 0. Nothing relevant judged: 0. Unjudged hits are not relevant.",
  agreesWith: "trec_eval set_P (relative=True: set_relative_P), ir_measures SetP",
  parameters: { rel: relevanceLevel, relative: { default: false, meaning: "divide by what was attainable" } },
  exempt: seesTheEnd,
  fraction:
    ({ rel, relative }) =>
    (judged) => {
      const attainable = relative ? Math.min(judged.returned, relevantItems(judged, rel)) : judged.returned;
      return {
        numerator: relative
          ? Math.min(attainable, relevantReturned(judged, rel))
          : relevantReturned(judged, rel),
        denominator: Math.max(1, attainable),
      };
    },
});
