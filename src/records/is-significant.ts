import { countOf } from "../foundation/numbers/index.js";
import type { ComparisonSettings, MetricDifference, Undecided } from "./types/index.js";

type Units = Pick<MetricDifference, "pairs" | "by_group">;
type Moves = Pick<MetricDifference, "improved" | "worse">;

/** With fewer queries in common no test can tell anything. */
export const FEWEST_PAIRS = 5;
/** With fewer an interval of 95 % holds the truth less often than that: in 88 of 100 samples of 10. */
export const FEW_PAIRS = 20;

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

/**
 * Whether a difference is said to be better or worse: it is real by its comparison, and does follow from the
 * numbers.
 *
 * @param gain above 0 where it is better.
 */
export function isTold(
  row: Pick<MetricDifference, "p_adjusted" | "is_opposed" | "undecided">,
  settings: Pick<ComparisonSettings, "alpha">,
  gain: number,
): boolean {
  return (
    gain !== 0 && isSignificant(row, settings) && doesFollow(row.undecided, gain > 0 ? "better" : "worse")
  );
}

/** Whether what the numbers say follows from them, in spite of what is `undecided`. */
export function doesFollow(undecided: Undecided | undefined, way: "better" | "worse"): boolean {
  return undecided === undefined || undecided.but === way;
}

/** As how many queries, or intents of one size, those of a difference say. */
export function unitsWorth({ pairs, by_group, improved, worse }: Units & Moves): number {
  if (by_group === undefined) return pairs;
  const { groups, effective = groups, differing } = by_group;
  // Where nothing differs, none outweighs the others.
  return improved + worse + differing === 0 ? groups : effective;
}

/** Whether queries, or the intents that they are wordings of, say too little for a test. */
export function areFewUnits(row: Units & Moves): boolean {
  return unitsWorth(row) < FEWEST_PAIRS;
}

/** That intents say much less than their number, in words; empty where they do not, or are many. */
export function worthInWords({ groups, effective = groups }: NonNullable<Units["by_group"]>): string {
  if (effective === groups || effective >= Math.min(FEW_PAIRS, Math.max(FEWEST_PAIRS, 0.9 * groups)))
    return "";
  // Not rounded up to what would be enough.
  const worth = (Math.floor(10 * effective) / 10).toFixed(1);
  return ` of such unequal sizes that they say as much as ${worth} of one size`;
}

/** The intents of wordings, in words. */
export function intentsInWords(given: NonNullable<Units["by_group"]>): string {
  return `${countOf(given.groups, "intent")}${worthInWords(given)}`;
}

/** How many units tests and intervals are over: queries, or the intents that they are wordings of. */
export function unitsTested({ pairs, by_group }: Units): number {
  return by_group?.groups ?? pairs;
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
