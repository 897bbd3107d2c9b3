import { InputError, quote } from "../foundation/errors/index.js";
import { exactSum } from "../foundation/numbers/index.js";
import { checkLists, type NumberList } from "./check-pairs.js";

const TINY = 2 ** -500;

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
 * @param weights how much the grade of each pair counts, of either sign.
 * @param spreads how uncertain its grade is: a standard deviation, from 0.
 * @param budget pairs that are drawn on average.
 * @param floor from 0 to 1. Default 0.
 * @throws InputError `ARGUMENT` for lists of two lengths, for what is no number, and for a floor that takes
 * more than the budget.
 */
export function drawProbabilities(
  weights: NumberList,
  spreads: NumberList,
  budget: number,
  floor = 0,
): number[] {
  checkLists("drawProbabilities", weights, spreads);
  const given = { weights: Array.from(weights), spreads: Array.from(spreads) };
  const products = given.weights.map((weight, at) => Math.abs(weight) * (given.spreads[at] as number));
  check(given.weights, given.spreads, products, budget, floor);
  // Of sizes next to nothing a double has no scale that is large enough; a power of two changes no digit.
  const isTiny = products.every((size) => size < TINY);
  const sizes = isTiny ? products.map((size) => size / TINY) : products;
  const counted = given.weights.filter((weight) => weight !== 0).length;
  if (budget >= counted) return given.weights.map((weight) => (weight === 0 ? 0 : 1));
  const at = (scale: number): number[] =>
    sizes.map((size, pair) => (given.weights[pair] === 0 ? 0 : Math.min(1, Math.max(floor, scale * size))));
  if (exactSum(at(0)) > budget)
    throw new InputError(
      "ARGUMENT",
      `drawProbabilities: a floor of ${floor} for ${counted} pairs takes more than the budget of ` +
        `${budget}; lower it`,
    );
  if (budget === 0 || sizes.every((size) => size === 0)) return at(0);
  // The sum rises with the scale: between two powers of two, then to the last bit.
  let high = 1;
  while (exactSum(at(high)) < budget && high < Number.MAX_VALUE / 2) high *= 2;
  while (high > Number.MIN_VALUE && exactSum(at(high / 2)) >= budget) high /= 2;
  for (let low = high / 2; ;) {
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
