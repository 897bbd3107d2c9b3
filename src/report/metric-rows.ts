import type { AggregateMetrics, AtCutoffs, Deltas } from "../schema/index.js";

/** One metric of an aggregate, as a line of a table. */
export interface MetricRow {
  /** As the field says it: `hit@5`, `MRR@10`. */
  readonly label: string;
  /** The field of the aggregate, and of its `support`. */
  readonly field: string;
  readonly higherIsBetter: boolean;
  readonly value: (aggregate: AggregateMetrics) => number | null;
  readonly delta: (deltas: Deltas) => number | null;
}

const CUTOFFS = ["1", "3", "5", "10"] as const;

function atCutoffs(field: "hit_at_k" | "precision_at_k_chunk" | "recall_at_k_doc", label: string): MetricRow[] {
  return CUTOFFS.map((k) => ({
    label: `${label}@${k}`,
    field,
    higherIsBetter: true,
    value: (aggregate) => (aggregate[field] as Partial<AtCutoffs>)[k] ?? null,
    delta: (deltas) => deltas[field][k],
  }));
}

function single(field: "mrr" | "citation_coverage" | "groundedness" | "empty_result_rate" | "refusal_correctness", label: string, higherIsBetter = true): MetricRow {
  return { label, field, higherIsBetter, value: (aggregate) => aggregate[field], delta: (deltas) => deltas[field] };
}

const FIXED_ROWS: readonly MetricRow[] = [
  ...atCutoffs("hit_at_k", "hit"),
  single("mrr", "MRR@10"),
  ...atCutoffs("recall_at_k_doc", "doc recall"),
  ...atCutoffs("precision_at_k_chunk", "precision"),
  single("citation_coverage", "citation coverage"),
  single("groundedness", "groundedness"),
  single("refusal_correctness", "refusal correctness"),
  single("empty_result_rate", "empty results", false),
];

/** The metrics of an aggregate in the order of a table: the fixed fields, then those that were asked for. */
export function metricRows(aggregate: AggregateMetrics): MetricRow[] {
  const further = Object.keys(aggregate.metrics).map(
    (name): MetricRow => ({
      label: name,
      field: name,
      higherIsBetter: aggregate.metric_cards[name]?.higher_is_better ?? true,
      value: ({ metrics }) => metrics[name] ?? null,
      delta: ({ metrics }) => metrics[name] ?? null,
    }),
  );
  return [...FIXED_ROWS, ...further];
}

/** A score as it is printed: 4 decimals, or an em dash when nothing was measured (0 of 0 is not 0 of 40). */
export function printedScore(row: MetricRow, aggregate: AggregateMetrics): string {
  const value = row.value(aggregate);
  return value === null || aggregate.support[row.field] === 0 ? "—" : value.toFixed(4);
}

/** A difference as it is printed, with its sign; an em dash when either side measured nothing. */
export function printedDelta(row: MetricRow, deltas: Deltas, a: AggregateMetrics, b: AggregateMetrics): string {
  const delta = row.delta(deltas);
  if (delta === null || printedScore(row, a) === "—" || printedScore(row, b) === "—") return "—";
  return `${delta > 0 ? "+" : ""}${delta.toFixed(4)}`;
}

/** 1 when the difference is an improvement, -1 when it is the opposite, 0 when there is none. */
export function direction(row: MetricRow, deltas: Deltas): -1 | 0 | 1 {
  const delta = row.delta(deltas) ?? 0;
  if (delta === 0) return 0;
  return delta > 0 === row.higherIsBetter ? 1 : -1;
}
