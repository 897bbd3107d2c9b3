import { binaryPreference, binaryPreferenceCard } from "./bpref.js";
import { defineMetric } from "./define-metric.js";
import { geometricMean } from "./aggregates.js";

/** Binary preference whose aggregate is the geometric mean. */
export const gmBpref = /*#__PURE__*/ defineMetric({
  ...binaryPreferenceCard,
  name: "GMBpref",
  question:
    "How often is a relevant item above one that was judged not relevant, the worst queries weighing most?",
  agreesWith: "trec_eval gm_bpref; over queries the geometric mean of max(Bpref, 0.00001)",
  aggregate: geometricMean,
  score:
    ({ rel }) =>
    (judged) =>
      binaryPreference(judged, rel),
});
