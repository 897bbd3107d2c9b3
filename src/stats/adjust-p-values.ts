import { InputError, quote } from "../foundation/errors/index.js";
import { checkLists, type NumberList } from "./check-pairs.js";
import { corrections, furtherCorrections } from "./corrections/catalog.js";
import type { Correction } from "./corrections/correction.js";

/** A way to adjust the p values of a family of tests, by name. */
export type PValueAdjustment = keyof typeof corrections | keyof typeof furtherCorrections;

const all: Readonly<Record<PValueAdjustment, Correction>> = { ...corrections, ...furtherCorrections };

/** What two-stage methods decide their first stage by. */
const ALPHA = 0.05;
/** What a test computes may be 1 but for this. */
const ROUNDING = 1e-9;

/**
 * p values of a family of tests, adjusted so that each can be held against alpha by itself. In the order
 * given, at most 1.
 *
 * `bonferroni`, `sidak`, `holm`, `holm-sidak`, `hochberg` (Simes) and `hommel` keep the chance of any false
 * finding below alpha; the rest keep the expected share of false ones among the findings. `hochberg`,
 * `hommel` and `benjamini-hochberg` suppose that the tests are independent or positively dependent, as those
 * of several metrics on the same queries usually are.
 *
 * @param alpha of the two-stage methods: their values are good for this level only.
 * @throws InputError `ARGUMENT` for another method, and for what is no p value.
 */
export function adjustPValues(
  pValues: NumberList,
  method: PValueAdjustment,
  alpha: number = ALPHA,
): number[] {
  if (!Object.hasOwn(all, method))
    throw new InputError(
      "ARGUMENT",
      `method must be one of ${Object.keys(all).join(", ")}, got ${quote(method)}`,
    );
  checkLists("adjustPValues", pValues);
  const given = Array.from(pValues);
  const wrong = given.findIndex((p) => typeof p !== "number" || !(p >= 0 && p <= 1 + ROUNDING));
  if (wrong >= 0)
    throw new InputError(
      "ARGUMENT",
      `adjustPValues: every p value must be from 0 to 1, got ${quote(given[wrong])} at position ` +
        `${wrong}; leave out what was not tested`,
    );
  const order = Array.from(given.keys()).sort((a, b) => (given[a] as number) - (given[b] as number));
  const adjusted = all[method].adjust(
    order.map((index) => Math.min(1, given[index] as number)),
    alpha,
  );
  const result = new Array<number>(given.length);
  order.forEach((index, place) => (result[index] = Math.min(1, adjusted[place] as number)));
  return result;
}
