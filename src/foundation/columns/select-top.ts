import { firstIndex } from "./first-index.js";

/**
 * The indexes of the highest scores, in order, without sorting those behind them.
 *
 * @param isFirst which of two equal scores comes first.
 */
export function selectTop(
  scores: Float64Array,
  most: number,
  isFirst: (index: number, other: number) => boolean,
): Int32Array {
  const top = new Int32Array(Math.min(most, scores.length));
  const comesBefore = (index: number, other: number): boolean =>
    scores[index] === scores[other]
      ? isFirst(index, other)
      : (scores[index] as number) > (scores[other] as number);
  let filled = 0;
  let lowest = -Infinity;
  for (let index = 0; index < scores.length; index++) {
    if ((scores[index] as number) < lowest) continue;
    const place = firstIndex(filled, (at) => comesBefore(index, top[at] as number));
    if (place === top.length) continue;
    top.copyWithin(place + 1, place, filled);
    top[place] = index;
    if (filled < top.length) filled++;
    if (filled === top.length) lowest = scores[top[filled - 1] as number] as number;
  }
  return top;
}
