import { defineFusion } from "./define-fusion.js";

/** The worst score that any run gives: `combMin().name // => "min"`. */
export const combMin = /*#__PURE__*/ defineFusion({
  name: "min",
  aliases: ["CombMIN"],
  question: "Which items does no run that has them think badly of?",
  formula: "min of the scores",
  edges:
    "A run that lacks the item has no say, so an item of one run can beat one that all runs have. " +
    "Scores must be comparable: normalize them.",
  agreesWith:
    "ranx method='min', except that ranx takes 1e9 as the score of an item that a run lacks, which " +
    "shows for scores above it",
  paper:
    "Fox, Shaw: Combination of Multiple Searches, TREC-2, https://trec.nist.gov/pubs/trec2/papers/txt/23.txt",
  reads: "scores",
  normalizer: "min-max",
  parameters: {},
  score: ({ size, columns }) => {
    const worst = new Float64Array(size).fill(Infinity);
    for (const { items, scores } of columns) {
      for (let i = 0; i < items.length; i++) {
        const item = items[i] as number;
        worst[item] = Math.min(worst[item] as number, scores[i] as number);
      }
    }
    return worst;
  },
});
