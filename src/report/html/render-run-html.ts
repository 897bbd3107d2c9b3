import { countOf } from "../../foundation/numbers/index.js";
import { checkResult } from "../check-result.js";
import { isBatchReport, type GateReport, type RunReport } from "../../records/index.js";
import { describeFailedRun } from "../failed-results.js";
import type { ReportTexts } from "../report-texts.js";
import { runFactsLine } from "../run-facts-line.js";
import { casesSection, labelsSection } from "./batch-sections.js";
import { showFailed } from "./show-failed.js";
import { gateSection } from "./gate-section.js";
import { bdi, nothing } from "./markup.js";
import { pageData, runSource } from "./page-data.js";
import { pageFrame, type PageSection } from "./page-frame.js";
import { queriesSection } from "./queries-section.js";
import {
  showMissed,
  runSettingsSection,
  runSlicesSection,
  runSummarySection,
  scoresSection,
} from "./run-sections.js";
import { warningLine } from "../comparison-summary.js";
import { warningsSection } from "./warnings-section.js";

/** How the HTML report of one run is headed. */
export interface RunHtmlOptions {
  /** Default: the name of the run. */
  readonly title?: string | undefined;
  /** When the report was made, as it is to be printed. Without it no time is. */
  readonly generatedAt?: string | undefined;
  /** What a gate says of the scores; stands first. */
  readonly gate?: GateReport | null | undefined;
  /** What hits and answers say; without it the page has ids alone. */
  readonly texts?: ReportTexts | undefined;
}

/**
 * One run as one HTML file for people: its scores with intervals, where the first relevant hits stand, what
 * was missed, and every query with its ranking and its answer. It asks the network for nothing, opens from
 * disk, and is the same bytes for the same report. Text from data is shown and does nothing.
 */
export function renderRunHtml(report: RunReport, options: RunHtmlOptions = {}): string {
  checkResult(report, ["run"], "what reportRun or reportSystem returned");
  const { title = report.run.run, generatedAt, gate, texts } = options;
  const { data, labelIndex } = pageData(runSource(report, texts));
  const warnings = [...new Set(report.warnings.map(warningLine))];
  const facts = runFactsLine(report.run);
  const sections: readonly PageSection[] = [
    ["gate", "Gate", gate == null ? nothing : gateSection(gate)],
    ["summary", "Summary", runSummarySection(report)],
    ["labels", "Labels", isBatchReport(report) ? labelsSection(report) : nothing],
    ["failed", "Failed results", showFailed(describeFailedRun(report.failed_results))],
    ["scores", "Scores", scoresSection(report)],
    ["cases", "Worst queries", isBatchReport(report) ? casesSection(report) : nothing],
    ["missed", "Missed", showMissed(report)],
    ["slices", "Slices", runSlicesSection(report, labelIndex)],
    ["queries", "Queries", queriesSection(data)],
    ["settings", "Settings", runSettingsSection(report)],
    ["warnings", "Warnings", warningsSection(warnings)],
  ];
  return pageFrame({
    title,
    heading: bdi(title),
    facts: [countOf(data.queries.length, "query"), ...(facts === "" ? [] : [facts])],
    generatedAt,
    warnings: warnings.length,
    sections,
    data,
  });
}
