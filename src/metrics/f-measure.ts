import { defineMetric } from "./define-metric.js";
import type { JudgedRanking } from "./judged-ranking.js";
import { relevanceLevel, relevantItems, relevantWithin } from "./relevance.js";
import { beta } from "./set-measure.js";

/** What found hits are divided by. */
function normOf(beta: number, level: number, cutoff: number): (judged: JudgedRanking) => number {
  return (judged) => (beta * beta * relevantItems(judged, level) + cutoff) / (1 + beta * beta);
}

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
  score: ({ cutoff, rel, beta: b }) => {
    const norm = normOf(b, rel, cutoff);
    return (judged) => {
      const found = relevantWithin(judged.hits, rel, cutoff);
      const items = relevantWithin(judged.finds, rel, cutoff);
      if (found === items) return found === 0 ? 0 : found / norm(judged);
      // Several hits stand for one item, or one for several: they are not the same number.
      const [precision, recall] = [found / cutoff, items / relevantItems(judged, rel)];
      return ((1 + b * b) * precision * recall) / (b * b * precision + recall);
    };
  },
  linear: ({ cutoff, rel, beta: b }) => ({
    over: "hits",
    gain: (grade) => (grade >= rel ? 1 : 0),
    discount: (rank) => (rank <= cutoff ? 1 : 0),
    norm: normOf(b, rel, cutoff),
  }),
});
