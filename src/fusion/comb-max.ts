import { defineFusion } from "./define-fusion.js";

/** The best score that any run gives: `combMax().name // => "max"`. */
export const combMax = /*#__PURE__*/ defineFusion({
  name: "max",
  aliases: ["CombMAX"],
  question: "Which items does at least one run think highly of?",
  formula: "max of the scores",
  edges:
    "A run that lacks the item has no say. With min-max the first hits of all runs tie at 1. " +
    "Scores must be comparable: normalize them.",
  agreesWith:
    "ranx method='max', except that ranx takes -1e9 as the score of an item that a run lacks, " +
    "which shows for scores below it",
  paper:
    "Fox, Shaw: Combination of Multiple Searches, TREC-2, https://trec.nist.gov/pubs/trec2/papers/txt/23.txt",
  reads: "scores",
  normalizer: "min-max",
  parameters: {},
  score: ({ size, columns }) => {
    const best = new Float64Array(size).fill(-Infinity);
    for (const { items, scores } of columns) {
      for (let i = 0; i < items.length; i++) {
        const item = items[i] as number;
        best[item] = Math.max(best[item] as number, scores[i] as number);
      }
    }
    return best;
  },
});
