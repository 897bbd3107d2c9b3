import type { TrainingRanking } from "./define-trained-fusion.js";

/**
 * The probability that the item at a rank is relevant: of the training queries with so many hits, the share
 * that has a relevant one there.
 *
 * @returns by rank; index 0 is none.
 */
export function placeShares(rankings: readonly TrainingRanking[]): Float64Array {
  const most = rankings.reduce((longest, { length }) => Math.max(longest, length), 0);
  const relevant = new Float64Array(most + 1);
  const lists = new Float64Array(most + 1);
  for (const { relevantRanks, length } of rankings) {
    for (const rank of relevantRanks) (relevant[rank] as number)++;
    for (let rank = 1; rank <= length; rank++) (lists[rank] as number)++;
  }
  return relevant.map((count, rank) => (rank === 0 ? 0 : count / (lists[rank] as number)));
}
