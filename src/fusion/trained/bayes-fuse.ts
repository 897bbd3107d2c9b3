import { defineTrainedFusion } from "./define-trained-fusion.js";

/** Last ranks of intervals: those at which trec_eval counts precision; behind them is one more. */
const ENDS = [5, 10, 15, 20, 30, 100, 200, 500, 1000];

/** The odds that a place speaks for relevance: `bayesFuse().name // => "bayesfuse"`. */
export const bayesFuse = /*#__PURE__*/ defineTrainedFusion({
  name: "bayesfuse",
  aliases: ["BayesFuse"],
  question: "Which items are likely to be relevant, if every place of every run is a witness of its own?",
  formula:
    "sum over the runs of ln(P(interval | relevant) / P(interval | not relevant)); intervals of ranks end " +
    "at 5, 10, 15, 20, 30, 100, 200, 500, 1000",
  edges:
    "Over the training queries, each count one more than it is, so that no logarithm is infinite; " +
    "P(interval | relevant) is among all relevant items, found or not, P(interval | not relevant) among " +
    "the others of the lists. What nobody judged is not relevant. An item that a run lacks has the lowest " +
    "value that a place of this run can have, and so has an interval deeper than any in training.",
  agreesWith:
    "by its definition the paper, but for the counts of one; no values of another program were compared",
  paper: "Aslam, Montague: Models for Metasearch, https://doi.org/10.1145/383952.384007",
  reads: "ranks",
  normalizer: "none",
  parameters: {},
  learn(rankings) {
    const relevant = new Float64Array(ENDS.length + 1).fill(1);
    const others = new Float64Array(ENDS.length + 1).fill(1);
    let total = 0;
    for (const ranking of rankings) {
      total += ranking.relevant;
      const isRelevant = new Set(ranking.relevantRanks);
      for (let rank = 1; rank <= ranking.length; rank++)
        ((isRelevant.has(rank) ? relevant : others)[intervalOf(rank)] as number)++;
    }
    // One more for those that are not found.
    const allRelevant = total + relevant.length + 1;
    const allOthers = others.reduce((sum, count) => sum + count, 0);
    const deepest = rankings.reduce((most, { length }) => Math.max(most, length), 1);
    const odds = relevant
      .slice(0, intervalOf(deepest) + 1)
      .map((count, interval) => Math.log(count / allRelevant / ((others[interval] as number) / allOthers)));
    const lacking = Math.min(...odds);
    return { worth: (rank) => odds[intervalOf(rank)] ?? lacking, lacking };
  },
});

function intervalOf(rank: number): number {
  const interval = ENDS.findIndex((end) => rank <= end);
  return interval === -1 ? ENDS.length : interval;
}
