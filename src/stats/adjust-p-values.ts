import { corrections, furtherCorrections } from "./corrections/catalog.js";
import type { Correction } from "./corrections/correction.js";

/** A way to adjust the p values of a family of tests, by name. */
export type PValueAdjustment = keyof typeof corrections | keyof typeof furtherCorrections;

const all: Readonly<Record<PValueAdjustment, Correction>> = { ...corrections, ...furtherCorrections };

/** What two-stage methods decide their first stage by. */
const ALPHA = 0.05;

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
 */
export function adjustPValues(
  pValues: readonly number[],
  method: PValueAdjustment,
  alpha: number = ALPHA,
): number[] {
  const order = Array.from(pValues.keys()).sort((a, b) => (pValues[a] as number) - (pValues[b] as number));
  const adjusted = all[method].adjust(
    order.map((index) => pValues[index] as number),
    alpha,
  );
  const result = new Array<number>(pValues.length);
  order.forEach((index, place) => (result[index] = Math.min(1, adjusted[place] as number)));
  return result;
}
