import { averagePrecisionAlong, averagePrecisionScore } from "./average-precision.js";
import { defineMetric } from "./define-metric.js";
import { geometricMean } from "./aggregates.js";
import { relevanceLevel } from "./relevance.js";

/** Average precision whose aggregate is the geometric mean, so that the worst queries weigh most. */
export const gmap = /*#__PURE__*/ defineMetric({
  name: "GMAP",
  question: "How well are the relevant items packed towards the top, the worst queries weighing most?",
  formula: "AP per query; over queries the geometric mean of max(AP, 0.00001)",
  edges: "As AP. A query without anything relevant found enters with the floor 0.00001.",
  agreesWith: "trec_eval gm_map",
  paper: "Robertson: On GMAP, https://doi.org/10.1145/1183614.1183630",
  cutoff: "none",
  parameters: { rel: relevanceLevel },
  range: [0, 1],
  higherIsBetter: true,
  aggregate: geometricMean,
  bounds: "counted",
  score:
    ({ rel }) =>
    (judged) =>
      averagePrecisionScore(judged, Infinity, rel),
  along:
    ({ rel }) =>
    (judged, labels) =>
      averagePrecisionAlong(judged, labels, Infinity, rel),
});
