/**
 * Results as text for people: Markdown documents, and tables for a terminal.
 *
 * @module
 */
export { renderParaphrasesMd } from "./render-paraphrases-md.js";
export { renderReportMd, type ReportOptions } from "./render-report-md.js";
export { renderAggregateText, renderCompareText, renderParaphrasesText, renderTable, renderWarningsText, type TextOptions } from "./text.js";
