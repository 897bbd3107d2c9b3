import { defineMetric } from "./define-metric.js";
import { relevanceLevel } from "./relevance.js";

/** The share of pairs in the right order: `accuracy().name // => "Accuracy"`. */
export const accuracy = /*#__PURE__*/ defineMetric({
  name: "Accuracy",
  question: "Of a relevant and another hit drawn at random, how often is the relevant one above?",
  formula: "pairs of a relevant hit and another below it / all such pairs in the list",
  edges: "No relevant hit: 0. Only relevant hits: 1. Unjudged hits are not relevant.",
  agreesWith: "ir_measures Accuracy, which gives no value without a relevant hit and fails with nothing else",
  paper: "Khattab, Zaharia: ColBERT, https://doi.org/10.1145/3397271.3401075",
  cutoff: "optional",
  parameters: { rel: relevanceLevel },
  range: [0, 1],
  higherIsBetter: true,
  exempt: {
    "an unjudged item at the end changes nothing": "it makes pairs with the relevant hits above it",
    "swapping a better item upwards never lowers it":
      "a relevant item that comes in from below the cutoff makes pairs that it loses",
  },
  score:
    ({ cutoff, rel }) =>
    ({ returned, hits: { ranks, grades } }) => {
      const depth = Math.min(cutoff, returned);
      let relevant = 0;
      let above = 0;
      for (let i = 0; i < ranks.length && (ranks[i] as number) <= depth; i++) {
        if ((grades[i] as number) < rel) continue;
        above += (ranks[i] as number) - 1 - relevant;
        relevant++;
      }
      const others = depth - relevant;
      return relevant === 0 ? 0 : others === 0 ? 1 : 1 - above / (others * relevant);
    },
});
