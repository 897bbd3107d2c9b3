import { defineMetric } from "./define-metric.js";
import { relevanceLevel, relevantItems } from "./relevance.js";
import { relevantFound, relevantReturned, seesTheEnd, setMeasure } from "./set-measure.js";

/** Worth and cost of a set. */
export const utility = /*#__PURE__*/ defineMetric({
  ...setMeasure,
  name: "Utility",
  question:
    "What is all that was returned worth, when relevant hits earn something and others cost something?",
  formula: "worth[0] * relevant hits + worth[1] * other hits + worth[2] * relevant items missed",
  edges: "Nothing returned: worth[2] * R. Unjudged hits cost like those that are not relevant.",
  agreesWith: "trec_eval utility, without its fourth weight, which needs the size of the collection",
  parameters: {
    rel: relevanceLevel,
    worth: {
      default: [1, -1, 0] as readonly number[],
      minimum: -1e6,
      maximum: 1e6,
      meaning: "of a relevant hit, of any other hit, of a relevant item that was missed",
    },
  },
  range: [null, null],
  exempt: seesTheEnd,
  score:
    ({ rel, worth: [gain = 0, cost = 0, miss = 0] }) =>
    (judged) => {
      const found = relevantReturned(judged, rel);
      return (
        gain * found +
        cost * (judged.returned - found) +
        miss * (relevantItems(judged, rel) - relevantFound(judged, rel))
      );
    },
});
