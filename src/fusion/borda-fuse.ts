import { defineFusion } from "./define-fusion.js";
import { sumOver, type FusionColumn, type FusionPool } from "./fusion-pool.js";

/** For each item, the sum of its Borda points, each column's times `weight`. */
export function bordaPoints(
  { size, columns }: FusionPool,
  weight: (column: FusionColumn) => number,
): Float64Array {
  const all = Int32Array.from({ length: size }, (_, item) => item);
  const voters = columns.map((column): FusionColumn => {
    const { items } = column;
    // The mean of the points size - n, ..., 1 that no hit of this run has.
    const points = new Float64Array(size).fill((size - items.length + 1) / 2);
    for (let i = 0; i < items.length; i++) points[items[i] as number] = size - i;
    return { ...column, items: all, scores: points };
  });
  return sumOver({ size, columns: voters }, (voter, item) => weight(voter) * (voter.scores[item] as number));
}

/** Borda count: `bordaFuse().name // => "bordafuse"`. */
export const bordaFuse = /*#__PURE__*/ defineFusion({
  name: "bordafuse",
  aliases: ["BordaFuse"],
  question: "Which items would win, if every run were a voter who gives points by rank?",
  formula: "sum over the runs of c - rank + 1; c = different items of all runs",
  edges:
    "Items that a run with n hits lacks share the points left over, (c - n + 1) / 2 each. A run " +
    "without hits for a query does not vote. Equal scores have different ranks, in the order of " +
    "the list (by id descending).",
  agreesWith: "ranx method='bordafuse', where no scores of a list are equal and every run has hits",
  paper: "Aslam, Montague: Models for Metasearch, https://doi.org/10.1145/383952.384007",
  reads: "ranks",
  normalizer: "none",
  parameters: {},
  score: (pool) => bordaPoints(pool, () => 1),
});
