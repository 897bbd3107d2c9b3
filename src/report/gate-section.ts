import type { GateReport } from "../records/index.js";
import { gateSummary, ruleWhy } from "./ci-findings.js";
import { escapeMarkdown, escapeSentence } from "./escape-markdown.js";
import { markdownBlocks, markdownTable } from "./markdown-table.js";

/** What a gate says, in Markdown: the outcome, then a row for each rule. */
export function gateSection(gate: GateReport, areComparable = true): string {
  const rows = gate.rules.map((found) => [
    found.passed ? "✅ pass" : "❌ fail",
    escapeMarkdown(found.rule),
    escapeMarkdown(found.run ?? ""),
    typeof found.value === "number" ? String(found.value) : escapeMarkdown(found.value ?? "—"),
    escapeSentence(ruleWhy(found)),
  ]);
  return markdownBlocks(
    "## Gate",
    `**${gateSummary(gate, areComparable)}**`,
    markdownTable(["", "rule", "run", "value", "why"], "lllrl", rows),
  );
}
