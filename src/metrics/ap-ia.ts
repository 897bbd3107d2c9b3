import { defineMetric } from "./define-metric.js";
import { diversityMeasure, serveSubtopics } from "./subtopics.js";
import { relevanceLevel } from "./relevance.js";

/** Intent-aware average precision. */
export const averagePrecisionIA = /*#__PURE__*/ defineMetric({
  ...diversityMeasure,
  name: "AP_IA",
  question: "How well are the documents of each subtopic packed towards the top?",
  formula: "mean over the subtopics of the average precision for that subtopic",
  agreesWith: "ndeval and ir_measures AP_IA",
  paper:
    "Agrawal, Gollapudi, Halverson, Ieong: Diversifying Search Results, " +
    "https://doi.org/10.1145/1498759.1498766",
  cutoff: "none",
  parameters: { rel: relevanceLevel },
  score:
    ({ rel }) =>
    (judged) => {
      const { served, ranks, found, count } = serveSubtopics(judged, rel);
      const relevant = new Map<number, number>();
      for (const subtopics of served)
        for (const subtopic of subtopics) relevant.set(subtopic, (relevant.get(subtopic) ?? 0) + 1);
      const hits = new Map<number, number>();
      let sum = 0;
      for (let i = 0; i < ranks.length; i++) {
        for (const subtopic of served[found[i] as number] as readonly number[]) {
          const above = (hits.get(subtopic) ?? 0) + 1;
          hits.set(subtopic, above);
          sum += above / (ranks[i] as number) / (relevant.get(subtopic) as number);
        }
      }
      return sum === 0 ? 0 : sum / count;
    },
});
