import type { GateReport, MetricDifference, ScoreComparison } from "../schema/index.js";
import { comparisonWarnings, gateSummary, isScoreComparison, runFindings, type CiFindings, type RunFinding } from "./ci-findings.js";
import { escapeMarkdown } from "./escape-markdown.js";
import { renderReportMd } from "./render-report-md.js";

/** How a step summary is written. */
export interface StepSummaryOptions {
  /** Most rows of each table of queries. Default 50. */
  readonly maxRows?: number | undefined;
  /** Where it is cut, in bytes of UTF-8. Default 1 MiB, beyond which GitHub refuses the whole of it. */
  readonly maxBytes?: number | undefined;
}

const MOST_ROWS = 50;
const MOST_BYTES = 1024 * 1024;
const CUT_NOTE = "\n_Cut here: a step summary has no more room. The report has everything._\n";

/** A step summary for GitHub Actions, in its Markdown: what the gate says, what the comparison comes to, the metrics, and the queries that got worse. */
export function renderStepSummary({ gate, comparison }: CiFindings, { maxRows = MOST_ROWS, maxBytes = MOST_BYTES }: StepSummaryOptions = {}): string {
  const sections = [
    ...(gate == null ? [] : [gateSection(gate)]),
    ...(comparison == null ? [] : isScoreComparison(comparison) ? comparisonSections(comparison, maxRows) : [...(comparison.statistics == null ? [] : verdictSections(comparison.statistics, runFindings(comparison))), renderReportMd(comparison, { maxRows }).trimEnd()]),
  ];
  return cutToBytes(`${sections.filter((section) => section !== "").join("\n\n")}\n`, maxBytes);
}

function gateSection(gate: GateReport): string {
  const rows = gate.rules.map(({ rule, run, value, passed, why }) => [passed ? "✅ pass" : "❌ fail", escapeMarkdown(rule), escapeMarkdown(run ?? ""), typeof value === "number" ? String(value) : escapeMarkdown(value ?? "—"), escapeMarkdown(why)]);
  return `## Gate\n\n**${gateSummary(gate)}**\n\n${table(["", "rule", "run", "value", "why"], "lllrl", rows)}`;
}

function comparisonSections(comparison: ScoreComparison, maxRows: number): string[] {
  const runs = runFindings(comparison);
  const warnings = comparisonWarnings(comparison).map((warning) => `- ${escapeMarkdown(warning)}`);
  return [...verdictSections(comparison, runs), ...runs.map((run) => worseSection(run, maxRows)), ...(warnings.length === 0 ? [] : [`## Warnings\n\n${warnings.join("\n")}`])];
}

/** What each run comes to, and its metrics. */
function verdictSections({ comparisons, settings }: ScoreComparison, runs: readonly RunFinding[]): string[] {
  const share = `${settings.confidence * 100}%`;
  return runs.map(({ title, kind, headline, reasons }, index) => {
    const rows = (comparisons[index]?.metrics ?? []).map((row) => [escapeMarkdown(row.metric), score(row.mean_a), score(row.mean_b), signed(row.difference), interval(row), row.p_adjusted === null ? "—" : String(row.p_adjusted), `${row.improved} / ${row.worse} of ${row.pairs}`]);
    const sentences = reasons.map((reason) => `- ${escapeMarkdown(reason)}`).join("\n");
    return [`## ${escapeMarkdown(title)}: ${(kind ?? "").replace("_", " ")}`, `**${escapeMarkdown(headline)}**`, sentences, rows.length === 0 ? "" : table(["metric", "baseline", "run", "difference", `${share} interval`, "p, adjusted", "better / worse"], "lrrrrrr", rows)].filter((part) => part !== "").join("\n\n");
  });
}

function worseSection({ title, worse }: RunFinding, maxRows: number): string {
  if (worse.length === 0) return "";
  const rows = worse.slice(0, maxRows).map(({ query_id, query, what }) => [query_id, query, what].map(escapeMarkdown));
  const hidden = worse.length - rows.length;
  return `## Queries that got worse (${worse.length}): ${escapeMarkdown(title)}\n\n${table(["query id", "query", "what moved"], "lll", rows)}${hidden > 0 ? `\n\nand ${hidden} more, all in the JSON report` : ""}`;
}

function score(value: number | null): string {
  return value?.toFixed(4) ?? "—";
}

function signed(value: number | null): string {
  return value === null ? "—" : `${value > 0 ? "+" : ""}${value.toFixed(4)}`;
}

function interval({ interval: range }: MetricDifference): string {
  return range === null ? "—" : `${signed(range.low)} to ${signed(range.high)}`;
}

function table(head: readonly string[], alignment: string, rows: readonly (readonly string[])[]): string {
  const separator = [...alignment].map((side) => (side === "r" ? "---:" : "---"));
  return [head, separator, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** A text of no more than so many bytes of UTF-8, cut behind a line, so that neither a row nor a character is halved. */
function cutToBytes(text: string, limit: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= limit) return text;
  const end = bytes.lastIndexOf(0x0a, Math.max(0, limit - CUT_NOTE.length - 1));
  return new TextDecoder().decode(bytes.subarray(0, end + 1)) + CUT_NOTE;
}
