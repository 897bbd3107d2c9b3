import { total } from "./aggregates.js";
import { relevanceLevel } from "./relevance.js";

/** What the cards of counts have in common: their aggregate is a sum. */
export const count = {
  cutoff: "none",
  range: [0, null],
  higherIsBetter: true,
  judgedOnly: false,
  aggregate: total,
  expected: "score",
  paper: "Buckley: the manual of trec_eval, https://github.com/usnistgov/trec_eval",
  parameters: { rel: relevanceLevel },
} as const;
