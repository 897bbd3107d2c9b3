import { exactSum } from "../../foundation/numbers/index.js";
import type { TrainingRanking } from "./define-trained-fusion.js";

/**
 * The probability that an item of a segment is relevant: the share of relevant items in the segment, in the
 * mean over all training queries. A list without such a segment counts as one with nothing relevant there.
 *
 * @param segmentOf the segment of a rank, from 1; rising with it.
 * @returns by segment; index 0 is none.
 */
export function segmentShares(
  rankings: readonly TrainingRanking[],
  segmentOf: (rank: number, length: number) => number,
): Float64Array {
  const most = rankings.reduce(
    (last, { length }) => Math.max(last, length === 0 ? 0 : segmentOf(length, length)),
    0,
  );
  const terms = Array.from({ length: most + 1 }, (): number[] => []);
  for (const { relevantRanks, length } of rankings) {
    const sizes = new Int32Array(most + 1);
    for (let rank = 1; rank <= length; rank++) (sizes[segmentOf(rank, length)] as number)++;
    for (const rank of relevantRanks) {
      const segment = segmentOf(rank, length);
      (terms[segment] as number[]).push(1 / ((sizes[segment] as number) * rankings.length));
    }
  }
  // Exact, so that the order of the judgments breaks no tie.
  return Float64Array.from(terms, exactSum);
}
