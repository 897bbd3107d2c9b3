import type { JudgedRanking } from "./judged-ranking.js";
import { defineMetric } from "./define-metric.js";
import { checkTopGrade, topGrade } from "./scale.js";
import { groupTies } from "./group-ties.js";

/** How likely a reader is satisfied by an item and stops. */
function stopProbability(max: number): (grade: number) => number {
  return (grade) => (2 ** grade - 1) / 2 ** max;
}

function expectedReciprocalRank(
  { earned: { ranks, grades } }: JudgedRanking,
  cutoff: number,
  max: number,
): number {
  const stops = stopProbability(max);
  let reading = 1;
  let sum = 0;
  for (let i = 0; i < ranks.length && (ranks[i] as number) <= cutoff; i++) {
    const stop = stops(grades[i] as number);
    sum += (reading * stop) / (ranks[i] as number);
    reading *= 1 - stop;
  }
  return sum;
}

/**
 * Over all orders of a tied group, the chance to be still reading after j of its hits is the mean over all
 * choices of j hits of the product of their chances to go on. That mean is built up hit by hit.
 */
function expectedOverTies(judged: JudgedRanking, cutoff: number, max: number): number {
  const stops = stopProbability(max);
  let reading = 1;
  let sum = 0;
  for (const { first, last, grades } of groupTies(judged, judged.earned)) {
    const size = last - first + 1;
    const depth = Math.min(size, cutoff - first + 1);
    if (depth < 1) break;
    const goesOn = new Float64Array(depth + 1).fill(1);
    let beyond = 1;
    grades.forEach((grade, index) => {
      const count = size - grades.length + index + 1;
      beyond *= 1 - stops(grade);
      for (let j = Math.min(count, depth); j >= 1; j--)
        goesOn[j] =
          ((count - j) / count) * (j === count ? 0 : (goesOn[j] as number)) +
          (j / count) * (1 - stops(grade)) * (goesOn[j - 1] as number);
    });
    for (let j = 1; j <= depth; j++)
      sum += (reading * ((goesOn[j - 1] as number) - (goesOn[j] as number))) / (first + j - 1);
    reading *= beyond;
  }
  return sum;
}

/** Expected reciprocal rank: `err({ cutoff: 20 }).name // => "ERR@20"`. */
export const err = /*#__PURE__*/ defineMetric({
  name: "ERR",
  question: "How far down does a reader go who stops the sooner, the better what was read?",
  formula: "sum over ranks of P(stop here) / rank; an item stops with probability (2^grade - 1) / 2^max",
  edges:
    "Nothing relevant found: 0. A grade above max is an error. An unjudged hit has stopping probability 0.",
  agreesWith: "gdeval and ir_measures ERR@k (max = 4)",
  paper:
    "Chapelle, Metlzer, Zhang, Grinspan: Expected Reciprocal Rank for Graded Relevance, " +
    "https://doi.org/10.1145/1645953.1646033",
  cutoff: "optional",
  parameters: { max: topGrade },
  range: [0, 1],
  higherIsBetter: true,
  bounds: "rising",
  score:
    ({ cutoff, max }) =>
    (judged) => {
      checkTopGrade("ERR", judged, max);
      return expectedReciprocalRank(judged, cutoff, max);
    },
  expected:
    ({ cutoff, max }) =>
    (judged) => {
      checkTopGrade("ERR", judged, max);
      return expectedOverTies(judged, cutoff, max);
    },
});
