import { InputError, quote } from "../foundation/errors/index.js";
import { exactSum } from "../foundation/numbers/index.js";
import { checkLists, type NumberList } from "./check-pairs.js";

/**
 * The probabilities by which pairs are drawn for people to label: min(1, max(floor, c |weight| spread)) where
 * the weight is not 0, else 0; c such that they add up to the budget.
 *
 * Drawing in proportion to size makes the estimate of {@link pairEstimate} least uncertain; the floor keeps
 * the variance bounded where a spread was guessed too small. Without a floor a pair with spread 0 is never
 * drawn, so its grade would go uncorrected, and {@link pairEstimate} refuses it. Where too few spreads are
 * above 0 to use up the budget, the probabilities add up to less.
 *
 * Source: Horvitz, Thompson: A generalization of sampling without replacement (1952),
 * {@link https://doi.org/10.1080/01621459.1952.10483446}.
 *
 * `drawProbabilities([3, -1, 0], [1, 1, 1], 1) // => [0.75, 0.25, 0]`
 *
 * @param givenWeights how much the grade of each pair counts, of either sign.
 * @param givenSpreads how uncertain its grade is: a standard deviation, from 0.
 * @param budget pairs that are drawn on average.
 * @param floor from 0 to 1. Default 0.
 * @throws InputError `ARGUMENT` for lists of two lengths, for what is no number, and for a floor that takes
 * more than the budget.
 */
export function drawProbabilities(
  givenWeights: NumberList,
  givenSpreads: NumberList,
  budget: number,
  floor = 0,
): number[] {
  checkLists("drawProbabilities", givenWeights, givenSpreads);
  const [weights, spreads] = [Array.from(givenWeights), Array.from(givenSpreads)];
  const products = weights.map((weight, at) => Math.abs(weight) * (spreads[at] as number));
  check(weights, spreads, products, budget, floor);
  // By a power of two, which changes no digit: the scale is then one that a double can have.
  const unit = 2 ** Math.floor(Math.log2(products.reduce((most, size) => Math.max(most, size), 0) || 1));
  const sizes = products.map((size) => size / unit);
  const counted = weights.filter((weight) => weight !== 0).length;
  if (budget >= counted) return weights.map((weight) => (weight === 0 ? 0 : 1));
  const at = (scale: number): number[] =>
    sizes.map((size, pair) => (weights[pair] === 0 ? 0 : Math.min(1, Math.max(floor, scale * size))));
  if (exactSum(at(0)) > budget)
    throw new InputError(
      "ARGUMENT",
      `drawProbabilities: a floor of ${floor} for ${counted} pairs takes more than the budget of ` +
        `${budget}; lower it`,
    );
  // The sum rises with the scale; to the last bit, as many steps as a double has.
  let low = 0;
  let high = 1;
  while (exactSum(at(high)) < budget && high < Number.MAX_VALUE / 2) high *= 2;
  for (let step = 0; step < 200 && low < high; step++) {
    const middle = low + (high - low) / 2;
    if (middle === low || middle === high) break;
    if (exactSum(at(middle)) < budget) low = middle;
    else high = middle;
  }
  return at(high);
}

function check(
  weights: readonly number[],
  spreads: readonly number[],
  sizes: readonly number[],
  budget: number,
  floor: number,
): void {
  if (weights.length !== spreads.length)
    throw new InputError(
      "ARGUMENT",
      `drawProbabilities: every pair must have a weight and a spread, got ${weights.length} and ` +
        String(spreads.length),
    );
  // The product of what is no finite number is none either, and that of two large ones may not be.
  const wrong = sizes.findIndex(
    (size, at) =>
      !Number.isFinite(size) || typeof weights[at] !== "number" || !((spreads[at] as number) >= 0),
  );
  if (wrong >= 0)
    throw new InputError(
      "ARGUMENT",
      "drawProbabilities: weight times spread must be a finite number, and a spread one from 0, got " +
        `${quote(weights[wrong])} and ${quote(spreads[wrong])} at position ${wrong}`,
    );
  if (typeof budget !== "number" || !(budget >= 0) || !(floor >= 0 && floor <= 1))
    throw new InputError(
      "ARGUMENT",
      "drawProbabilities: budget must be a number from 0, and floor one from 0 to 1, got " +
        `${quote(budget)} and ${quote(floor)}`,
    );
}
