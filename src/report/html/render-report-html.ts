import { checkKnownOptions } from "../../foundation/checks/index.js";
import {
  isComparable,
  type CompareReport,
  type GateReport,
  isResult,
  type ScoreComparison,
} from "../../records/index.js";
import { checkResult } from "../check-result.js";
import { comparisonWarnings } from "../ci-findings.js";
import { rankLine } from "../comparison-summary.js";
import { listFailedRuns } from "../failed-results.js";
import type { ReportTexts } from "../report-texts.js";
import { runFactsLine } from "../run-facts-line.js";
import { aggregatesSection, configurationSection } from "./compare-report-sections.js";
import { showFailed } from "./show-failed.js";
import { gateSection } from "./gate-section.js";
import { judgeNextSection } from "./judge-next-section.js";
import { leaderboardSection } from "./leaderboard-section.js";
import { html, bdi, nothing } from "./markup.js";
import { showMoved } from "./show-moved.js";
import { metricsSection } from "./metrics-section.js";
import { comparisonSource, pageData } from "./page-data.js";
import type { PageData } from "./page-model.js";
import { pageFrame, type PageSection } from "./page-frame.js";
import { countOf, formatCount } from "../../foundation/numbers/index.js";
import { chartSection, queriesSection } from "./queries-section.js";
import { markById, markByPlace, type QueryMark } from "./query-mark.js";
import { settingsSection } from "./settings-section.js";
import { slicesSection } from "./slices-section.js";
import { summarySection, verdictSection } from "./verdict-section.js";
import { trustSection } from "./trust-section.js";
import { warningsSection } from "./warnings-section.js";

/** How an HTML report is headed. */
export interface ReportHtmlOptions {
  /** Default: the names of the runs. */
  readonly title?: string | undefined;
  /** When the report was made, as it is to be printed. Without it no time is. */
  readonly generatedAt?: string | undefined;
  /** What a gate says of the comparison; stands first. */
  readonly gate?: GateReport | null | undefined;
  /** What hits and answers say; without it the page has ids alone. */
  readonly texts?: ReportTexts | undefined;
}

const OPTIONS: readonly (keyof ReportHtmlOptions)[] = ["title", "generatedAt", "gate", "texts"];

/**
 * A comparison as one HTML file for people: it asks the network for nothing, opens from disk, and is the same
 * bytes for the same result. Text from data is shown and does nothing. Without scripts the verdict, metrics
 * and slices can be read; the chart, the table of queries and the view of one query need them.
 *
 * @param result a comparison of scores; or a report of two runs, which is also rendered when it has no
 * statistics.
 */
export function renderReportHtml(
  result: ScoreComparison | CompareReport,
  options: ReportHtmlOptions = {},
): string {
  const content = comparisonContent(result, checkKnownOptions(options, OPTIONS));
  const { data, baseline, others, comparison } = content;
  const title =
    options.title ??
    (others.length === 1
      ? `${baseline} → ${others.join("")}`
      : `${formatCount(others.length)} runs against ${baseline}`);
  const heading =
    options.title !== undefined
      ? bdi(options.title)
      : others.length === 1
        ? html`${bdi(baseline)} <span class="quiet">→</span> ${bdi(others.join(""))}`
        : html`${formatCount(others.length)} runs against ${bdi(baseline)}`;
  const facts = [
    countOf(data.queries.length, "query"),
    ...(data.metrics.length === 0 ? [] : [countOf(data.metrics.length, "metric")]),
    ...(comparison?.runs.length === 2 ? comparison.runs.flatMap(recordingLines) : []),
  ];
  return pageFrame({
    title,
    heading,
    facts,
    generatedAt: options.generatedAt,
    warnings: content.warnings,
    sections: content.sections,
    data,
  });
}

/** Sections that are empty until a script fills them. */
const DRAWN: readonly string[] = ["differences", "queries"];

/**
 * The sections of {@link renderReportHtml} that say something without its script, for pages that have a
 * frame of their own, and an address for each query.
 */
export function comparisonSections(result: ScoreComparison | CompareReport): readonly PageSection[] {
  return comparisonContent(result, {}, markById).sections.filter(([id]) => !DRAWN.includes(id));
}

/** What stands in a page about a comparison. */
interface ComparisonContent {
  readonly comparison: ScoreComparison | null;
  readonly baseline: string;
  readonly others: readonly string[];
  readonly warnings: number;
  readonly sections: readonly PageSection[];
  readonly data: PageData;
}

function comparisonContent(
  result: ScoreComparison | CompareReport,
  options: Pick<ReportHtmlOptions, "gate" | "texts">,
  markedBy?: QueryMark,
): ComparisonContent {
  checkResult(result, ["report", "comparison"], "what compareRuns or another comparison returned");
  const report = isResult(result, "report") ? result : null;
  // A report that was read without its schema may lack the field.
  const comparison = isResult(result, "report")
    ? ((result.statistics as ScoreComparison | null | undefined) ?? null)
    : result;
  const { data, labelIndex } = pageData(comparisonSource(comparison, report, options.texts));
  const [baseline = "", ...others] = data.runs;
  const mark = markedBy ?? markByPlace(comparison?.per_query ?? report?.per_query ?? []);
  const moved = showMoved(result, mark);
  const warnings = comparisonWarnings(result);
  const sections: readonly PageSection[] = [
    ["gate", "Gate", options.gate == null ? nothing : gateSection(options.gate, isComparable(result))],
    ["leaderboard", "Leaderboard", comparison === null ? nothing : leaderboardSection(comparison)],
    [
      "verdict",
      "Verdict",
      comparison === null
        ? report === null
          ? nothing
          : summarySection(report, moved)
        : verdictSection(comparison, report === null ? null : rankLine(report), moved),
    ],
    ["labels", "Labels", comparison === null ? nothing : trustSection(comparison)],
    ["failed", "Failed results", showFailed(listFailedRuns(result))],
    ["metrics", "Metrics", comparison === null ? nothing : metricsSection(comparison)],
    [
      "aggregates",
      "Metrics",
      comparison === null && report !== null ? aggregatesSection(report, true) : nothing,
    ],
    ["differences", "Differences", chartSection(data)],
    ["slices", "Slices", comparison === null ? nothing : slicesSection(comparison, labelIndex)],
    ["queries", "Queries", queriesSection(data)],
    ["judge-next", "Judge next", comparison === null ? nothing : judgeNextSection(comparison, mark)],
    [
      "aggregates",
      "Aggregates",
      comparison !== null && report !== null ? aggregatesSection(report, false) : nothing,
    ],
    ["configuration", "Configuration", report === null ? nothing : configurationSection(report)],
    ["settings", "Settings", comparison === null ? nothing : settingsSection(comparison)],
    ["warnings", "Warnings", warningsSection(warnings)],
  ];
  return { comparison, baseline, others, warnings: warnings.length, sections, data };
}

/** When and where a run was recorded, with its name. */
function recordingLines(run: ScoreComparison["runs"][number]): string[] {
  const facts = runFactsLine(run);
  return facts === "" ? [] : [`${run.run}: ${facts}`];
}
