import { defineMetric } from "./define-metric.js";
import { diversityMeasure, serveSubtopics } from "./subtopics.js";
import { relevanceLevel } from "./relevance.js";

/** Subtopic recall: `subtopicRecall({ cutoff: 10 }).name // => "StRecall@10"`. */
export const subtopicRecall = /*#__PURE__*/ defineMetric({
  ...diversityMeasure,
  name: "StRecall",
  question: "How many of the subtopics are served in the top k?",
  formula: "subtopics with a relevant document in the top k / subtopics with a relevant document",
  agreesWith: "ndeval and ir_measures StRecall",
  paper: "Zhai, Cohen, Lafferty: Beyond Independent Relevance, https://doi.org/10.1145/860435.860440",
  cutoff: "required",
  parameters: { rel: relevanceLevel },
  fraction:
    ({ cutoff, rel }) =>
    (judged) => {
      const { served, ranks, found, count } = serveSubtopics(judged, rel);
      const seen = new Set<number>();
      for (let i = 0; i < ranks.length && (ranks[i] as number) <= cutoff; i++)
        for (const subtopic of served[found[i] as number] as readonly number[]) seen.add(subtopic);
      return { numerator: seen.size, denominator: Math.max(1, count) };
    },
});
