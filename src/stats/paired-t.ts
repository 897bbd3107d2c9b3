import { checkLists } from "./check-pairs.js";
import type { Alternative } from "./alternative.js";
import { checkAlternative } from "./check-settings.js";
import { mean, standardDeviation } from "./moments.js";
import { studentAbove, studentTwoSided } from "./student-t.js";

/** What Student's t test of paired scores found. */
export interface PairedTTest {
  /** The mean difference in standard errors; NaN where it does not exist. */
  readonly t: number;
  readonly degrees: number;
  readonly p: number;
}

/**
 * Is the mean difference other than 0? Student's t test of paired scores: t = mean / (sd / sqrt n) with n - 1
 * degrees of freedom.
 *
 * Edges: p is 1 where every difference is 0; NaN for one pair (0, too), and for differences that are all the
 * same other than 0, of which a deviation of 0 would say p = 0. p is never 0.
 *
 * @param differences of finite scores, one for each query.
 */
export function pairedTTest(
  differences: ArrayLike<number> & Iterable<number>,
  alternative: Alternative = "two-sided",
): PairedTTest {
  checkAlternative(alternative);
  checkLists("pairedTTest", differences);
  const degrees = Math.max(0, differences.length - 1);
  const middle = mean(differences);
  const deviation = standardDeviation(differences);
  if (deviation === 0)
    return { t: middle === 0 ? 0 : Math.sign(middle) * Infinity, degrees, p: middle === 0 ? 1 : NaN };
  if (!(deviation > 0)) return { t: NaN, degrees, p: NaN };
  const t = middle / (deviation / Math.sqrt(differences.length));
  const p =
    alternative === "two-sided"
      ? studentTwoSided(t, degrees)
      : studentAbove(alternative === "greater" ? t : -t, degrees);
  return { t, degrees, p: Math.max(p, Number.MIN_VALUE) };
}
