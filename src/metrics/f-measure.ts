import { defineMetric } from "./define-metric.js";
import { relevanceLevel, relevantItems } from "./relevance.js";
import { beta } from "./set-measure.js";

/** F at a cutoff: the harmonic mean of precision and recall, (1 + beta^2) found / (beta^2 R + k). */
export const fMeasure = /*#__PURE__*/ defineMetric({
  name: "F",
  aliases: ["F1", "f1"],
  cutoff: "required",
  question: "How well do precision and recall of the top k go together?",
  formula: "(1 + beta^2) P R / (beta^2 P + R), with P and R at k",
  edges: "Nothing relevant in the top k: 0. Fewer than k hits: precision is still divided by k.",
  agreesWith: "ranx f1@k",
  paper: "van Rijsbergen: Information Retrieval, 2nd edition, 1979",
  parameters: { rel: relevanceLevel, beta },
  range: [0, 1],
  higherIsBetter: true,
  bounds: "counted",
  linear: ({ cutoff, rel, beta: b }) => ({
    over: "hits",
    gain: (grade) => (grade >= rel ? 1 : 0),
    discount: (rank) => (rank <= cutoff ? 1 : 0),
    norm: (judged) => (b * b * relevantItems(judged, rel) + cutoff) / (1 + b * b),
  }),
});
