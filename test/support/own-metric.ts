import { defineMetric, type Metric } from "../../src/metrics/index.js";

/** A metric of somebody's own, as far as a test needs it. */
export function ownMetric(given: object): Metric {
  return defineMetric({
    name: "Own",
    question: "?",
    formula: "1",
    edges: "none",
    agreesWith: "nothing",
    paper: "none",
    cutoff: "none",
    parameters: {},
    range: [0, 1],
    higherIsBetter: true,
    score: () => () => 1,
    ...given,
  })();
}
