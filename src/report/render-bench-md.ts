import { checkResult } from "./check-result.js";
import { countOf, formatChange, formatP, formatShare } from "../foundation/numbers/index.js";
import type { BenchReport } from "../records/index.js";
import { benchSettings } from "./bench-settings.js";
import { runFindings } from "./ci-findings.js";
import {
  CHECKLIST,
  checklistNote,
  decisionWords,
  NO_DECISION,
  promotionInWords,
  ruleInWords,
} from "./decision-words.js";
import { escapeMarkdown, escapeSentence } from "./escape-markdown.js";
import { listFailedCases } from "./list-failed-cases.js";
import { findLostByFusion } from "./find-lost-by-fusion.js";
import { markdownBlocks, markdownList, markdownTable } from "./markdown-table.js";
import { intervalShare, modeRows, typeRows, type Gain } from "./mode-rows.js";
import { formatMilliseconds } from "./format-milliseconds.js";
import { formatInterval, formatScoreOf, formatVerdict } from "./printed-statistics.js";
import { allPairsSection, metricsTable, renderMoved, settingsLine } from "./render-comparison-md.js";
import { tierRows } from "./tier-rows.js";
import { moreRows } from "./more-rows.js";

/** How the report of a benchmark is written. */
export interface BenchMdOptions {
  /** Most rows of each table of queries. Default 10; what is left out is counted. */
  readonly maxRows?: number | undefined;
}

const MOST_ROWS = 10;
/** Query types that stand in a report; the others are in the JSON. */
const MOST_TYPES = 20;

/**
 * A benchmark as one Markdown document for people. What was decided, by what, and what is left to do come
 * first, then the evidence. Text from data cannot break it.
 */
export function renderBenchMd(report: BenchReport, { maxRows = MOST_ROWS }: BenchMdOptions = {}): string {
  checkResult(report, ["bench"], "what runBench returned");
  const { fixture, comparison, warnings } = report;
  const messages = [...warnings, ...(comparison?.warnings ?? [])].map(({ message }) => message);
  const document = markdownBlocks(
    `# Evidence benchmark: ${escapeMarkdown(fixture.name)}`,
    decisionSection(report),
    modesTable(report),
    tiersTable(report),
    rollbackLine(report),
    checklistSection(report),
    typesSection(report),
    samplingSection(report),
    failuresSection(report, maxRows),
    ...comparisonSections(report, maxRows),
    renderLost(report, maxRows),
    settingsSection(report),
    comparison === null ? "" : settingsLine(comparison),
    markdownList("Warnings", [...new Set(messages)].map(escapeSentence)),
  );
  return `${document}\n`;
}

/** What was decided, in a word, a sentence, and why. */
function decisionSection({ decision }: BenchReport): string {
  if (decision === null) return `## No decision\n\n**${NO_DECISION}**`;
  const reasons = decision.reasons.map((reason) => `- ${escapeSentence(reason)}`).join("\n");
  return markdownBlocks(
    `## Decision: ${escapeMarkdown(decisionWords(decision))}`,
    `**${escapeSentence(decision.headline)}**`,
    reasons,
    ruleInWords(decision),
  );
}

function modesTable(report: BenchReport): string {
  const k = report.settings.top_k ?? "k";
  const share = intervalShare(report);
  const rows = modeRows(report).map((row) => [
    escapeMarkdown(row.mode),
    formatScoreOf(row.recall),
    formatScoreOf(row.mrr),
    formatScoreOf(row.ndcg),
    ...(share === null ? [] : row.isBaseline ? ["baseline", ""] : gainCells(row.gain)),
    formatScoreOf(row.hitRate),
    formatMilliseconds(row.meanLatency),
    `${formatMilliseconds(row.p95Latency)}${row.isWithinBudget ? "" : ", over the budget"}`,
  ]);
  const head = [
    "mode",
    `recall@${k}`,
    `MRR@${k}`,
    `nDCG@${k}`,
    ...(share === null ? [] : ["nDCG against fts_only", `${formatShare(share)} interval`]),
    "hit rate",
    "mean latency",
    "p95 latency",
  ];
  return markdownTable(head, `l${"r".repeat(head.length - 1)}`, rows);
}

function gainCells(gain: Gain | null): [difference: string, interval: string] {
  return [formatChange(gain?.difference ?? null), formatInterval(gain?.interval ?? null)];
}

/** The two tiers side by side. */
function tiersTable(report: BenchReport): string {
  const k = report.settings.top_k ?? "k";
  const rows = tierRows(report).map(({ offline, live, difference, p }) => [
    escapeMarkdown(offline.mode),
    formatScoreOf(offline.ndcg),
    formatScoreOf(live.ndcg),
    formatChange(difference),
    formatP(p),
    `${formatScoreOf(offline.recall)} → ${formatScoreOf(live.recall)}`,
    `${formatScoreOf(offline.hitRate)} → ${formatScoreOf(live.hitRate)}`,
    `${formatMilliseconds(offline.p95Latency)} → ${formatMilliseconds(live.p95Latency)}`,
  ]);
  if (rows.length === 0) return "";
  const head = [
    "mode",
    `nDCG@${k} offline`,
    `nDCG@${k} live`,
    "difference",
    "p, adjusted",
    `recall@${k}`,
    "hit rate",
    "p95 latency",
  ];
  return markdownBlocks(
    "**Does the live provider beat the offline vectors?**",
    markdownTable(head, "lrrrrrrr", rows),
  );
}

function rollbackLine({ decision }: BenchReport): string {
  return decision === null ? "" : `**Rollback.** ${escapeSentence(decision.rollback)}`;
}

function checklistSection(report: BenchReport): string {
  const rows = report.checklist.map((item) => [
    item.is_done ? "✅ done" : "❌ open",
    CHECKLIST[item.item],
    escapeSentence(checklistNote(item)),
  ]);
  return markdownBlocks(
    "## Before embeddings are promoted",
    `**${promotionInWords(report)}**`,
    markdownTable(["", "item", "what there is, or what to do"], "lll", rows),
  );
}

function typesSection(report: BenchReport): string {
  const types = typeRows(report);
  if (types.length === 0) return "";
  const k = report.settings.top_k ?? "k";
  const isCompared = report.comparison !== null;
  const rows = types
    .slice(0, MOST_TYPES)
    .flatMap(({ type, cases, rows: modes }) =>
      modes.map((row, index) => [
        index === 0 ? escapeMarkdown(type) : "",
        index === 0 ? String(cases) : "",
        escapeMarkdown(row.mode),
        formatScoreOf(row.ndcg),
        ...(isCompared ? (row.isBaseline ? ["", ""] : gainCells(row.gain)) : []),
        formatScoreOf(row.recall),
        formatScoreOf(row.mrr),
        formatScoreOf(row.hitRate),
      ]),
    );
  const head = [
    "query type",
    "cases",
    "mode",
    `nDCG@${k}`,
    ...(isCompared ? ["against fts_only", "interval"] : []),
    `recall@${k}`,
    `MRR@${k}`,
    "hit rate",
  ];
  return markdownBlocks(
    "## By query type",
    markdownTable(head, `lrl${"r".repeat(head.length - 3)}`, rows),
    moreRows(types.length - MOST_TYPES),
  );
}

function samplingSection({ sampling }: BenchReport): string {
  if (sampling === null) return "";
  const rows = sampling.modes.map(({ mode, grounded, broad, miss, empty }) => [
    escapeMarkdown(mode),
    ...[grounded, broad, miss, empty].map(String),
  ]);
  return markdownBlocks(
    "## Manual sampling",
    `**${escapeSentence(sampling.headline)}**`,
    markdownTable(["mode", "grounded", "broad", "miss", "empty"], "lrrrr", rows),
    `${countOf(sampling.hits, "labelled hit")} of ${countOf(sampling.queries, "query")}.`,
  );
}

function failuresSection(report: BenchReport, maxRows: number): string {
  const failed = listFailedCases(report);
  if (failed.length === 0) return "";
  const rows = failed
    .slice(0, maxRows)
    .map(({ mode, case_id, error }) => [mode, case_id, error].map((text) => escapeMarkdown(text)));
  return markdownBlocks(
    `## Cases that failed (${failed.length})`,
    "Nothing was found for them, and they are scored so.",
    markdownTable(["mode", "case", "error"], "lll", rows),
    moreRows(failed.length - maxRows),
  );
}

/** Every mode against the baseline: the statistics, and the queries that moved. */
function comparisonSections({ comparison }: BenchReport, maxRows: number): string[] {
  if (comparison === null) return [];
  const findings = runFindings(comparison);
  const runs = comparison.comparisons.flatMap((each, index) => {
    const { title = "", headline = "", worse = [], better = [] } = findings[index] ?? {};
    const mode = escapeMarkdown(each.run);
    return [
      `## ${escapeMarkdown(title)}: ${formatVerdict(each.verdict.kind)}`,
      `**${escapeSentence(headline)}**`,
      metricsTable(each, comparison),
      renderMoved(`Worse with ${mode}`, worse, maxRows),
      renderMoved(`Better with ${mode}`, better, maxRows),
    ];
  });
  return [...runs, allPairsSection(comparison)];
}

function renderLost({ comparison }: BenchReport, maxRows: number): string {
  const lost = comparison === null ? [] : findLostByFusion(comparison);
  if (lost.length === 0) return "";
  const rows = lost
    .slice(0, maxRows)
    .map(({ mode, query_id, query, item, grade, rank, had }) => [
      ...[mode, query_id, query ?? "", item].map((text) => escapeMarkdown(text)),
      String(grade),
      escapeMarkdown(had.map(({ channel, rank: place }) => `${channel} ${place}`).join(", ")),
      String(rank ?? "—"),
    ]);
  const head = ["mode", "query id", "query", "item", "grade", "rank in the parts", "fused rank"];
  return markdownBlocks(
    `## Lost by fusion (${lost.length})`,
    "Relevant items that a part of the mode had within the cutoff, and the fused list has not.",
    markdownTable(head, "llllrlr", rows),
    moreRows(lost.length - maxRows),
  );
}

function settingsSection(report: BenchReport): string {
  const modes = report.modes.map(({ mode, tier, embedding_model, description }) => [
    escapeMarkdown(mode),
    tier === "offline" ? "offline" : "live",
    escapeMarkdown(embedding_model ?? "—"),
    escapeSentence(description),
  ]);
  const settings = benchSettings(report).map(([name, value]) => [name, escapeMarkdown(value)]);
  return markdownBlocks(
    "## Modes and settings",
    escapeSentence(report.fixture.description),
    markdownTable(["mode", "tier", "embedding model", "what it is"], "llll", modes),
    markdownTable(["setting", "value"], "ll", settings),
  );
}
