import { bestPrecisionsAlong } from "./best-precisions-along.js";
import { positive, type JudgedRanking } from "./judged-ranking.js";
import { defineMetric } from "./define-metric.js";
import { relevanceLevel, relevantItems } from "./relevance.js";

/** The best precision at any rank where `count` relevant items have been found. */
function bestPrecision({ hits }: JudgedRanking, count: number, level: number): number {
  const { ranks, grades } = positive(hits, level);
  let found = 0;
  let best = 0;
  for (let i = 0; i < ranks.length; i++) {
    if ((grades[i] as number) < level) continue;
    found++;
    if (found >= count) best = Math.max(best, found / (ranks[i] as number));
  }
  return best;
}

/** How trec_eval turns a recall level into a number of items. */
export const levelRounding = {
  default: "up",
  oneOf: ["up", "nearest"],
  meaning:
    "how level * R becomes a number of items: `up` adds 0.9 and cuts (trec_eval 9), `nearest` " +
    "rounds (trec_eval 10)",
} as const;

/** Items that make up a recall level. */
export function itemsAtLevel(level: number, relevant: number, rounding: string): number {
  return rounding === "up" ? Math.floor(level * relevant + 0.9) : Math.round(level * relevant);
}

/**
 * Precision interpolated at a recall level: `interpolatedPrecision({ cutoff: 0.1 }).name // => "IPrec@0.1"`.
 */
export const interpolatedPrecision = /*#__PURE__*/ defineMetric({
  name: "IPrec",
  question: "How precise can a list be that reaches a recall of x?",
  formula: "the highest precision at any rank where x * R relevant items have been found",
  edges: "Recall x not reached: 0. Nothing relevant judged: 0. Unjudged hits are not relevant.",
  agreesWith: "trec_eval 9 iprec_at_recall_x, ir_measures IPrec@x; round='nearest': trec_eval 10",
  paper: "Salton, McGill: Introduction to Modern Information Retrieval, 1983",
  cutoff: "recall level",
  parameters: { rel: relevanceLevel, round: levelRounding },
  range: [0, 1],
  higherIsBetter: true,
  bounds: "counted",
  score:
    ({ cutoff, rel, round }) =>
    (judged) =>
      bestPrecision(judged, itemsAtLevel(cutoff, relevantItems(judged, rel), round), rel),
  along:
    ({ cutoff, rel, round }) =>
    (judged, labels) =>
      bestPrecisionsAlong(judged, labels, rel, (relevant) => itemsAtLevel(cutoff, relevant, round)),
});
