import type {
  AggregateMetrics,
  BatchReport,
  BenchReport,
  CompareReport,
  EvaluationRecord,
  RunReport,
  ScoreComparison,
} from "./types/index.js";

/** Results by their kind. */
interface Results {
  readonly report: CompareReport;
  readonly comparison: ScoreComparison;
  readonly aggregate: AggregateMetrics;
  readonly evaluation: EvaluationRecord;
  readonly run: RunReport;
  readonly bench: BenchReport;
}

/**
 * Of two runs with a golden set, any runs, the scores of one run, those of one run with judgments,
 * one run in full, or a benchmark.
 */
export type ResultKind = keyof Results;

/** A field that every result of the kind has in every version, and no kind before it. */
const FIELDS: Readonly<Record<ResultKind, string>> = {
  report: "aggregate_a",
  comparison: "comparisons",
  aggregate: "hit_at_k",
  run: "first_ranks",
  evaluation: "conventions",
  bench: "may_promote",
};

/** The kind of a result, also of one that was stored by an earlier version; null for anything else. */
export function resultKind(value: unknown): ResultKind | null {
  if (typeof value !== "object" || value === null) return null;
  const kinds = Object.keys(FIELDS) as ResultKind[];
  return kinds.find((kind) => Object.hasOwn(value, FIELDS[kind])) ?? null;
}

/** Whether something is a result of a kind. */
export function isResult<Kind extends ResultKind>(value: unknown, kind: Kind): value is Results[Kind] {
  return resultKind(value) === kind;
}

/** Whether a report on one run is that of a live search against labels. */
export function isBatchReport(report: RunReport): report is BatchReport {
  return report.kind === "batch_report";
}

/** The statistics of a comparison; null in reports of earlier versions. */
export function statisticsOf(comparison: CompareReport | ScoreComparison): ScoreComparison | null {
  return isResult(comparison, "comparison") ? comparison : comparison.statistics;
}

/** Whether runs could be compared: all of them, where something was tested. */
export function isComparable(comparison: CompareReport | ScoreComparison): boolean {
  const compared = statisticsOf(comparison)?.comparisons ?? [];
  return compared.every(({ verdict }) => verdict.kind !== "not_comparable");
}
