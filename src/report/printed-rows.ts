import { formatScoreOf } from "./printed-statistics.js";
import { formatChange } from "../foundation/numbers/index.js";
import {
  readDelta,
  readScore,
  type AggregateMetrics,
  type CompareReport,
  type MetricRow,
} from "../records/index.js";

/** A score as it is printed: 4 decimals, or an em dash when nothing was measured. */
export function formatScore(row: MetricRow, aggregate: AggregateMetrics): string {
  return formatScoreOf(readScore(row, aggregate));
}

/** A difference as it is printed, with its sign; an em dash when either side measured nothing. */
export function formatDelta(
  row: MetricRow,
  report: Pick<CompareReport, "deltas" | "aggregate_a" | "aggregate_b">,
): string {
  return formatChange(readDelta(row, report));
}
