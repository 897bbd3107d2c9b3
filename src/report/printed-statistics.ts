import type { MetricDifference, VerdictKind } from "../schema/index.js";

/** What is smaller is printed as such. */
const LEAST_P = 0.0001;

/** A verdict in words. */
export function printedVerdict(kind: VerdictKind): string {
  return kind === "not_comparable" ? "not comparable" : kind;
}

/** A score at 4 decimals, an em dash where there is none. */
export function printedScoreOf(value: number | null): string {
  return value?.toFixed(4) ?? "—";
}

/** A difference with its sign. */
export function printedChange(value: number | null): string {
  return value === null ? "—" : `${value > 0 ? "+" : ""}${value.toFixed(4)}`;
}

/** Both ends of an interval of differences. */
export function printedInterval(interval: MetricDifference["interval"]): string {
  return interval === null ? "—" : `${printedChange(interval.low)} to ${printedChange(interval.high)}`;
}

/** A p value; the adjusted one where many are looked at. */
export function printedP(p: number | null): string {
  return p === null ? "—" : p < LEAST_P ? `< ${LEAST_P}` : p.toFixed(4);
}

/** The share of an interval: `95 %`. */
export function printedShare(confidence: number): string {
  return `${Number((confidence * 100).toFixed(2))} %`;
}
