import { defineMetric } from "./define-metric.js";
import { alpha, diversityMeasure, noveltyGain, serveSubtopics } from "./subtopics.js";
import { relevanceLevel } from "./relevance.js";

/** What the cards of NRBP and of its normalized form have in common. */
export const noveltyReader = {
  paper:
    "Clarke, Kolla, Vechtomova: An Effectiveness Measure for Ambiguous and Underspecified Queries, " +
    "https://doi.org/10.1007/978-3-642-04417-5_17",
  cutoff: "none",
  parameters: {
    alpha,
    beta: { default: 0.5, minimum: 0, maximum: 1, meaning: "how likely a reader goes on to the next item" },
    rel: relevanceLevel,
  },
} as const;

/** Novelty- and rank-biased precision. */
export const nrbp = /*#__PURE__*/ defineMetric({
  ...diversityMeasure,
  name: "NRBP",
  question: "How much new does a reader find who goes on to the next item with probability beta?",
  formula: "(1 - (1 - alpha) beta) / subtopics * sum of novelty gain * beta^(rank - 1)",
  agreesWith: "ndeval and ir_measures NRBP",
  ...noveltyReader,
  score:
    ({ alpha: a, beta, rel }) =>
    (judged) => {
      const served = serveSubtopics(judged, rel);
      const gained = noveltyGain(served, a, Infinity, (rank) => beta ** (rank - 1));
      return gained === 0 ? 0 : ((1 - (1 - a) * beta) * gained) / served.count;
    },
});
