import { clip } from "../foundation/errors/index.js";
import { checkHas, checkResult } from "./check-result.js";
import { countOf, formatShare, formatCount } from "../foundation/numbers/index.js";
import { comparisonWarnings } from "./ci-findings.js";
import { byMovement, comparisonSummary, rankLine } from "./comparison-summary.js";
import { oneLine, terminalWidth } from "../foundation/text/index.js";
import { printFailed, describeFailedRun, listFailedRuns } from "./failed-results.js";
import {
  type AggregateMetrics,
  type CompareReport,
  direction,
  type FailedResults,
  readFailedResults,
  isResult,
  isTold,
  type MetricRow,
  metricRows,
  type ParaphraseReport,
  type ScoreComparison,
} from "../records/index.js";
import { formatDelta, formatScore, printTest, otherTests, rowTests } from "./printed-rows.js";
import { runFactsLine } from "./run-facts-line.js";
import { testFamilies, formatScoreOf } from "./printed-statistics.js";
import { paraphraseSummary, TRUNCATED_POOL } from "./render-paraphrases-md.js";
import { verdictLines } from "./verdict-lines.js";

/** How tables for a terminal are drawn. */
export interface TextOptions {
  /** Colours a text; without it there are none. */
  readonly paint?: ((text: string, as: "good" | "bad" | "strong" | "quiet") => string) | undefined;
  /** Most queries listed of each kind. Default 5. */
  readonly maxRows?: number | undefined;
}

const MOST_ROWS = 5;
const LONGEST_QUERY = 70;
/** Text without colour. */
export const plain = (text: string): string => text;

/** An aggregate as a table for a terminal: metric, score, number of queries (or answers) behind it. */
export function renderAggregateText(
  aggregate: AggregateMetrics,
  { paint = plain }: TextOptions = {},
): string {
  checkResult(aggregate, ["aggregate"], "what computeAggregate returned");
  const rows = metricRows(aggregate).map((row) => [
    row.label,
    formatScore(row, aggregate),
    String(aggregate.support[row.support] ?? "—"),
  ]);
  const { latency_ms } = aggregate;
  const [head = "", ...lines] = columns(["metric", "score", "n"], rows);
  return [
    paint(head, "quiet"),
    ...lines,
    "",
    `${countOf(aggregate.total_queries, "result")}, ${formatCount(aggregate.failed_queries)} failed, ` +
      `${formatCount(aggregate.missing_queries.length)} missing, ` +
      `${formatCount(aggregate.unmatched_results.length)} outside the golden set`,
    ...printFailed(describeFailedRun(readFailedResults(aggregate))),
    ...(latency_ms === null
      ? []
      : [
          `latency ms: mean ${latency_ms.mean}, p50 ${latency_ms.p50}, p95 ${latency_ms.p95}, max ` +
            `${latency_ms.max}`,
        ]),
    "",
  ].join("\n");
}

/** How many results of a run failed, and why; nothing where none did. */
export function renderFailedResultsText(found: FailedResults, run?: string): string {
  return printFailed(describeFailedRun(found, run))
    .map((line) => `${line}\n`)
    .join("");
}

/** A comparison for a terminal: what happened, the metrics, and the queries that lost most. */
export function renderCompareText(
  report: CompareReport,
  { paint = plain, maxRows = MOST_ROWS }: TextOptions = {},
): string {
  checkResult(report, ["report"], "what compareRuns returned");
  const { aggregate_a: a, aggregate_b: b, deltas } = report;
  const rows = metricRows(a);
  const [tested] = report.statistics?.comparisons ?? [];
  const testOf = rowTests(report);
  const lines = columns(
    [
      "metric",
      "a",
      "b",
      "delta",
      ...(tested === undefined
        ? []
        : [`${formatShare(report.statistics?.settings.confidence ?? 0)} interval`, "p, adjusted"]),
    ],
    [
      ...rows.map((row) => [
        row.label,
        formatScore(row, a),
        formatScore(row, b),
        formatDelta(row, report),
        ...(tested === undefined ? [] : printTest(testOf(row))),
      ]),
      ["failed results", String(a.failed_queries), String(b.failed_queries), ""],
    ],
  );
  const coloured = lines.map((line, index) => {
    const row = rows[index - 1];
    if (row === undefined) return index === 0 ? paint(line, "quiet") : line.trimEnd();
    // As in the page: a colour says that a difference is real, where that was tested.
    const test = testOf(row);
    const sign = formatDelta(row, report) === "—" ? 0 : direction(row, deltas);
    const isReal =
      report.statistics == null || (test !== null && isTold(test, report.statistics.settings, sign));
    return sign === 0 || !isReal ? line : paint(line, sign > 0 ? "good" : "bad");
  });
  const queries = (["regression", "loss", "win"] as const).flatMap((kind) => {
    const moved = byMovement(report.per_query, kind);
    const hidden = moved.length - maxRows;
    const shown = moved
      .slice(0, maxRows)
      .map(
        ({ query_id, note, query }) =>
          `${paint(kind.padEnd(10), kind === "win" ? "good" : "bad")} ${oneLine(query_id)}  ` +
          `${note ?? "miss→hit"}  ${paint(clipQuery(query), "quiet")}`,
      );
    return hidden > 0 ? [...shown, paint(`           and ${formatCount(hidden)} more`, "quiet")] : shown;
  });
  return [
    ...[report.run_a, report.run_b].map((run, at) => {
      const told = report.statistics?.runs[at];
      const facts = told === undefined ? "" : runFactsLine(told);
      return `${"ab"[at] ?? ""}: ${oneLine(run)}${facts === "" ? "" : paint(`  ${facts}`, "quiet")}`;
    }),
    "",
    ...(tested === undefined ? [] : verdictLines(tested.verdict, paint)),
    tested === undefined ? paint(comparisonSummary(report), "strong") : `  ${rankLine(report)}`,
    ...printFailed(listFailedRuns(report)),
    "",
    ...coloured,
    ...[...otherQueries(rows, report), ...otherTests(rows, report)].map((line) => paint(line, "quiet")),
    ...(report.statistics == null ? [] : [paint(oneLine(testFamilies(report.statistics)), "quiet")]),
    ...(queries.length === 0 ? [] : [""]),
    ...queries,
    "",
  ].join("\n");
}

/** A difference between means over other queries is none of the runs; the metrics that this is said of. */
function otherQueries(
  rows: readonly MetricRow[],
  { aggregate_a: a, aggregate_b: b }: CompareReport,
): string[] {
  const named = rows.flatMap(({ label, support }) => {
    const [ofA = 0, ofB = 0] = [a.support[support], b.support[support]];
    return ofA === ofB || ofA === 0 || ofB === 0 ? [] : [`${label} (${ofA} / ${ofB})`];
  });
  return named.length === 0 ? [] : [`over other queries in a than in b: ${oneLine(named.join(", "))}`];
}

/** Paraphrase groups for a terminal. */
export function renderParaphrasesText(report: ParaphraseReport, { paint = plain }: TextOptions = {}): string {
  checkHas(report, "groups", "what computeParaphrases returned");
  const rows = report.groups.map(({ group, variants, spread, worst, ok, mis_ranked, missing }) => [
    clipQuery(group),
    String(variants.length),
    formatScoreOf(spread),
    formatScoreOf(worst),
    String(ok),
    String(mis_ranked),
    String(missing),
  ]);
  const table =
    report.groups.length === 0
      ? []
      : columns(["group", "wordings", "spread", "worst", "ok", "mis-ranked", "missing"], rows);
  const cut = report.pool_possibly_truncated && report.groups.length > 0 ? ["", TRUNCATED_POOL] : [];
  return [paint(paraphraseSummary(report), "strong"), "", ...table, ...cut, ""].join("\n");
}

/** The warnings of a result, a line each. */
export function renderWarningsText(result: CompareReport | ScoreComparison | AggregateMetrics): string[] {
  checkResult(result, ["report", "comparison", "aggregate"], "a comparison or an aggregate");
  return isResult(result, "aggregate")
    ? result.warnings.map(({ message }) => oneLine(message))
    : comparisonWarnings(result);
}

/** A table for a terminal: text columns, each as wide as it must be. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return `${columns(
    head,
    rows.map((row) => row.map(oneLine)),
    "left",
  )
    .map((line) => line.trimEnd())
    .join("\n")}\n`;
}

/** A query on one line, cut to a length. */
export function clipQuery(text: string): string {
  return clip(oneLine(text), LONGEST_QUERY);
}

/**
 * Rows under their heads: the first column to the left, the others, which are numbers by default, to the
 * right.
 */
export function columns(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  others: "left" | "right" = "right",
): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) =>
    all.reduce((width, row) => Math.max(width, terminalWidth(row[column] ?? "")), 0),
  );
  return all.map((row) =>
    row
      .map((cell, column) => {
        const padding = " ".repeat(Math.max(0, (widths[column] ?? 0) - terminalWidth(cell)));
        return column === 0 || others === "left" ? cell + padding : padding + cell;
      })
      .join("  "),
  );
}
