import { defineNormalizer } from "./define-normalizer.js";
import { eachScore } from "./each-score.js";

/** Borda points as scores, also for items that a run lacks: `bordaNormalizer.name // => "borda"`. */
export const bordaNormalizer = /*#__PURE__*/ defineNormalizer({
  name: "borda",
  question: "What part of all items, found by any run, does this run put at this rank or below?",
  formula:
    "1 - (rank - 1) / c; an item that the run lacks: 1 / 2 - (n - 1) / (2 c); n hits of this run, " +
    "c different items of all runs",
  edges:
    "Items that a run lacks share the points left over, so every run has a score for every item. A " +
    "run without hits for a query gives no points. Equal scores get different ranks, in the order " +
    "of the list (by id descending).",
  agreesWith:
    "ranx norm='borda', where no scores of a list are equal; with methods that read ranks ranx " +
    "then numbers the items in an arbitrary order, here they keep their ranks",
  paper:
    "Renda, Straccia: Web Metasearch: Rank vs. Score Based Rank Aggregation Methods, " +
    "https://doi.org/10.1145/952532.952698",
  normalize: (scores, poolSize) => ({
    scores: eachScore(scores, (_, index) => 1 - index / poolSize),
    lacking: 1 / 2 - (scores.length - 1) / (2 * poolSize),
  }),
});
