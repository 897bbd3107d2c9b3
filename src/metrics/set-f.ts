import { defineMetric } from "./define-metric.js";
import { relevanceLevel, relevantItems } from "./relevance.js";
import { beta, relevantFound, relevantReturned, seesTheEnd, setMeasure } from "./set-measure.js";

/** F of all that was returned. */
export const setF = /*#__PURE__*/ defineMetric({
  ...setMeasure,
  name: "SetF",
  question: "How well do precision and recall of all that was returned go together?",
  formula:
    "(w + 1) P R / (w P + R), with w = beta^2 and P and R of all that was returned; with " +
    "weight='beta' w = beta",
  edges: "Nothing relevant found: 0.",
  agreesWith: "ranx f1; weight='beta': trec_eval set_F, ir_measures SetF(beta=..)",
  parameters: {
    rel: relevanceLevel,
    beta,
    weight: { default: "beta^2", oneOf: ["beta^2", "beta"], meaning: "what recall weighs" },
  },
  exempt: seesTheEnd,
  score: ({ rel, beta: b, weight }) => {
    const w = weight === "beta" ? b : b * b;
    // In trec_eval's order of operations, which gives the same doubles.
    return (judged) => {
      const found = relevantReturned(judged, rel);
      if (found === 0) return 0;
      const p = found / judged.returned;
      const r = relevantFound(judged, rel) / relevantItems(judged, rel);
      return ((w + 1) * p * r) / (w * p + r);
    };
  },
});
