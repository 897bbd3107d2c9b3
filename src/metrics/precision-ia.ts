import { defineMetric } from "./define-metric.js";
import { diversityMeasure, serveSubtopics } from "./subtopics.js";
import { relevanceLevel } from "./relevance.js";

/** Intent-aware precision. */
export const precisionIA = /*#__PURE__*/ defineMetric({
  ...diversityMeasure,
  name: "P_IA",
  question: "How much of the top k serves a subtopic, on average over subtopics?",
  formula: "mean over the subtopics of the precision at k for that subtopic",
  agreesWith: "ndeval and ir_measures P_IA",
  paper:
    "Agrawal, Gollapudi, Halverson, Ieong: Diversifying Search Results, " +
    "https://doi.org/10.1145/1498759.1498766",
  cutoff: "required",
  parameters: { rel: relevanceLevel },
  fraction:
    ({ cutoff, rel }) =>
    (judged) => {
      const { served, ranks, found, count } = serveSubtopics(judged, rel);
      let sum = 0;
      for (let i = 0; i < ranks.length && (ranks[i] as number) <= cutoff; i++)
        sum += (served[found[i] as number] as readonly number[]).length;
      return { numerator: sum, denominator: Math.max(1, count) * cutoff };
    },
});
