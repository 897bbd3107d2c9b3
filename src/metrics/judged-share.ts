import { defineMetric } from "./define-metric.js";
import type { JudgedRanking } from "./judged-ranking.js";

/** How many hits at ranks up to `cutoff` are judged, copies of judged items among them. */
export function countJudgedWithin({ hits: { ranks }, copies = [] }: JudgedRanking, cutoff: number): number {
  return countUpTo(ranks, cutoff) + countUpTo(copies, cutoff);
}

function countUpTo(ranks: ArrayLike<number>, cutoff: number): number {
  let count = 0;
  while (count < ranks.length && (ranks[count] as number) <= cutoff) count++;
  return count;
}

/** The share of judged hits: `judgedShare({ cutoff: 10 }).name // => "Judged@10"`. */
export const judgedShare = /*#__PURE__*/ defineMetric({
  name: "Judged",
  question: "How much of the top k has been judged at all?",
  formula: "judged hits in the top k / min(k, returned)",
  edges:
    "Nothing returned: 0. Fewer than k hits: divided by how many there are. Negative grades count " +
    "as unjudged.",
  agreesWith: "ir_measures Judged@k",
  paper:
    "MacAvaney, Yates, Feldman, Downey, Cohan, Goharian: Simplified Data Wrangling with " +
    "ir_datasets, https://doi.org/10.1145/3404835.3463254",
  cutoff: "required",
  parameters: {},
  judgedOnly: false,
  range: [0, 1],
  higherIsBetter: true,
  exempt: { "an unjudged item at the end changes nothing": "with fewer than k hits it is looked at, too" },
  fraction:
    ({ cutoff }) =>
    (judged) => ({
      numerator: countJudgedWithin(judged, cutoff),
      denominator: Math.max(1, Math.min(cutoff, judged.returned)),
    }),
  linear: ({ cutoff }) => ({
    over: "hits",
    gain: () => 1,
    discount: (rank) => (rank <= cutoff ? 1 : 0),
    norm: (judged) => Math.min(cutoff, judged.returned),
  }),
});
