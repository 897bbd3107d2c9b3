import { turnsRound, type Normalizer } from "./define-normalizer.js";
import { parseNormalizer } from "./parse.js";

/** @throws InputError `ARGUMENT` for a name that does not exist. */
export function settleNormalizer(given: Normalizer | string): Normalizer {
  return typeof given === "string" ? parseNormalizer(given) : given;
}

/**
 * Whether a normalizer, or that of a name, reads scores as distances, of which less is better, so that lists
 * turn round; false for none. `readsDistances("min-max-inverted") // => true`
 *
 * @throws InputError `ARGUMENT` for a name that does not exist.
 */
export function readsDistances(normalizer: Normalizer | string | undefined): boolean {
  return normalizer !== undefined && turnsRound(settleNormalizer(normalizer));
}
