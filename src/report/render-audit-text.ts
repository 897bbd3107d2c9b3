import type { LabelAudit } from "../records/index.js";
import { oneLine } from "../foundation/text/index.js";
import { auditSections } from "./audit-rows.js";
import { auditSummary, auditTitle } from "./audit-summary.js";
import { checkKind } from "./check-kind.js";
import { sectionText } from "./report-section.js";
import { plain, type TextOptions } from "./text.js";

const MOST_ROWS = 5;

/** An audit of labels for a terminal. */
export function renderAuditText(
  audit: LabelAudit,
  { paint = plain, maxRows = MOST_ROWS }: TextOptions = {},
): string {
  checkKind(audit, "label_audit", "auditLabels");
  const summary = auditSummary(audit).map(oneLine);
  const blocks = [
    [paint(oneLine(auditTitle(audit)), "strong")],
    summary.map((sentence, at) => (at < audit.findings.length ? paint(sentence, "bad") : sentence)),
    ...auditSections(audit, { maxRows }).map((section) => sectionText(section, paint)),
  ];
  return `${blocks.map((block) => block.join("\n")).join("\n\n")}\n`;
}
