import { count } from "./counts.js";
import { defineMetric } from "./define-metric.js";

/** The number of queries averaged over. */
export const numQueries = /*#__PURE__*/ defineMetric({
  ...count,
  name: "NumQ",
  question: "How many queries are averaged over?",
  formula: "1 for each query",
  edges: "A judged query that the run lacks counts, unless such queries are left out.",
  agreesWith: "trec_eval num_q",
  parameters: {},
  exempt: { "not all rankings score the same": "every query counts" },
  fraction: () => () => ({ numerator: 1, denominator: 1 }),
});
