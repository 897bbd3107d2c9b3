import { checkKnownOptions } from "../foundation/checks/index.js";
import { formatShare, formatCount } from "../foundation/numbers/index.js";
import { checkResult } from "./check-result.js";
import { answerChecks } from "./answer-checks.js";
import { gateSection } from "./gate-section.js";
import { allWarnings, byMovement, comparisonSummary, rankLine } from "./comparison-summary.js";
import { escapeMarkdown, escapeSentence } from "./escape-markdown.js";
import { markdownBlocks, markdownList, markdownTable } from "./markdown-table.js";
import {
  isComparable,
  type CompareReport,
  direction,
  type GateReport,
  isResult,
  isTold,
  metricRows,
  type Outcome,
  type QueryComparison,
  type ScoreComparison,
} from "../records/index.js";
import { formatDelta, formatScore, printTest, otherTests, rowTests } from "./printed-rows.js";
import {
  renderFailed,
  renderRecorded,
  renderComparisonMd,
  settingsLine,
  slicesSection,
  verdictSection,
} from "./render-comparison-md.js";
import { firstOf } from "../foundation/text/index.js";
import { moreRows } from "./more-rows.js";

/** How a report is written. */
export interface ReportOptions {
  /** Most rows of each table of queries. Default 50; what is left out is counted. */
  readonly maxRows?: number | undefined;
  /** What a gate says of the comparison; stands first. */
  readonly gate?: GateReport | null | undefined;
}

const MOST_ROWS = 50;
const OPTIONS: readonly (keyof ReportOptions)[] = ["maxRows", "gate"];

/**
 * A comparison as one Markdown document for people: what happened first, then the evidence. Text from data
 * cannot break it.
 */
export function renderReportMd(report: CompareReport | ScoreComparison, options: ReportOptions = {}): string {
  checkResult(report, ["report", "comparison"], "what compareRuns or another comparison returned");
  const { maxRows = MOST_ROWS, gate } = checkKnownOptions(options, OPTIONS);
  if (gate != null)
    return `${gateSection(gate, isComparable(report))}\n\n${renderReportMd(report, { maxRows })}`;
  if (isResult(report, "comparison")) return renderComparisonMd(report, maxRows);
  const { statistics } = report;
  const [tested] = statistics?.comparisons ?? [];
  const findChanged = (kind: Outcome): QueryComparison[] => byMovement(report.per_query, kind);
  const reshuffled = findChanged("draw").filter(
    ({ gained_chunks, lost_chunks }) => gained_chunks.length + lost_chunks.length > 0,
  );
  const sections = [
    `# Eval compare: ${escapeMarkdown(report.run_a)} → ${escapeMarkdown(report.run_b)}`,
    statistics == null ? "" : renderRecorded(statistics),
    tested === undefined ? "" : verdictSection(tested, false),
    tested === undefined ? `**${comparisonSummary(report)}**` : rankLine(report),
    renderFailed(report),
    describeMatching(report),
    metricsSection(report),
    statistics == null || tested === undefined ? "" : slicesSection(tested, statistics),
    queriesSection("Regressions", "Found before, not found any more.", findChanged("regression"), maxRows),
    queriesSection("Losses", "Found in both runs, further down in the second.", findChanged("loss"), maxRows),
    queriesSection("Wins", "Found higher up, or found at last.", findChanged("win"), maxRows),
    queriesSection(
      "Same first rank, other chunks",
      "The first expected hit kept its rank, but the lists differ in other expected chunks.",
      reshuffled,
      maxRows,
    ),
    answersSection("Answers that got worse", report.per_query, "answer_lost", maxRows),
    answersSection("Answers that got better", report.per_query, "answer_gained", maxRows),
    causesSection(report),
    configSection(report),
    outsideSection(report),
    markdownList("Warnings", allWarnings(report).map(escapeSentence)),
  ];
  return `${markdownBlocks(...sections)}\n`;
}

function describeMatching({ deltas, fallback_queries }: CompareReport): string {
  if (deltas.chunker_version_match === "exact") return "";
  const fallback =
    fallback_queries === 0
      ? ""
      : ` For ${formatCount(fallback_queries)} of the queries the place is not known, and the document ` +
        "alone had to do.";
  return (
    "The chunkers differ, so a hit counts when it lies in the expected document and shares at least half " +
    `of its place with the expected chunk (or the other way round); chunk ids play no part.${fallback}`
  );
}

function metricsSection(report: CompareReport): string {
  const { aggregate_a: a, aggregate_b: b, deltas, statistics } = report;
  const testOf = rowTests(report);
  const share = statistics == null ? null : formatShare(statistics.settings.confidence);
  const rows = metricRows(a).map((row) => {
    const delta = formatDelta(row, report);
    const sign = direction(row, deltas);
    const tested = testOf(row);
    // As a colour elsewhere, the word says that a difference is real, where that was tested.
    const isReal = statistics == null || (tested !== null && isTold(tested, statistics.settings, sign));
    const mark = !isReal || delta === "—" || sign === 0 ? "" : sign > 0 ? "better" : "worse";
    return [
      escapeMarkdown(row.label),
      formatScore(row, a),
      formatScore(row, b),
      delta,
      mark,
      support(a.support[row.support], b.support[row.support]),
      ...(share === null ? [] : printTest(tested)),
    ];
  });
  const padCells = (cells: readonly string[]): string[] => [...cells, ...(share === null ? [] : ["", ""])];
  const totals = [
    padCells(["results", formatCount(a.total_queries), formatCount(b.total_queries), "", "", ""]),
    padCells([
      "failed",
      formatCount(a.failed_queries),
      formatCount(b.failed_queries),
      "",
      b.failed_queries > a.failed_queries ? "worse" : b.failed_queries < a.failed_queries ? "better" : "",
      "",
    ]),
    ...(a.latency_ms === null && b.latency_ms === null
      ? []
      : [padCells(["latency p50 / p95, ms", latency(a), latency(b), "", "", ""])]),
  ];
  const head = [
    "metric",
    escapeMarkdown(report.run_a),
    escapeMarkdown(report.run_b),
    "delta",
    "change",
    "n",
    ...(share === null ? [] : [`${share} interval`, "p, adjusted"]),
  ];
  return markdownBlocks(
    "## Metrics",
    markdownTable(head, share === null ? "lrrrlr" : "lrrrlrrr", [...rows, ...totals]),
    ...otherTests(metricRows(a), report).map((line) => escapeSentence(`${line}.`)),
    statistics == null ? "" : settingsLine(statistics),
  );
}

function support(a: number | undefined, b: number | undefined): string {
  return a === b ? String(a ?? "—") : `${a ?? "—"} / ${b ?? "—"}`;
}

function latency({ latency_ms }: CompareReport["aggregate_a"]): string {
  return latency_ms === null ? "—" : `${latency_ms.p50} / ${latency_ms.p95}`;
}

function queriesSection(
  title: string,
  meaning: string,
  queries: readonly QueryComparison[],
  maxRows: number,
): string {
  if (queries.length === 0) return "";
  const rows = queries
    .slice(0, maxRows)
    .map(({ query_id, query, a_hit_rank, b_hit_rank, note, gained_chunks, lost_chunks }) => {
      // That a query lost what it had, or has what it found, goes without saying.
      const moved = [
        note ?? "",
        a_hit_rank === null ? "" : chunkList("gained", gained_chunks),
        b_hit_rank === null ? "" : chunkList("lost", lost_chunks),
      ]
        .filter((text) => text !== "")
        .map(escapeMarkdown);
      return [
        escapeMarkdown(query_id),
        escapeMarkdown(query),
        String(a_hit_rank ?? "miss"),
        String(b_hit_rank ?? "miss"),
        moved.join("; "),
      ];
    });
  return markdownBlocks(
    `## ${title} (${formatCount(queries.length)})`,
    meaning,
    markdownTable(["query id", "query", "rank a", "rank b", "what moved"], "llrrl", rows),
    moreRows(queries.length - rows.length),
  );
}

function answersSection(
  title: string,
  queries: readonly QueryComparison[],
  field: "answer_gained" | "answer_lost",
  maxRows: number,
): string {
  const changed = queries.flatMap(({ query_id, query, [field]: checks = [] }) =>
    checks.length === 0
      ? []
      : [
          [
            escapeMarkdown(query_id),
            escapeMarkdown(query),
            checks.map((check) => answerChecks[check]).join(", "),
          ],
        ],
  );
  if (changed.length === 0) return "";
  const rows = changed.slice(0, maxRows);
  return markdownBlocks(
    `## ${title} (${formatCount(changed.length)})`,
    markdownTable(["query id", "query", "what"], "lll", rows),
    moreRows(changed.length - rows.length),
  );
}

const CHUNKS_NAMED = 3;

function chunkList(verb: string, ids: readonly string[]): string {
  return ids.length === 0 ? "" : `${verb} ${firstOf(ids, CHUNKS_NAMED)}`;
}

function causesSection({ causes }: CompareReport): string {
  return markdownList(
    "Known causes",
    causes.map(({ cause, a, b }) => `${cause}: ${a ?? "none"} → ${b ?? "none"}`).map(escapeMarkdown),
  );
}

function configSection({ config_diff, run_a, run_b }: CompareReport): string {
  if (config_diff.length === 0) return "";
  const value = (leaf: unknown): string =>
    escapeMarkdown(
      leaf === null || leaf === undefined ? "—" : typeof leaf === "string" ? leaf : JSON.stringify(leaf),
    );
  const rows = config_diff.map(({ path, a, b }) => [escapeMarkdown(path), value(a), value(b)]);
  const head = ["setting", escapeMarkdown(run_a), escapeMarkdown(run_b)];
  return markdownBlocks("## Configuration", markdownTable(head, "lll", rows));
}

const IDS_LISTED = 20;

function outsideSection({ run_a, run_b, aggregate_a, aggregate_b }: CompareReport): string {
  const line = (run: string, ids: readonly string[]): string[] =>
    ids.length === 0 ? [] : [`${run}: ${firstOf(ids, IDS_LISTED)}`];
  return markdownList(
    "Results outside the golden set",
    [...line(run_a, aggregate_a.unmatched_results), ...line(run_b, aggregate_b.unmatched_results)].map(
      escapeMarkdown,
    ),
  );
}
