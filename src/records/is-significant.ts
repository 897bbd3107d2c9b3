import type { ComparisonSettings, MetricDifference } from "./types/index.js";

/** With fewer queries in common no test can tell anything. */
export const FEWEST_PAIRS = 5;

/**
 * Whether a difference is real by its comparison: the adjusted p value is below alpha, and the test does not
 * point the other way than the mean.
 */
export function isSignificant(
  { p_adjusted, is_opposed }: Pick<MetricDifference, "p_adjusted" | "is_opposed">,
  { alpha }: Pick<ComparisonSettings, "alpha">,
): boolean {
  return p_adjusted !== null && p_adjusted < alpha && is_opposed !== true;
}
