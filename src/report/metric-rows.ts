import type { AggregateMetrics, Deltas } from "../schema/index.js";
import { oneLine } from "./escape-markdown.js";

/** One metric of an aggregate, as a line of a table. */
export interface MetricRow {
  /** As people say it: `hit@5`, `MRR@10`. */
  readonly label: string;
  /** The name in the aggregate's `support`. */
  readonly support: string;
  /** Where the score stands in an aggregate, and its difference in the deltas: a field, and the key in it if it is a map. */
  readonly path: readonly [field: Exclude<keyof Deltas, "chunker_version_match">, key?: string];
  readonly higherIsBetter: boolean;
}

const CUTOFFS = ["1", "3", "5", "10"] as const;

function atCutoffs(field: "hit_at_k" | "precision_at_k_chunk" | "recall_at_k_doc", label: string): MetricRow[] {
  return CUTOFFS.map((k) => ({ label: `${label}@${k}`, support: field, path: [field, k], higherIsBetter: true }));
}

function single(field: "mrr" | "citation_coverage" | "groundedness" | "empty_result_rate" | "refusal_correctness", label: string, higherIsBetter = true): MetricRow {
  return { label, support: field, path: [field], higherIsBetter };
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
export function metricRows({ metrics, metric_cards }: AggregateMetrics): MetricRow[] {
  const further = Object.keys(metrics).map((name): MetricRow => ({ label: oneLine(name), support: name, path: ["metrics", name], higherIsBetter: metric_cards[name]?.higher_is_better ?? true }));
  return [...FIXED_ROWS, ...further];
}

function numberAt(record: AggregateMetrics | Deltas, [field, key]: MetricRow["path"]): number | null {
  const value: unknown = record[field];
  const score: unknown = typeof value === "object" && value !== null && key !== undefined ? (value as Readonly<Record<string, unknown>>)[key] : value;
  return typeof score === "number" ? score : null;
}

/** A score as it is printed: 4 decimals, or an em dash when nothing was measured (0 of 0 is not 0 of 40). */
export function printedScore(row: MetricRow, aggregate: AggregateMetrics): string {
  const value = numberAt(aggregate, row.path);
  return value === null || aggregate.support[row.support] === 0 ? "—" : value.toFixed(4);
}

/** A difference as it is printed, with its sign; an em dash when either side measured nothing. */
export function printedDelta(row: MetricRow, deltas: Deltas, a: AggregateMetrics, b: AggregateMetrics): string {
  const delta = numberAt(deltas, row.path);
  if (delta === null || printedScore(row, a) === "—" || printedScore(row, b) === "—") return "—";
  return `${delta > 0 ? "+" : ""}${delta.toFixed(4)}`;
}

/** 1 when the difference is an improvement, -1 when it is the opposite, 0 when there is none. */
export function direction(row: MetricRow, deltas: Deltas): -1 | 0 | 1 {
  const delta = numberAt(deltas, row.path) ?? 0;
  if (delta === 0) return 0;
  return delta > 0 === row.higherIsBetter ? 1 : -1;
}
