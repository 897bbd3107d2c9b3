import { defineFusion } from "./define-fusion.js";

/** The middle score: `combMed().name // => "med"`. */
export const combMed = /*#__PURE__*/ defineFusion({
  name: "med",
  aliases: ["CombMED"],
  question: "Which items does the typical run that has them think highly of?",
  formula: "median of the scores; of an even number, the mean of the two in the middle",
  edges:
    "A run that lacks the item has no say: of one score the median is that score. Scores must be " +
    "comparable: normalize them.",
  agreesWith: "ranx method='med'",
  paper:
    "Fox, Shaw: Combination of Multiple Searches, TREC-2, https://trec.nist.gov/pubs/trec2/papers/txt/23.txt",
  reads: "scores",
  normalizer: "min-max",
  parameters: {},
  score: ({ size, columns }) => {
    // One row of places for each item; the scores of an item fill its row from the left.
    const width = columns.length;
    const rows = new Float64Array(size * width);
    const filled = new Int32Array(size);
    for (const { items, scores } of columns) {
      for (let i = 0; i < items.length; i++) {
        const item = items[i] as number;
        rows[item * width + (filled[item] as number)] = scores[i] as number;
        (filled[item] as number)++;
      }
    }
    return Float64Array.from(filled, (count, item) => {
      const row = rows.subarray(item * width, item * width + count).sort();
      const middle = count >> 1;
      return count % 2 === 1
        ? (row[middle] as number)
        : ((row[middle - 1] as number) + (row[middle] as number)) / 2;
    });
  },
});
