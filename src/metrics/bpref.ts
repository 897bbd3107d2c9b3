import type { JudgedRanking } from "./judged-ranking.js";
import { defineMetric } from "./define-metric.js";
import { relevanceLevel, relevantItems } from "./relevance.js";

/**
 * Of the preferences between a relevant item and the first R judged non-relevant ones, the share that the
 * ranking keeps.
 */
export function binaryPreference(judged: JudgedRanking, level: number): number {
  const { ranks, grades } = judged.finds;
  const relevant = relevantItems(judged, level);
  const compared = Math.min(judged.pool.length - relevant, relevant);
  let above = 0;
  let sum = 0;
  for (let i = 0; i < ranks.length; i++) {
    if ((grades[i] as number) < level) above++;
    else sum += above === 0 ? 1 : 1 - Math.min(above, relevant) / compared;
  }
  return sum === 0 ? 0 : sum / relevant;
}

/**
 * What the cards of both metrics of this kind say. No bounds: an unjudged hit is passed over, which is none
 * of its possible labels.
 */
export const binaryPreferenceCard = {
  formula:
    "mean over the relevant items of 1 - (judged non-relevant ones above, at most R) / min(R, " +
    "judged non-relevant ones)",
  edges:
    "Nothing relevant judged: 0. Relevant items that were not found: 0. Nothing judged " +
    "non-relevant: the share of relevant items found. Unjudged hits are passed over.",
  paper:
    "Buckley, Voorhees: Retrieval Evaluation with Incomplete Information, " +
    "https://doi.org/10.1145/1008992.1009000",
  cutoff: "none",
  parameters: { rel: relevanceLevel },
  range: [0, 1],
  higherIsBetter: true,
  exempt: {
    "swapping a better item upwards never lowers it":
      "with rel above 1 an item of a grade below it hurts more than an unjudged one",
  },
} as const;

/** Binary preference, which looks at judged items only. */
export const bpref = /*#__PURE__*/ defineMetric({
  ...binaryPreferenceCard,
  name: "Bpref",
  question: "How often is a relevant item above one that was judged not relevant?",
  agreesWith: "trec_eval bpref, ir_measures Bpref; ranx counts negative grades as judged non-relevant",
  score:
    ({ rel }) =>
    (judged) =>
      binaryPreference(judged, rel),
});
