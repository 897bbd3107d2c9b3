import { countOf } from "../../foundation/numbers/index.js";
import type { LabelAudit } from "../../records/index.js";
import { auditSections } from "../audit-rows.js";
import { auditSummary, auditTitle } from "../audit-summary.js";
import { checkKind } from "../check-kind.js";
import { bdi } from "./markup.js";
import { comparisonSource, pageData } from "./page-data.js";
import { pageFrame, type PageSection } from "./page-frame.js";
import { partSection, summarySection } from "./part-section.js";

/** How the HTML page of an audit is headed. */
export interface AuditHtmlOptions {
  /** Default: dataset and raters. */
  readonly title?: string | undefined;
  /** When the page was made, as it is to be printed. Without it no time is. */
  readonly generatedAt?: string | undefined;
}

const MOST_ROWS = 100;

/**
 * An audit of labels as one HTML file for people. It asks the network for nothing, opens from disk, and is
 * the same bytes for the same audit. Text from data is shown and does nothing.
 */
export function renderAuditHtml(audit: LabelAudit, options: AuditHtmlOptions = {}): string {
  checkKind(audit, "label_audit", "auditLabels");
  const { title = auditTitle(audit), generatedAt } = options;
  return pageFrame({
    title,
    heading: bdi(title),
    facts: [countOf(audit.counts.both, "pair"), countOf(audit.counts.queries, "query")],
    generatedAt,
    warnings: 0,
    sections: auditPageSections(audit),
    // The page has no queries to look into; its script has a theme and keys all the same.
    data: pageData(comparisonSource(null, null)).data,
  });
}

/** The sections of {@link renderAuditHtml}, for pages that have a frame of their own. */
export function auditPageSections(audit: LabelAudit): readonly PageSection[] {
  return [
    ["summary", "Summary", summarySection(auditSummary(audit))],
    ...auditSections(audit, { maxRows: MOST_ROWS }).map((part): PageSection => [
      part.id,
      part.title,
      partSection(part),
    ]),
  ];
}
