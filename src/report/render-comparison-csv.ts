import { checkResult } from "./check-result.js";
import { compareIds } from "../foundation/ids/index.js";
import type { ScoreComparison } from "../records/index.js";
import { spreadsheetCell } from "../foundation/text/index.js";

/**
 * The queries of a comparison as CSV (RFC 4180, UTF-8): id, words, a column for each kind of label
 * (`labels.lang`), and one for each score (`run: metric`), empty where a run has none.
 *
 * CSV is for spreadsheets, and those run what begins like a formula. Such texts, among ids and labels as
 * well, get an apostrophe in front: `=cmd|…` becomes `'=cmd|…`, and the id `-1` becomes `'-1`. Scores are
 * numbers and stay as they are. Programs that need every id as it is read {@link renderComparisonJsonl}.
 */
export function renderComparisonCsv(comparison: ScoreComparison): string {
  checkResult(comparison, ["comparison"], "what compareSystems or another comparison of several returned");
  const { runs, metrics, per_query } = comparison;
  const labels = [...new Set(per_query.flatMap((query) => Object.keys(query.labels)))].sort(compareIds);
  const columns = runs.flatMap(({ run }, runIndex) =>
    metrics.map((metric, metricIndex) => ({ title: `${run}: ${metric}`, runIndex, metricIndex })),
  );
  const head = [
    "query_id",
    "query",
    ...labels.map((label) => `labels.${label}`),
    ...columns.map(({ title }) => title),
  ].map(spreadsheetCell);
  const rows = per_query.map(({ query_id, query, labels: own, scores }) => [
    ...[
      query_id,
      query ?? "",
      ...labels.map((label) => (Object.hasOwn(own, label) ? (own[label] ?? "") : "")),
    ].map(spreadsheetCell),
    ...columns.map(({ runIndex, metricIndex }) => String(scores[runIndex]?.[metricIndex] ?? "")),
  ]);
  return [head, ...rows].map((row) => `${row.join(",")}\r\n`).join("");
}
