/**
 * Results as text for people: Markdown documents, and tables for a terminal.
 *
 * @module
 */
export {
  auditOutputs,
  tuningOutputs,
  benchOutputs,
  comparisonOutputs,
  gateOutputCards,
  gateOutputs,
  runOutputCards,
  runOutputs,
} from "./outputs.js";
export type { GatedComparison, GatedRun, ReportOutput } from "./report-output.js";
export { renderAuditHtml, type AuditHtmlOptions } from "./html/render-audit-html.js";
export { renderAuditMd, type AuditMdOptions } from "./render-audit-md.js";
export { renderAuditText } from "./render-audit-text.js";
export { renderTuningHtml, type TuningHtmlOptions } from "./html/render-tuning-html.js";
export { renderTuningMd, type TuningMdOptions } from "./render-tuning-md.js";
export { renderTuningText } from "./render-tuning-text.js";
export type { AnyTuning } from "./tuning-content.js";
export { renderBenchMd, type BenchMdOptions } from "./render-bench-md.js";
export { renderParaphrasesMd } from "./render-paraphrases-md.js";
export { renderBenchText } from "./render-bench-text.js";
export { renderBenchHtml, type BenchHtmlOptions } from "./html/render-bench-html.js";
export { renderRunHtml, type RunHtmlOptions } from "./html/render-run-html.js";
export { renderRunReportMd, type RunReportMdOptions } from "./render-run-report-md.js";
export { renderBatchCaseText } from "./batch-case-text.js";
export { renderRunReportText } from "./run-report-text.js";
export { reportTexts, type ItemText, type ReportTexts, type TextSources } from "./report-texts.js";
export { renderReportHtml, type ReportHtmlOptions } from "./html/render-report-html.js";
export { renderReportMd, type ReportOptions } from "./render-report-md.js";
export {
  renderAggregateText,
  renderCompareText,
  renderFailedResultsText,
  renderParaphrasesText,
  renderTable,
  renderWarningsText,
  type TextOptions,
} from "./text.js";
export {
  renderEvaluationRows,
  renderRunScoreRows,
  type EvaluationRowsOptions,
  type ScoredRunRows,
} from "./evaluation-rows.js";
export { renderAgreementText } from "./render-agreement-text.js";
export { renderComparisonPowerText, renderPowerText } from "./render-power-text.js";
export { renderEvaluationsText, type NamedEvaluation } from "./evaluation-text.js";
export { renderScoreTable, scoreTableFormats, type ScoreTableFormat } from "./render-score-table.js";
export {
  boardOfComparison,
  boardOfEvaluations,
  type BoardLetters,
  type BoardScore,
  type ScoreBoard,
} from "./score-board.js";
export { renderTrecEval, type TrecEvalBlock, type TrecEvalLine } from "./trec-eval.js";
export type { CiFindings } from "./ci-findings.js";
export { renderComparisonText } from "./comparison-text.js";
export { renderComparisonCsv } from "./render-comparison-csv.js";
export { renderComparisonJsonl } from "./render-comparison-jsonl.js";
export { renderGateText, type GateTextOptions } from "./render-gate-text.js";
export {
  renderGithubAnnotations,
  type AnnotationOptions,
  type QueryPlaces,
} from "./render-github-annotations.js";
export { renderJunit, type JunitOptions } from "./render-junit.js";
export { renderStepSummary, type StepSummaryOptions } from "./render-step-summary.js";
