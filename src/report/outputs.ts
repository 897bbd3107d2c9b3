import {
  type BenchReport,
  type CompareReport,
  type GateReport,
  type LabelAudit,
  type RunReport,
  type ScoreComparison,
  statisticsOf,
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
import type { ReportTexts } from "./report-texts.js";
import type { AnyTuning } from "./tuning-content.js";

/** A form in which a result can be written to a file. */
export interface ReportOutput<Result> {
  /** Of the form, and of the flag that asks for it: `md`; `json` and `output` are taken. */
  readonly name: string;
  /** What is written, in a few words. */
  readonly about: string;
  /** @throws InputError `ARGUMENT` for a result that lacks what the form shows. */
  render(result: Result): string;
}

/** A comparison, and the gate that was held against it. */
export interface GatedComparison {
  readonly comparison: CompareReport | ScoreComparison;
  readonly gate: GateReport | null;
  /** What hits and answers say, gathered once a form shows it; undefined where it must not be shown. */
  readonly texts?: (() => ReportTexts) | undefined;
}

/** A report on one run, and the gate that was held against its scores. */
export interface GatedRun extends Pick<GatedComparison, "gate" | "texts"> {
  readonly report: RunReport;
}

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
