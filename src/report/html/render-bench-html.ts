import { countOf } from "../../foundation/numbers/index.js";
import { checkResult } from "../check-result.js";
import type { BenchReport } from "../../records/index.js";
import { failuresSection, showLost, samplingSection } from "./bench-findings-sections.js";
import { benchSettingsSection } from "./bench-settings-section.js";
import { decisionSection } from "./decision-section.js";
import { bdi, nothing } from "./markup.js";
import { metricsSection } from "./metrics-section.js";
import { comparisonSource, pageData } from "./page-data.js";
import { pageFrame, type PageSection } from "./page-frame.js";
import { queryTypesSection } from "./query-types-section.js";
import { chartSection, queriesSection } from "./queries-section.js";
import { slicesSection } from "./slices-section.js";
import { allPairsSection } from "./verdict-section.js";
import { warningLine } from "../comparison-summary.js";
import { warningsSection } from "./warnings-section.js";

/** How the HTML report of a benchmark is headed. */
export interface BenchHtmlOptions {
  /** Default: the name of the fixture. */
  readonly title?: string | undefined;
  /** When the report was made, as it is to be printed. Without it no time is. */
  readonly generatedAt?: string | undefined;
}

/**
 * A benchmark as one HTML file for people: the decision, the modes, the rollback and the checklist on the
 * first screen, then the evidence, down to every case. It asks the network for nothing, opens from disk, and
 * is the same bytes for the same report. Text from data is shown and does nothing.
 */
export function renderBenchHtml(report: BenchReport, { title, generatedAt }: BenchHtmlOptions = {}): string {
  checkResult(report, ["bench"], "what runBench returned");
  const { comparison, fixture, modes } = report;
  const { data, labelIndex } = pageData(comparisonSource(comparison, null));
  const warnings = [...new Set([...report.warnings, ...(comparison?.warnings ?? [])].map(warningLine))];
  const sections: readonly PageSection[] = [
    ["decision", "Decision", decisionSection(report)],
    ["query-types", "Query types", queryTypesSection(report, labelIndex)],
    ["sampling", "Sampling", samplingSection(report)],
    ["failures", "Failures", failuresSection(report)],
    ["metrics", "Metrics", comparison === null ? nothing : metricsSection(comparison)],
    ["pairs", "Pairs", comparison === null ? nothing : allPairsSection(comparison)],
    ["differences", "Differences", chartSection(data)],
    ["slices", "Slices", comparison === null ? nothing : slicesSection(comparison, labelIndex)],
    ["queries", "Queries", queriesSection(data)],
    ["lost", "Lost by fusion", showLost(report)],
    ["settings", "Settings", benchSettingsSection(report)],
    ["warnings", "Warnings", warningsSection(warnings)],
  ];
  const facts = [
    countOf(fixture.cases, "case"),
    countOf(fixture.chunks, "chunk"),
    countOf(modes.length, "mode"),
  ];
  const name = title ?? `Evidence benchmark: ${fixture.name}`;
  return pageFrame({
    title: name,
    heading: bdi(name),
    facts,
    generatedAt,
    warnings: warnings.length,
    sections,
    data,
  });
}
