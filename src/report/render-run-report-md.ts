import { checkResult } from "./check-result.js";
import { formatShare, formatCount } from "../foundation/numbers/index.js";
import { isBatchReport, type GateReport, type MeanScore, type RunReport } from "../records/index.js";
import { wrongChecks } from "./answer-checks.js";
import { escapeMarkdown, escapeSentence } from "./escape-markdown.js";
import { describeFailedRun } from "./failed-results.js";
import { gateSection } from "./gate-section.js";
import { markdownBlocks, markdownList, markdownTable } from "./markdown-table.js";
import { casesMd, labelsMd } from "./render-batch-sections-md.js";
import { runFactsLine } from "./run-facts-line.js";
import {
  firstRankRows,
  describeMissed,
  listMissedQueries,
  formatSpan,
  runSummary,
  wrongAnswers,
} from "./run-report-rows.js";
import { moreRows } from "./more-rows.js";
import { formatMean, formatScoreOf } from "./printed-statistics.js";

const MOST_ROWS = 50;

/** How a report on one run is written. */
export interface RunReportMdOptions {
  /** Most rows of each table of queries. Default 50; what is left out is counted. */
  readonly maxRows?: number | undefined;
  /** What a gate says of the scores; stands first. */
  readonly gate?: GateReport | null | undefined;
}

/**
 * One run as a Markdown document: what it scores, what it missed, and where. Text from data cannot break it.
 */
export function renderRunReportMd(
  report: RunReport,
  { maxRows = MOST_ROWS, gate }: RunReportMdOptions = {},
): string {
  checkResult(report, ["run"], "what reportRun or reportSystem returned");
  const { run, settings, latency_ms, warnings } = report;
  const [failed] = describeFailedRun(report.failed_results);
  const share = formatShare(settings.confidence);
  const facts = runFactsLine(run);
  const document = markdownBlocks(
    gate == null ? "" : gateSection(gate),
    `# Eval run: ${escapeMarkdown(run.run)}`,
    facts === "" ? "" : `Recorded ${escapeMarkdown(facts)}.`,
    runSummary(report).map(escapeSentence).join(" "),
    isBatchReport(report) ? labelsMd(report) : "",
    failed === undefined
      ? ""
      : markdownBlocks(
          "## Failed results",
          escapeMarkdown(failed.title),
          failed.reasons.map((reason) => `- ${escapeSentence(reason)}`).join("\n"),
        ),
    "## Scores",
    markdownTable(
      ["metric", "score", `${share} interval`, "n"],
      "lrrr",
      report.metrics.map((row) => [escapeMarkdown(row.metric), ...meanCells(row, report)]),
    ),
    latency_ms === null
      ? ""
      : `Latency, ms: mean ${latency_ms.mean}, p50 ${latency_ms.p50}, p95 ${latency_ms.p95}, ` +
          `max ${latency_ms.max}.`,
    firstRanksSection(report),
    queriesSection("Missed", report, listMissedQueries(report), describeMissed, maxRows),
    isBatchReport(report) ? casesMd(report, maxRows) : "",
    queriesSection(
      "Wrong answers",
      report,
      wrongAnswers(report),
      ({ answer }) => wrongChecks(answer).join(", "),
      maxRows,
    ),
    slicesSection(report, share),
    markdownList(
      "Warnings",
      warnings.map(({ message }) => escapeSentence(message)),
    ),
  );
  return `${document}\n`;
}

function meanCells(row: MeanScore, report: RunReport): string[] {
  return [formatMean(row, report), formatSpan(row.interval), String(row.queries)];
}

function firstRanksSection(report: RunReport): string {
  const rows = firstRankRows(report).map(({ name, queries, share }) => [
    name,
    String(queries),
    formatShare(share),
  ]);
  return rows.length === 0
    ? ""
    : markdownBlocks(
        "## Rank of the first relevant hit",
        markdownTable(["rank", "queries", "share"], "lrr", rows),
      );
}

function queriesSection(
  title: string,
  { metrics, primary }: RunReport,
  queries: readonly RunReport["per_query"][number][],
  what: (query: RunReport["per_query"][number]) => string,
  maxRows: number,
): string {
  if (queries.length === 0) return "";
  const column = metrics.findIndex(({ metric }) => metric === primary);
  const rows = queries
    .slice(0, maxRows)
    .map((query) => [
      escapeMarkdown(query.query_id),
      escapeMarkdown(query.query ?? ""),
      escapeMarkdown(what(query)),
      formatScoreOf(query.scores[0]?.[column]),
    ]);
  return markdownBlocks(
    `## ${title} (${formatCount(queries.length)})`,
    markdownTable(["query id", "query", "what", escapeMarkdown(primary ?? "score")], "lllr", rows),
    moreRows(queries.length - rows.length),
  );
}

function slicesSection(report: RunReport, share: string): string {
  const rows = report.slices.flatMap(({ by, value, metrics }) =>
    metrics
      .filter(({ metric, queries }) => metric === report.primary && queries > 0)
      .map((row) => [escapeMarkdown(by), escapeMarkdown(value), ...meanCells(row, report)]),
  );
  return rows.length === 0
    ? ""
    : markdownBlocks(
        "## Slices",
        markdownTable(
          ["label", "value", escapeMarkdown(report.primary ?? "score"), `${share} interval`, "n"],
          "llrrr",
          rows,
        ),
      );
}
