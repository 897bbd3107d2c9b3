import { defineFusion } from "./define-fusion.js";
import type { FusionColumn, FusionPool } from "./fusion-pool.js";

/** A lead of less than this part of all weights is rounding: 0.1 + 0.2 against 0.3 is a draw. */
const ROUNDING = 1e-12;

/**
 * For each item 1, and 1 for each item that it beats, and 1 / 2 for each with which it draws; each column
 * votes with `weight`.
 */
export function pairwisePoints(
  { size, columns }: FusionPool,
  weight: (column: FusionColumn) => number,
): Float64Array {
  const ranks = columns.map(({ items }) => {
    // Items that the run lacks stand together behind all that it has.
    const rank = new Int32Array(size).fill(size);
    for (let i = 0; i < items.length; i++) rank[items[i] as number] = i;
    return rank;
  });
  const weights = columns.map(weight);
  const draw = ROUNDING * weights.reduce((sum, value) => sum + Math.abs(value), 0);
  const points = new Float64Array(size).fill(1);
  // The loops are turned inside out, run before other item, so that the innermost walks one array of ranks.
  const leads = new Float64Array(size);
  for (let a = 0; a < size; a++) {
    leads.fill(0);
    for (let c = 0; c < ranks.length; c++) {
      const rank = ranks[c] as Int32Array;
      const own = rank[a] as number;
      const vote = weights[c] as number;
      for (let b = a + 1; b < size; b++) {
        const other = rank[b] as number;
        (leads[b] as number) += own < other ? vote : own > other ? -vote : 0;
      }
    }
    for (let b = a + 1; b < size; b++) {
      const lead = leads[b] as number;
      const won = lead > draw ? 1 : lead < -draw ? 0 : 1 / 2;
      (points[a] as number) += won;
      (points[b] as number) += 1 - won;
    }
  }
  return points;
}

/** Condorcet fusion: `condorcetFuse().name // => "condorcet"`. */
export const condorcetFuse = /*#__PURE__*/ defineFusion({
  name: "condorcet",
  aliases: ["Condorcet"],
  question: "Which items would win against each other item, if the runs voted on every pair?",
  formula:
    "1 + number of items it beats + 1 / 2 for each draw; an item beats another when more runs have " +
    "it before the other than behind",
  edges:
    "A run puts the items it lacks behind those it has, and does not vote between two that it " +
    "lacks. Items that beat each other in a circle are ordered by these (Copeland's) points, where " +
    "the paper leaves the order open. The time grows with the square of the number of items.",
  agreesWith:
    "ranx method='condorcet' for every pair that is not in a circle and has more than half of the " +
    "runs on one side; ranx orders the rest by chance",
  paper: "Montague, Aslam: Condorcet Fusion for Improved Retrieval, https://doi.org/10.1145/584792.584881",
  reads: "ranks",
  normalizer: "none",
  parameters: {},
  score: (pool) => pairwisePoints(pool, () => 1),
});
