import { averageGrade } from "./average-grade.js";
import { defineMetric, type Score } from "./define-metric.js";
import { err } from "./err.js";
import { gainRecall } from "./gain-recall.js";
import { judgeRanking, type GradedRanks, type JudgedRanking } from "./judged-ranking.js";
import { ndcg } from "./ndcg.js";
import { precision } from "./precision.js";
import { topGrade } from "./scale.js";

/** The eight scores that it is the mean of, each from 0 to 1. */
function parts(max: number): readonly Score[] {
  const average = averageGrade({ cutoff: 10 });
  return [
    ndcg({ cutoff: 20 }).score,
    ndcg({ cutoff: 50 }).score,
    err({ cutoff: 10, parameters: { max } }).score,
    precision({ cutoff: 10, parameters: { rel: 2 } }).score,
    precision({ cutoff: 20, parameters: { rel: 2 } }).score,
    precision({ cutoff: 50 }).score,
    (judged) => average.score(judged) / max,
    gainRecall({ cutoff: 20 }).score,
  ];
}

/** Grades above the top of the scale count as the top. */
function cutTo(judged: JudgedRanking, max: number): JudgedRanking {
  // The best comes first.
  if ((judged.pool[0] ?? 0) <= max) return judged;
  const { ranks, grades } = judged.hits;
  const cut = (all: ArrayLike<number>): number[] => Array.from(all, (grade) => Math.min(grade, max));
  const list = (given: GradedRanks): GradedRanks => ({ ranks: given.ranks, grades: cut(given.grades) });
  return {
    ...judgeRanking(ranks, cut(grades), cut(judged.pool), judged.returned, judged),
    finds: list(judged.finds),
    earned: list(judged.earned),
  };
}

/** One number for a live search against labels from 0 to 3: `primaryMetricScore().name`. */
export const primaryMetricScore = /*#__PURE__*/ defineMetric({
  name: "Primary_Metric_Score",
  question: "How good is a search all in all: order, quality of the first hits, and what it finds?",
  formula:
    "mean of nDCG@20, nDCG@50, ERR(max)@10, P(rel=2)@10, P(rel=2)@20, P@50, AvgGrade@10 / max and " +
    "GainRecall@20",
  edges: "Nothing relevant judged: 0. A grade above max counts as max. Unjudged hits have grade 0.",
  agreesWith: "none known",
  paper: "the primary scorecard of `rankproof batch`",
  cutoff: "none",
  depth: 50,
  parameters: { max: { ...topGrade, default: 3 } },
  range: [0, 1],
  higherIsBetter: true,
  score: ({ max }) => {
    const scores = parts(max);
    return (judged) => {
      const within = cutTo(judged, max);
      return scores.reduce((sum, score) => sum + score(within), 0) / scores.length;
    };
  },
});
