import { InputError, shown } from "../foundation/errors/index.js";
import { exactSum } from "../foundation/numbers/index.js";

/**
 * The probabilities by which pairs are drawn for people to label: min(1, max(floor, c |weight| spread)) where
 * the weight is not 0, else 0; c such that they add up to the budget.
 *
 * Drawing in proportion to size makes the estimate of {@link pairEstimate} least uncertain (Horvitz, Thompson
 * 1952); the floor keeps the variance bounded where a spread was guessed too small.
 *
 * @param weights how much the grade of each pair counts, of either sign.
 * @param spreads how uncertain its grade is: a standard deviation, from 0.
 * @param budget pairs that are drawn on average.
 * @param floor from 0 to 1. Default 0.
 * @throws InputError `ARGUMENT` for lists of two lengths, for what is no number, and for a floor that takes
 * more than the budget.
 */
export function drawProbabilities(
  weights: readonly number[],
  spreads: readonly number[],
  budget: number,
  floor = 0,
): number[] {
  check(weights, spreads, budget, floor);
  const sizes = weights.map((weight, at) => Math.abs(weight) * (spreads[at] as number));
  const counted = weights.filter((weight) => weight !== 0).length;
  if (budget >= counted) return weights.map((weight) => (weight === 0 ? 0 : 1));
  const at = (scale: number): number[] =>
    sizes.map((size, pair) => (weights[pair] === 0 ? 0 : Math.min(1, Math.max(floor, scale * size))));
  if (exactSum(at(0)) > budget)
    throw new InputError(
      "ARGUMENT",
      `a floor of ${floor} for ${counted} pairs takes more than the budget of ${budget}; lower it`,
    );
  // The sum rises with the scale; to the last bit, as many steps as a double has.
  let [low, high] = [0, 1];
  while (exactSum(at(high)) < budget && high < Number.MAX_VALUE / 2) high *= 2;
  for (let step = 0; step < 200 && low < high; step++) {
    const middle = low + (high - low) / 2;
    if (middle === low || middle === high) break;
    if (exactSum(at(middle)) < budget) low = middle;
    else high = middle;
  }
  return at(high);
}

function check(weights: readonly number[], spreads: readonly number[], budget: number, floor: number): void {
  if (weights.length !== spreads.length)
    throw new InputError(
      "ARGUMENT",
      `every pair must have a weight and a spread, got ${weights.length} and ${spreads.length}`,
    );
  if (!weights.every(Number.isFinite) || !spreads.every((spread) => Number.isFinite(spread) && spread >= 0))
    throw new InputError("ARGUMENT", "weights must be finite numbers, and spreads such from 0");
  if (!(budget >= 0) || !(floor >= 0 && floor <= 1))
    throw new InputError(
      "ARGUMENT",
      `budget must be a number from 0, and floor one from 0 to 1, got ${shown(budget)} and ${shown(floor)}`,
    );
}
