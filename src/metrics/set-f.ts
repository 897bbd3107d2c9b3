import { defineMetric } from "./define-metric.js";
import { relevanceLevel, relevantItems } from "./relevance.js";
import { beta, relevantReturned, seesTheEnd, setMeasure } from "./set-measure.js";

/** F of all that was returned. */
export const setF = /*#__PURE__*/ defineMetric({
  ...setMeasure,
  name: "SetF",
  question: "How well do precision and recall of all that was returned go together?",
  formula: "(1 + beta^2) P R / (beta^2 P + R), with P and R of all that was returned",
  edges: "Nothing relevant found: 0.",
  agreesWith: "ir_measures SetF(beta=..), trec_eval set_F, ranx f1",
  parameters: { rel: relevanceLevel, beta },
  exempt: seesTheEnd,
  score: ({ rel, beta: b }) => (judged) => {
    const found = relevantReturned(judged, rel);
    return found === 0 ? 0 : ((1 + b * b) * found) / (b * b * relevantItems(judged, rel) + judged.returned);
  },
});
