import { SEEDS } from "../numbers/index.js";
import { wholeNumber } from "./whole-number.js";

/**
 * A seed of random numbers. Of a larger one the lowest 32 bits alone would count, and it would be another's.
 *
 * @throws InputError `ARGUMENT`
 */
export function checkSeed(seed: number): number {
  return wholeNumber("seed", seed, SEEDS.least, SEEDS.most);
}
