import type { LabelAudit } from "../records/index.js";
import { oneLine } from "../foundation/text/index.js";
import { auditSections, auditSummary, auditTitle, type AuditSection } from "./audit-rows.js";
import { checkAudit } from "./check-audit.js";
import { clipped, columns, plain, type TextOptions } from "./text.js";

const MOST_ROWS = 5;

/** An audit of labels for a terminal. */
export function renderAuditText(
  audit: LabelAudit,
  { paint = plain, maxRows = MOST_ROWS }: TextOptions = {},
): string {
  checkAudit(audit);
  const summary = auditSummary(audit).map(oneLine);
  const table = ({ head, alignment, rows, hidden }: AuditSection): string[] => {
    const isText = alignment.includes("ll");
    const [first = "", ...others] = columns(
      head,
      rows.map((cells) => cells.map(clipped)),
      isText ? "left" : "right",
    );
    return [
      ...(first.trim() === "" ? [] : [paint(first.trimEnd(), "quiet")]),
      ...others.map((line) => line.trimEnd()),
      ...(hidden > 0 ? [paint(`and ${hidden} more, all in the JSON report`, "quiet")] : []),
    ];
  };
  const blocks = [
    [paint(oneLine(auditTitle(audit)), "strong")],
    summary.map((sentence, at) => (at < audit.findings.length ? paint(sentence, "bad") : sentence)),
    ...auditSections(audit, { maxRows }).map((section) => [
      paint(section.title, "strong"),
      ...section.lines.map(oneLine),
      ...(section.rows.length === 0 ? [] : table(section)),
    ]),
  ];
  return `${blocks.map((block) => block.join("\n")).join("\n\n")}\n`;
}
