import { InputError, quote } from "../foundation/errors/index.js";
import { checkLists } from "./check-pairs.js";
import type { Labels } from "./label-pairs.js";

/**
 * The labels of each item, by any rater, missing ones left out.
 *
 * @param raters one list of labels per rater, over the same items in the same order.
 * @throws InputError `ARGUMENT` when the lists differ in length.
 */
export function itemsWithRatings(caller: string, raters: readonly Labels[]): number[][] {
  checkLists(caller, raters);
  checkLists(caller, ...raters);
  const items = raters[0]?.length ?? 0;
  raters.forEach((labels, rater) => {
    if (labels.length !== items)
      throw new InputError(
        "ARGUMENT",
        `${caller}: every rater must have one label per item, got ${quote(items)} labels of rater 0 and ` +
          `${quote(labels.length)} of rater ${rater}; use null for an item that a rater left out`,
      );
  });
  return Array.from({ length: items }, (_, item) => raters.flatMap((labels) => labels[item] ?? []));
}
