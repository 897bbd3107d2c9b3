import {
  statisticsOf,
  type BenchReport,
  type CompareReport,
  type GateReport,
  type LabelAudit,
  type ScoreComparison,
} from "../records/index.js";
import { InputError } from "../foundation/errors/index.js";
import { renderAuditHtml } from "./html/render-audit-html.js";
import { renderBenchHtml } from "./html/render-bench-html.js";
import { renderRunHtml } from "./html/render-run-html.js";
import { renderReportHtml } from "./html/render-report-html.js";
import { renderTuningHtml } from "./html/render-tuning-html.js";
import { renderAuditMd } from "./render-audit-md.js";
import { renderBenchMd } from "./render-bench-md.js";
import { renderComparisonCsv } from "./render-comparison-csv.js";
import { renderJunit } from "./render-junit.js";
import { renderReportMd } from "./render-report-md.js";
import { renderRunReportMd } from "./render-run-report-md.js";
import { renderTuningMd } from "./render-tuning-md.js";
import type { GatedComparison, GatedRun, ReportOutput } from "./report-output.js";
import type { AnyTuning } from "./tuning-content.js";

const MARKDOWN = "the report as Markdown";
const HTML = "the report as one HTML file, to be opened in a browser";

/** The forms of a comparison. */
export const comparisonOutputs: readonly ReportOutput<GatedComparison>[] = [
  { name: "md", about: MARKDOWN, render: ({ comparison, gate }) => renderReportMd(comparison, { gate }) },
  {
    name: "html",
    about: HTML,
    render: ({ comparison, gate, texts }) => renderReportHtml(comparison, { gate, texts: texts?.() }),
  },
  { name: "junit", about: "verdict and gate as JUnit XML", render: (findings) => renderJunit(findings) },
  {
    name: "csv",
    about: "the scores of every query as CSV",
    render: ({ comparison }) => renderComparisonCsv(withScores(comparison)),
  },
];

const renderersOfRun: Record<(typeof runOutputCards)[number]["name"], ReportOutput<GatedRun>["render"]> = {
  md: ({ report, gate }) => renderRunReportMd(report, { gate }),
  html: ({ report, gate, texts }) => renderRunHtml(report, { gate, texts: texts?.() }),
};

/** What is known of the forms of a report on one run without what renders them. */
export const runOutputCards = [
  { name: "md", about: MARKDOWN },
  { name: "html", about: HTML },
] as const;

/** The forms of a report on one run. */
export const runOutputs: readonly ReportOutput<GatedRun>[] = /*#__PURE__*/ runOutputCards.map((card) => ({
  ...card,
  render: renderersOfRun[card.name],
}));

const renderersOfGate: Record<(typeof gateOutputCards)[number]["name"], ReportOutput<GateReport>["render"]> =
  {
    junit: (gate) => renderJunit({ gate }),
  };

/** What is known of the forms of what a gate says without what renders them. */
export const gateOutputCards = [{ name: "junit", about: "what the gate says as JUnit XML" }] as const;

/** The forms of what a gate says of scores by themselves. */
export const gateOutputs: readonly ReportOutput<GateReport>[] = /*#__PURE__*/ gateOutputCards.map((card) => ({
  ...card,
  render: renderersOfGate[card.name],
}));

/** The forms of a search for a better setting. */
export const tuningOutputs: readonly ReportOutput<AnyTuning>[] = [
  { name: "md", about: MARKDOWN, render: (tuning) => renderTuningMd(tuning) },
  { name: "html", about: HTML, render: (tuning) => renderTuningHtml(tuning) },
];

/** The forms of an audit of labels. */
export const auditOutputs: readonly ReportOutput<LabelAudit>[] = [
  { name: "md", about: MARKDOWN, render: (audit) => renderAuditMd(audit) },
  { name: "html", about: HTML, render: (audit) => renderAuditHtml(audit) },
];

/** The forms of a benchmark's report. */
export const benchOutputs: readonly ReportOutput<BenchReport>[] = [
  { name: "md", about: MARKDOWN, render: (report) => renderBenchMd(report) },
  { name: "html", about: HTML, render: (report) => renderBenchHtml(report) },
];

function withScores(comparison: CompareReport | ScoreComparison): ScoreComparison {
  const scores = statisticsOf(comparison);
  if (scores === null)
    throw new InputError(
      "ARGUMENT",
      "there is no CSV of the report: it was stored without statistics, and so without the scores of " +
        "queries; compare the runs again",
    );
  return scores;
}
