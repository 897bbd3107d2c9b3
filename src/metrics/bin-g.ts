import { defineMetric } from "./define-metric.js";
import { positive } from "./judged-ranking.js";
import { relevanceLevel, relevantItems } from "./relevance.js";

/** trec_eval's binG: average precision's sibling with a logarithm. */
export const binG = /*#__PURE__*/ defineMetric({
  name: "BinG",
  question: "How few non-relevant hits does one pass on the way to each relevant item?",
  formula: "sum over the relevant items found of 1 / log2(2 + hits above that are not relevant) / R",
  edges: "Nothing relevant judged or found: 0. Unjudged hits are not relevant.",
  agreesWith: "trec_eval binG",
  paper: "Buckley: the manual of trec_eval, https://github.com/usnistgov/trec_eval (experimental)",
  cutoff: "none",
  parameters: { rel: relevanceLevel },
  range: [0, 1],
  higherIsBetter: true,
  bounds: "counted",
  score:
    ({ rel }) =>
    (judged) => {
      const { ranks, grades } = positive(judged.hits, rel);
      let found = 0;
      let sum = 0;
      for (let i = 0; i < ranks.length; i++) {
        if ((grades[i] as number) < rel) continue;
        sum += 1 / Math.log2(2 + (ranks[i] as number) - 1 - found);
        found++;
      }
      return sum === 0 ? 0 : sum / relevantItems(judged, rel);
    },
});
