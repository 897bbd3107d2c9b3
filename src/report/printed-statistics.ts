import { printedChange, roundTo4 } from "../foundation/numbers/index.js";
import type { MetricDifference, VerdictKind } from "../records/schema/index.js";

/** A verdict in words. */
export function printedVerdict(kind: VerdictKind): string {
  return kind === "not_comparable" ? "not comparable" : kind;
}

/** A score at 4 decimals, an em dash where there is none. */
export function printedScoreOf(value: number | null): string {
  return value === null ? "—" : roundTo4(value).toFixed(4);
}

/** Both ends of an interval of differences. */
export function printedInterval(interval: MetricDifference["interval"]): string {
  return interval === null ? "—" : `${printedChange(interval.low)} to ${printedChange(interval.high)}`;
}

/** The share of an interval: `95 %`. */
export function printedShare(confidence: number): string {
  return `${Number((confidence * 100).toFixed(2))} %`;
}
