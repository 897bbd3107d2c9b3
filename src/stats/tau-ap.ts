import { countingTree } from "./counting-tree.js";
import { matchPositions } from "./match-positions.js";

/**
 * Does a predicted order agree with the true one, above all at its top?
 *
 * Formula: 2 / (n - 1) * sum over the places i from 2 to n of C(i) / (i - 1), minus 1; C(i) counts the items
 * above place i of the predicted order that stand above that item in the true one, too. Edges: -1 for the
 * opposite order, 1 for the same; items that only one order has are left out; null for fewer than two in
 * common. Not symmetric: swap the arguments, or take the mean of both ways. Agrees with the definition walked
 * directly; equals Kendall's tau when errors are spread evenly. Paper: Yilmaz, Aslam, Robertson,
 * https://doi.org/10.1145/1390334.1390435.
 *
 * `tauAp(["a", "b", "c"], ["a", "c", "b"]) // => 0.5`
 *
 * @throws InputError `ARGUMENT` when an item is duplicated in an order.
 */
export function tauAp(truth: readonly string[], predicted: readonly string[]): number | null {
  const { second: places } = matchPositions(predicted, truth);
  if (places.length < 2) return null;
  const above = countingTree(truth.length);
  let sum = 0;
  places.forEach((place, i) => {
    if (i > 0) sum += above.below(place) / i;
    above.add(place);
  });
  return (2 * sum) / (places.length - 1) - 1;
}
