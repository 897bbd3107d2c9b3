/**
 * Results as text for people: Markdown documents, and tables for a terminal.
 *
 * @module
 */
export { renderParaphrasesMd } from "./render-paraphrases-md.js";
export { renderReportMd, type ReportOptions } from "./render-report-md.js";
export { renderAggregateText, renderCompareText, renderParaphrasesText, renderTable, renderWarningsText, type TextOptions } from "./text.js";
export { renderEvaluationsText, type NamedEvaluation } from "./evaluation-text.js";
export { cFixed4, renderTrecEval, type TrecEvalBlock, type TrecEvalLine } from "./trec-eval.js";
