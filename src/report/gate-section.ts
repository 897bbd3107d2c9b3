import type { GateReport } from "../records/schema/index.js";
import { gateSummary } from "./ci-findings.js";
import { escapeMarkdown } from "./escape-markdown.js";
import { markdownBlocks, markdownTable } from "./markdown-table.js";

/** What a gate says, in Markdown: the outcome, then a row for each rule. */
export function gateSection(gate: GateReport): string {
  const rows = gate.rules.map(({ rule, run, value, passed, why }) => [
    passed ? "✅ pass" : "❌ fail",
    escapeMarkdown(rule),
    escapeMarkdown(run ?? ""),
    typeof value === "number" ? String(value) : escapeMarkdown(value ?? "—"),
    escapeMarkdown(why),
  ]);
  return markdownBlocks(
    "## Gate",
    `**${gateSummary(gate)}**`,
    markdownTable(["", "rule", "run", "value", "why"], "lllrl", rows),
  );
}
