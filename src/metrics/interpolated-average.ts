import { bestPrecisionsAlong } from "./best-precisions-along.js";
import { positive, type JudgedRanking } from "./judged-ranking.js";
import { defineMetric } from "./define-metric.js";
import { itemsAtLevel, levelRounding } from "./interpolated-precision.js";
import { relevanceLevel, relevantItems } from "./relevance.js";

/** The mean of interpolated precision over recall levels: eleven of them unless given. */
export const interpolatedAverage = /*#__PURE__*/ defineMetric({
  name: "IPrecAvg",
  question: "How high is the curve of precision over recall?",
  formula: "mean of IPrec@x over the levels 0, 0.1, ... 1",
  edges: "Nothing relevant judged or found: 0. Unjudged hits are not relevant.",
  agreesWith: "trec_eval 9 11pt_avg; round='nearest': trec_eval 10",
  paper: "Salton, McGill: Introduction to Modern Information Retrieval, 1983",
  cutoff: "none",
  parameters: {
    rel: relevanceLevel,
    round: levelRounding,
    levels: {
      default: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1] as readonly number[],
      minimum: 0,
      maximum: 1,
      meaning: "the recall levels",
    },
  },
  range: [0, 1],
  higherIsBetter: true,
  bounds: "counted",
  score:
    ({ rel, round, levels }) =>
    (judged) => {
      const relevant = relevantItems(judged, rel);
      const best = bestPrecisions(judged, rel);
      // From the last level up, as trec_eval adds them.
      let sum = 0;
      for (let i = levels.length - 1; i >= 0; i--)
        sum += best[Math.max(1, itemsAtLevel(levels[i] as number, relevant, round))] ?? 0;
      return sum / levels.length;
    },
  along:
    ({ rel, round, levels }) =>
    (judged, labels) => {
      const byLevel = levels.map((level) =>
        bestPrecisionsAlong(judged, labels, rel, (relevant) =>
          Math.max(1, itemsAtLevel(level, relevant, round)),
        ),
      );
      const sum = (count: number): number =>
        byLevel.reduce((all, best) => all + (best[count] as number), 0) / levels.length;
      return Float64Array.from({ length: labels.length + 1 }, (_, count) => sum(count));
    },
});

/** By number of items: the best precision at any rank where so many relevant items have been found. */
function bestPrecisions({ hits }: JudgedRanking, level: number): number[] {
  const { ranks, grades } = positive(hits, level);
  const best = [0];
  for (let i = 0; i < ranks.length; i++)
    if ((grades[i] as number) >= level) best.push(best.length / (ranks[i] as number));
  for (let found = best.length - 2; found > 0; found--)
    best[found] = Math.max(best[found] as number, best[found + 1] as number);
  return best;
}
