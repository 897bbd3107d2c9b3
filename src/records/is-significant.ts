import type { ComparisonSettings, MetricDifference } from "./types/index.js";

type Tested = Pick<MetricDifference, "p_adjusted" | "is_opposed">;

/** With fewer queries in common no test can tell anything. */
export const FEWEST_PAIRS = 5;

/**
 * Whether a difference is real by its comparison: the adjusted p value is below alpha, and the test does not
 * point the other way than the mean; also with all wordings of an intent as one.
 */
export function isSignificant(
  { by_group, ...row }: Tested & Pick<MetricDifference, "by_group">,
  { alpha }: Pick<ComparisonSettings, "alpha">,
): boolean {
  const isReal = ({ p_adjusted, is_opposed }: Tested): boolean =>
    p_adjusted !== null && p_adjusted < alpha && is_opposed !== true;
  return isReal(row) && (by_group === undefined || (by_group.groups >= FEWEST_PAIRS && isReal(by_group)));
}

/**
 * Where the mean difference lies, at each end the wider one of the interval over queries and of that with all
 * wordings of an intent as one; null where either is not known.
 */
export function carefulInterval({
  interval,
  by_group,
}: Pick<MetricDifference, "interval" | "by_group">): MetricDifference["interval"] {
  if (by_group === undefined || interval === null) return interval;
  if (by_group.interval === null) return null;
  return {
    low: Math.min(interval.low, by_group.interval.low),
    high: Math.max(interval.high, by_group.interval.high),
  };
}

/** What a difference rests on, by whichever is less sure: the queries, or what they are wordings of. */
export function carefulEvidence(
  row: Pick<MetricDifference, "interval" | "p" | "p_adjusted" | "by_group">,
): Pick<MetricDifference, "interval" | "p" | "p_adjusted"> {
  const larger = (a: number | null, b: number | null): number | null =>
    a === null || b === null ? null : Math.max(a, b);
  const { p, p_adjusted, by_group = { p, p_adjusted } } = row;
  return {
    interval: carefulInterval(row),
    p: larger(p, by_group.p),
    p_adjusted: larger(p_adjusted, by_group.p_adjusted),
  };
}

/**
 * Which p values are adjusted together with a metric's: those of the primary metric and of the guards were
 * chosen beforehand, and do not pay for curiosity about the others.
 */
export function familyOf(
  metric: string,
  { primary, guards }: Pick<ComparisonSettings, "primary" | "guards">,
): "primary" | "guards" | "others" {
  if (metric === primary) return "primary";
  return guards.some((guard) => guard.metric === metric) ? "guards" : "others";
}
