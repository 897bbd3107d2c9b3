import { checkLists } from "../check-pairs.js";
import { sameEverywhere, scoreDifference } from "../../foundation/numbers/index.js";
import { checkShare } from "../check-settings.js";
import { mean, standardDeviation } from "../moments.js";
import { studentQuantile } from "../student-t.js";
import type { Interval, IntervalMethod } from "./interval.js";

/** Without a bootstrap. */
export const studentT: IntervalMethod = {
  label: "Student's t",
  interval: ({ differences, degrees }, confidence) =>
    tInterval(roundDifferences(differences), confidence, degrees) as Interval,
};

/** 0.9 - 0.8 and 0.2 - 0.1 are the same, and have no deviation. */
export function roundDifferences(differences: ArrayLike<number>): Float64Array {
  return Float64Array.from(differences, (difference) => scoreDifference(difference, 0));
}

/**
 * Where the mean difference lies, by Student's t distribution; null for fewer than two pairs.
 *
 * @param confidence such as 0.95.
 * @param degrees of freedom; one less than the pairs unless given.
 */
export function tInterval(
  differences: ArrayLike<number> & Iterable<number>,
  confidence: number,
  degrees?: number,
): Interval | null {
  checkShare("confidence", confidence);
  checkLists("tInterval", differences);
  const count = differences.length;
  if (count < 2) return null;
  const middle = mean(differences);
  const quantile = sameEverywhere(studentQuantile((1 - confidence) / 2, degrees ?? count - 1));
  const reach = -quantile * (standardDeviation(differences) / Math.sqrt(count));
  return { low: middle - reach, high: middle + reach };
}
