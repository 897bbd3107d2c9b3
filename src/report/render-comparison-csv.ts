import { compareIds } from "../ids.js";
import type { ScoreComparison } from "../schema/index.js";

/**
 * The queries of a comparison as CSV (RFC 4180, UTF-8): id, words, a column for each kind of label (`labels.lang`), and one for
 * each score (`run: metric`), empty where a run has none.
 *
 * CSV is for spreadsheets, and those run what begins like a formula. Such texts, among ids and labels as well, get an apostrophe
 * in front: `=cmd|…` becomes `'=cmd|…`, and the id `-1` becomes `'-1`. Scores are numbers and stay as they are. Programs that
 * need every id as it is read {@link renderComparisonJsonl}.
 */
export function renderComparisonCsv({ runs, metrics, per_query }: ScoreComparison): string {
  const labels = [...new Set(per_query.flatMap((query) => Object.keys(query.labels)))].sort(compareIds);
  const columns = runs.flatMap(({ run }, runIndex) => metrics.map((metric, metricIndex) => ({ title: `${run}: ${metric}`, runIndex, metricIndex })));
  const head = ["query_id", "query", ...labels.map((label) => `labels.${label}`), ...columns.map(({ title }) => title)].map(cell);
  const rows = per_query.map(({ query_id, query, labels: own, scores }) => [
    ...[query_id, query ?? "", ...labels.map((label) => (Object.hasOwn(own, label) ? (own[label] ?? "") : ""))].map(cell),
    ...columns.map(({ runIndex, metricIndex }) => String(scores[runIndex]?.[metricIndex] ?? "")),
  ]);
  return [head, ...rows].map((row) => `${row.join(",")}\r\n`).join("");
}

/** Also in their full-width forms, which some spreadsheets take for the same. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

function cell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
