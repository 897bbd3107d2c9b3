import { formatCount, formatShare } from "../foundation/numbers/index.js";
import { unitsTested } from "./is-significant.js";
import type { MetricDifference, UnjudgedDoubt } from "./types/index.js";

// Sentences of a verdict that say what a page shows as a picture or a row: it leaves out what it draws.

/** How many queries went which way. */
export function outcomeSentence({ metric, improved, equal, worse, pairs }: MetricDifference): string {
  const [all, up, down, still] = [pairs, improved, worse, equal].map(formatCount);
  return `By ${metric}, of ${all} queries ${up} improved, ${down} got worse, ${still} stayed equal.`;
}

/** Whether labels for unjudged hits could turn the difference around; nothing where all are judged. */
export function doubtSentences(unjudged: UnjudgedDoubt | null, { metric }: MetricDifference): string[] {
  if (unjudged === null) return [];
  const { unjudged_a, unjudged_b } = unjudged;
  if (unjudged_a + unjudged_b === 0) return [];
  const [before, now] = [unjudged_a, unjudged_b].map(formatCount);
  const hits = `the unjudged hits (${before} of the baseline, ${now} of this run)`;
  if (unjudged.could_overturn === "yes")
    return [`Labels for ${hits} could turn the difference of ${metric} around.`];
  if (unjudged.could_overturn === "no")
    return [`No labels for ${hits} could turn the difference of ${metric} around.`];
  return [`It could not be shown whether labels for ${hits} could turn the difference of ${metric} around.`];
}

/** How many queries would show a difference of this size; nothing where there are as many. */
export function neededSentences({ queries_needed, difference, pairs }: MetricDifference): string[] {
  if (queries_needed === null || difference === 0 || queries_needed <= pairs) return [];
  return [
    `A difference of this size would need about ${formatCount(queries_needed)} queries; ` +
      `there are ${formatCount(pairs)}.`,
  ];
}

/** A loss that is allowed, in units of the metric. */
export interface AllowedLoss {
  /** How far a query can fall; Infinity where there is no bound. */
  readonly widest: number;
  readonly allowed: number;
  /** The mean loss that was measured, below 0 for a gain. */
  readonly loss: number;
}

/** Of so few nothing needs to be said. */
const LEAST_SHARE = 0.0001;

/**
 * What so many queries (or intents) can miss, as a clause: 5 of 100 samples hold none of those that are this
 * share of all. Null where more than what is allowed could not be lost, even if these lost everything.
 */
export function missableClause(
  row: Pick<MetricDifference, "pairs" | "by_group">,
  { widest, allowed, loss }: AllowedLoss,
): string | null {
  const units = unitsTested(row);
  const share = 1 - 0.05 ** (1 / units);
  if (share < LEAST_SHARE || (1 - share) * loss + share * widest <= allowed) return null;
  const printed = formatShare(Number(share.toPrecision(2)));
  const what = row.by_group === undefined ? "queries" : "intents";
  return `${formatCount(units)} ${what} can miss what changes in ${printed} of all`;
}
