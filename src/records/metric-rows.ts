import { ownValue } from "../foundation/checks/index.js";
import { oneLine } from "../foundation/text/index.js";
import { metricCardOf } from "./metric-card.js";
import { aggregateFields, type AggregateField } from "./aggregate-fields.js";
import type { AggregateMetrics, CompareReport, Deltas } from "./types/index.js";

/** One metric of an aggregate, as a line of a table. */
export type MetricRow = Omit<AggregateField, "unit" | "cutoff">;

/** The metrics of an aggregate in the order of a table: the fixed fields, then those that were asked for. */
export function metricRows(aggregate: AggregateMetrics): MetricRow[] {
  const further = Object.keys(aggregate.metrics).map((name): MetricRow => ({
    label: oneLine(name),
    support: name,
    path: ["metrics", name],
    higherIsBetter: metricCardOf(aggregate, name).higher_is_better,
  }));
  return [...aggregateFields, ...further];
}

function numberAt(record: AggregateMetrics | Deltas, [field, key]: MetricRow["path"]): number | null {
  const value: unknown = record[field];
  const score: unknown =
    typeof value === "object" && value !== null && key !== undefined
      ? ownValue(value as Readonly<Record<string, unknown>>, key)
      : value;
  return typeof score === "number" ? score : null;
}

/** A metric's score; null when nothing was measured (0 of 0 is not 0 of 40). */
export function readScore(row: MetricRow, aggregate: AggregateMetrics): number | null {
  return ownValue(aggregate.support, row.support) === 0 ? null : numberAt(aggregate, row.path);
}

/** A metric's difference; null when either side measured nothing. */
export function readDelta(
  row: MetricRow,
  { deltas, aggregate_a, aggregate_b }: Pick<CompareReport, "deltas" | "aggregate_a" | "aggregate_b">,
): number | null {
  return readScore(row, aggregate_a) === null || readScore(row, aggregate_b) === null
    ? null
    : numberAt(deltas, row.path);
}

/** 1 when the difference is an improvement, -1 when it is the opposite, 0 when there is none. */
export function direction(row: MetricRow, deltas: Deltas): -1 | 0 | 1 {
  const delta = numberAt(deltas, row.path) ?? 0;
  if (delta === 0) return 0;
  return delta > 0 === row.higherIsBetter ? 1 : -1;
}
