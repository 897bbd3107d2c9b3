import type { LabelAudit } from "../records/index.js";
import { auditSections } from "./audit-rows.js";
import { auditSummary, auditTitle } from "./audit-summary.js";
import { checkKind } from "./check-kind.js";
import { escapeMarkdown, escapeSentence } from "./escape-markdown.js";
import { markdownBlocks } from "./markdown-table.js";
import { sectionMd } from "./report-section.js";

/** How an audit is written. */
export interface AuditMdOptions {
  /** Most rows of each list. Default 50; what is left out is counted. */
  readonly maxRows?: number | undefined;
}

const MOST_ROWS = 50;

/** An audit of labels as a Markdown document. Text from data cannot break it. */
export function renderAuditMd(audit: LabelAudit, { maxRows = MOST_ROWS }: AuditMdOptions = {}): string {
  checkKind(audit, "label_audit", "auditLabels");
  const document = markdownBlocks(
    `# ${escapeMarkdown(auditTitle(audit))}`,
    auditSummary(audit)
      .map((sentence) => `- ${escapeSentence(sentence)}`)
      .join("\n"),
    ...auditSections(audit, { maxRows }).map(sectionMd),
  );
  return `${document}\n`;
}
