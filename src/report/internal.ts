/** What other rooms need of reports, and users do not. */
export { auditPageSections } from "./html/render-audit-html.js";
export { html, nothing, type Markup } from "./html/markup.js";
export { trustSection } from "./html/trust-section.js";
export { comparisonSections } from "./html/render-report-html.js";
export { tuningPageSections } from "./html/render-tuning-html.js";
export { pageStyle } from "./html/page-source.js";
export { partSection } from "./html/part-section.js";
export { reportSection, type ReportSection } from "./report-section.js";
export type { PageSection } from "./html/page-frame.js";
export { plotScale } from "./html/interval-plot.js";
export { trustLines } from "./trust-rows.js";
export { settingInWords } from "./tuning-rows.js";
