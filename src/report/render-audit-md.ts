import type { LabelAudit } from "../records/index.js";
import { auditSections, auditSummary, auditTitle } from "./audit-rows.js";
import { checkAudit } from "./check-audit.js";
import { escapeMarkdown, escapeSentence } from "./escape-markdown.js";
import { markdownBlocks, markdownTable, moreRows } from "./markdown-table.js";

/** How an audit is written. */
export interface AuditMdOptions {
  /** Most rows of each list. Default 50; what is left out is counted. */
  readonly maxRows?: number | undefined;
}

const MOST_ROWS = 50;

/** An audit of labels as a Markdown document. Text from data cannot break it. */
export function renderAuditMd(audit: LabelAudit, { maxRows = MOST_ROWS }: AuditMdOptions = {}): string {
  checkAudit(audit);
  const document = markdownBlocks(
    `# ${escapeMarkdown(auditTitle(audit))}`,
    auditSummary(audit)
      .map((sentence) => `- ${escapeSentence(sentence)}`)
      .join("\n"),
    ...auditSections(audit, { maxRows }).map(({ title, lines, head, alignment, rows, hidden }) =>
      markdownBlocks(
        `## ${title}`,
        ...lines.map(escapeSentence),
        rows.length === 0
          ? ""
          : markdownTable(
              head,
              alignment,
              // Figures are the report's own.
              rows.map((cells) =>
                cells.map((cell, at) => (alignment[at] === "r" ? cell : escapeMarkdown(cell))),
              ),
            ),
        moreRows(hidden),
      ),
    ),
  );
  return `${document}\n`;
}
