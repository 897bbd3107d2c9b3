import type { JudgedRanking } from "./judged-ranking.js";
import { defineMetric } from "./define-metric.js";
import { relevanceLevel, relevantItems } from "./relevance.js";

/** trec_eval's constant against division by zero. */
const EPSILON = 0.00001;

function inferredAveragePrecision(judged: JudgedRanking, level: number): number {
  const { pooled, finds } = judged;
  const { ranks, grades } = finds;
  let relevant = 0;
  let others = 0;
  let unjudged = 0;
  let sum = 0;
  for (let i = 0; i < ranks.length; i++) {
    const rank = ranks[i] as number;
    while (unjudged < pooled.length && (pooled[unjudged] as number) < rank) unjudged++;
    if ((grades[i] as number) < level) {
      others++;
      continue;
    }
    const above = rank - 1;
    // Above rank 1 there is nothing to infer from.
    if (above === 0) sum += 1;
    else
      sum +=
        1 / rank +
        (above / rank) *
          // Several items that one hit stands for are of one rank.
          (Math.min(above, relevant + others + unjudged) / above) *
          ((relevant + EPSILON) / (relevant + others + 2 * EPSILON));
    relevant++;
  }
  return sum === 0 ? 0 : sum / relevantItems(judged, level);
}

/** Average precision estimated from judgments of a sample of the pool. */
export const inferredAP = /*#__PURE__*/ defineMetric({
  name: "infAP",
  question: "What would AP be, had the whole pool been judged and not only a sample of it?",
  formula:
    "mean over the relevant items of 1/r + (r-1)/r * (pooled above / (r-1)) * (relevant above / " +
    "judged above)",
  edges:
    "Nothing relevant judged: 0. Grades below 0 mean pooled and not judged. 0.00001 stands against " +
    "division by zero.",
  agreesWith: "trec_eval infAP, ir_measures infAP",
  paper:
    "Yilmaz, Aslam: Estimating Average Precision with Incomplete and Imperfect Judgments, " +
    "https://doi.org/10.1145/1183614.1183633",
  cutoff: "none",
  parameters: { rel: relevanceLevel },
  range: [0, 1],
  higherIsBetter: true,
  score:
    ({ rel }) =>
    (judged) =>
      inferredAveragePrecision(judged, rel),
});
