import { checkResult } from "./check-result.js";
import { formatShare, formatCount } from "../foundation/numbers/index.js";
import { oneLine } from "../foundation/text/index.js";
import { isBatchReport, type BatchReport, type ReportedQuery, type RunReport } from "../records/index.js";
import { wrongChecks } from "./answer-checks.js";
import { labelLines } from "./batch-rows.js";
import { printFailed, describeFailedRun } from "./failed-results.js";
import { runFactsLine } from "./run-facts-line.js";
import {
  firstRankRows,
  describeMissed,
  listMissedQueries,
  formatSpan,
  runSummary,
  wrongAnswers,
} from "./run-report-rows.js";
import { listCorrectedHeads, listCorrectedRows, poolLine, trustLines, trustTitle } from "./trust-rows.js";
import { clipQuery, columns, plain, type TextOptions } from "./text.js";
import { moreRows } from "./more-rows.js";
import { formatMean } from "./printed-statistics.js";

const MOST_ROWS = 5;
const MOST_OF_SCORECARD = 9;
const WIDEST_BAR = 30;

/** One run for a terminal: what it scores, what it missed, and where. */
export function renderRunReportText(
  report: RunReport,
  { paint = plain, maxRows = MOST_ROWS }: TextOptions = {},
): string {
  checkResult(report, ["run"], "what reportRun or reportSystem returned");
  const { run, settings, latency_ms, slices, primary } = report;
  const share = formatShare(settings.confidence);
  const facts = runFactsLine(run);
  // A scorecard begins with what matters; a page has room for the rest.
  const most = isBatchReport(report) ? MOST_OF_SCORECARD : report.metrics.length;
  const [head = "", ...scores] = columns(
    ["metric", "score", `${share} interval`, "n"],
    report.metrics
      .slice(0, most)
      .map((row) => [
        oneLine(row.metric),
        formatMean(row, report),
        formatSpan(row.interval),
        String(row.queries),
      ]),
  );
  const sliceRows = slices.flatMap(({ by, value, metrics }) =>
    metrics
      .filter(({ metric, queries }) => metric === primary && queries > 0)
      .map((row) => [
        oneLine(`${by} = ${value}`),
        formatMean(row, report),
        formatSpan(row.interval),
        String(row.queries),
      ]),
  );
  const blocks = [
    [`${oneLine(run.run)}${facts === "" ? "" : paint(`  ${facts}`, "quiet")}`],
    runSummary(report).map((sentence, at) => (at === 0 ? paint(sentence, "strong") : sentence)),
    isBatchReport(report) ? printTrust(report, paint) : [],
    printFailed(describeFailedRun(report.failed_results)),
    [
      paint(head, "quiet"),
      ...scores.map((line) => line.trimEnd()),
      ...(report.metrics.length > most ? [paint(moreRows(report.metrics.length - most), "quiet")] : []),
      ...(latency_ms === null
        ? []
        : [
            `latency ms: mean ${latency_ms.mean}, p50 ${latency_ms.p50}, p95 ${latency_ms.p95}, ` +
              `max ${latency_ms.max}`,
          ]),
    ],
    rankLines(report, paint),
    [
      ...queryLines("missed", listMissedQueries(report), describeMissed, { paint, maxRows }),
      ...queryLines("wrong ", wrongAnswers(report), ({ answer }) => wrongChecks(answer).join(", "), {
        paint,
        maxRows,
      }),
    ],
    sliceRows.length === 0
      ? []
      : columns(["slice", oneLine(primary ?? ""), `${share} interval`, "n"], sliceRows),
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join("\n"))
    .join("\n\n")}\n`;
}

/** The first queries of a kind, and how many more there are. */
function queryLines(
  name: string,
  queries: readonly ReportedQuery[],
  what: (query: ReportedQuery) => string,
  { paint, maxRows }: { readonly paint: NonNullable<TextOptions["paint"]>; readonly maxRows: number },
): string[] {
  const shown = queries
    .slice(0, maxRows)
    .map((query) =>
      `${paint(name, "bad")}  ${oneLine(query.query_id)}  ${oneLine(what(query))}  ${paint(
        clipQuery(query.query ?? ""),
        "quiet",
      )}`.trimEnd(),
    );
  const hidden = queries.length - shown.length;
  return hidden > 0
    ? [...shown, paint(`${" ".repeat(name.length + 2)}and ${formatCount(hidden)} more`, "quiet")]
    : shown;
}

/** Whose labels the scores of a batch rest on, and what people's make of them. */
function printTrust(report: BatchReport, paint: NonNullable<TextOptions["paint"]>): string[] {
  const { trust, corrected, settings } = report;
  const [head = "", ...rows] =
    corrected === null
      ? []
      : columns(
          listCorrectedHeads(settings.confidence),
          listCorrectedRows(corrected.slice(0, MOST_OF_SCORECARD)),
        );
  return [
    `${paint(trustTitle(trust), trust.status === "not_audited" ? "bad" : "strong")}. ` +
      trustLines(trust).join(" "),
    ...labelLines(report),
    ...poolLine(trust),
    ...(head === "" ? [] : [paint(head, "quiet"), ...rows.map((row) => row.trimEnd())]),
  ];
}

/** Where first relevant hits stand, as bars. */
function rankLines(report: RunReport, paint: NonNullable<TextOptions["paint"]>): string[] {
  const rows = firstRankRows(report);
  const most = rows.reduce((highest, { share }) => Math.max(highest, share), 0);
  const [head = "", ...lines] = columns(
    ["first relevant hit at", "queries", "share"],
    rows.map(({ name, queries, share }) => [name, String(queries), formatShare(share)]),
  );
  return rows.length === 0
    ? []
    : [
        paint(head, "quiet"),
        ...lines.map(
          (line, at) => `${line}  ${"█".repeat(Math.round((WIDEST_BAR * (rows[at]?.share ?? 0)) / most))}`,
        ),
      ].map((line) => line.trimEnd());
}
