import { reasonsOf } from "./verdict-lines.js";
import { formatShare, ascending, formatChange, formatP, formatCount } from "../foundation/numbers/index.js";
import { gainOf, type CompareReport, type RunComparison, type ScoreComparison } from "../records/index.js";
import { comparisonWarnings, runFindings, type MovedQuery } from "./ci-findings.js";
import { formatDoubtedPairs } from "./doubted-pairs.js";
import { listFailedRuns } from "./failed-results.js";
import { escapeMarkdown, escapeSentence } from "./escape-markdown.js";
import { markdownBlocks, markdownList, markdownTable } from "./markdown-table.js";
import {
  formatInterval,
  formatScoreOf,
  formatVerdict,
  intervalMethod,
  testFamilies,
} from "./printed-statistics.js";
import { runFactsLine } from "./run-facts-line.js";
import { listRankedHeads, rankRuns } from "./rank-runs.js";
import { renderCorrectedMd, trustMd } from "./trust-md.js";
import { moreRows } from "./more-rows.js";

/** Slices that stand in a report; the others are in the JSON. */
const MOST_SLICES = 12;
const MOST_TO_JUDGE = 10;
const MOST_CHANGED = 5;

/** A comparison of scores as one Markdown document: the verdict on each run first, then the evidence. */
export function renderComparisonMd(comparison: ScoreComparison, maxRows: number): string {
  const [baseline] = comparison.runs;
  const others = comparison.comparisons.map(({ run }) => escapeMarkdown(run));
  const findings = runFindings(comparison);
  const document = markdownBlocks(
    `# Eval compare: ${escapeMarkdown(baseline?.run ?? "")} → ${others.join(", ")}`,
    renderRecorded(comparison),
    comparison.trust == null || comparison.trust.status === "unknown" ? "" : trustMd(comparison.trust),
    rankingSection(comparison),
    renderFailed(comparison),
    ...comparison.comparisons.flatMap((each, index) => [
      verdictSection(each, comparison.comparisons.length > 1),
      renderCorrected(each, comparison),
      metricsTable(each, comparison),
      slicesSection(each, comparison),
      renderMoved("Queries that got worse", findings[index]?.worse ?? [], maxRows),
      renderMoved("Queries that got better", findings[index]?.better ?? [], maxRows),
      judgeNextSection(each),
    ]),
    overlapSection(comparison),
    allPairsSection(comparison),
    settingsLine(comparison),
    comparison.trust?.status === "unknown" ? escapeSentence(comparison.trust.sentence) : "",
    markdownList("Warnings", comparisonWarnings(comparison).map(escapeSentence)),
  );
  return `${document}\n`;
}

/** When and where the runs were recorded, as far as they tell. */
export function renderRecorded({ runs }: ScoreComparison): string {
  const told = runs.flatMap((run) => {
    const facts = runFactsLine(run);
    return facts === "" ? [] : [`${escapeMarkdown(run.run)}: ${escapeMarkdown(facts)}`];
  });
  return told.length === 0 ? "" : `Recorded: ${told.join("; ")}.`;
}

/** The runs that results of failed, and why. */
export function renderFailed(comparison: CompareReport | ScoreComparison): string {
  const runs = listFailedRuns(comparison);
  if (runs.length === 0) return "";
  return markdownBlocks(
    "## Failed results",
    ...runs.flatMap(({ title, reasons }) => [
      escapeMarkdown(title),
      reasons.map((reason) => `- ${escapeSentence(reason)}`).join("\n"),
    ]),
  );
}

/** Several runs, the best first. */
function rankingSection(comparison: ScoreComparison): string {
  if (comparison.comparisons.length < 2) return "";
  const isBoard = comparison.leaderboard != null;
  return markdownBlocks(
    markdownTable(
      listRankedHeads(comparison).map(escapeMarkdown),
      isBoard ? "lrrlrrl" : "lrrrl",
      rankRuns(comparison).map(({ run, cells }) => [escapeMarkdown(run), ...cells]),
    ),
    isBoard ? "Runs of one group are not shown to differ." : "",
  );
}

/** What people's labels make of the differences. */
function renderCorrected({ corrected }: RunComparison, { settings }: ScoreComparison): string {
  return corrected == null
    ? ""
    : markdownBlocks(
        "### Corrected by people's labels",
        renderCorrectedMd(corrected, settings.confidence, formatChange),
      );
}

/** The verdict in a word, a sentence, and the reasons. */
export function verdictSection({ run, verdict }: RunComparison, isOneOfMany: boolean): string {
  const title = `## Verdict: ${formatVerdict(verdict.kind)}${isOneOfMany ? `, ${escapeMarkdown(run)}` : ""}`;
  return markdownBlocks(
    title,
    `**${escapeSentence(verdict.headline)}**`,
    reasonsOf(verdict)
      .map((reason) => `- ${escapeSentence(reason)}`)
      .join("\n"),
  );
}

/** Every metric of one run against the baseline. */
export function metricsTable({ metrics }: RunComparison, { settings }: ScoreComparison): string {
  if (metrics.length === 0) return "";
  const rows = metrics.map((row) => [
    escapeMarkdown(row.metric),
    formatScoreOf(row.mean_a),
    formatScoreOf(row.mean_b),
    formatChange(row.difference),
    formatInterval(row.interval),
    formatP(row.p_adjusted),
    `${row.improved} / ${row.equal} / ${row.worse}`,
    formatScoreOf(row.detectable),
  ]);
  return markdownTable(
    [
      "metric",
      "baseline",
      "run",
      "difference",
      `${formatShare(settings.confidence)} interval`,
      "p, adjusted",
      "better / equal / worse",
      "detectable",
    ],
    "lrrrrrrr",
    rows,
  );
}

/** The slices that lost most, of all labels together. */
export function slicesSection({ slices }: RunComparison, comparison: ScoreComparison): string {
  const metric = comparison.settings.primary ?? "";
  const sign = gainOf(comparison, metric);
  const rows = slices.flatMap(({ by, value, metrics }) =>
    metrics.filter((each) => each.metric === metric).map((each) => ({ by, value, ...each })),
  );
  if (rows.length === 0) return "";
  const gain = ({ difference }: (typeof rows)[number]): number =>
    difference === null ? Infinity : sign * difference;
  const worst = [...rows].sort((x, y) => ascending(gain(x), gain(y))).slice(0, MOST_SLICES);
  const cells = worst.map((row) => [
    escapeMarkdown(`${row.by} = ${row.value}`),
    String(row.pairs),
    formatScoreOf(row.mean_a),
    formatScoreOf(row.mean_b),
    formatChange(row.difference),
    formatInterval(row.interval),
    formatP(row.p_adjusted),
  ]);
  const head = ["slice", "queries", "baseline", "run", "difference", "interval", "p, adjusted"];
  return markdownBlocks(
    `## Slices by ${escapeMarkdown(metric)}, worst first`,
    markdownTable(head, "lrrrrrr", cells),
    moreRows(rows.length - worst.length),
  );
}

/** Queries that moved one way, as many as fit. */
export function renderMoved(title: string, moved: readonly MovedQuery[], maxRows: number): string {
  if (moved.length === 0) return "";
  const rows = moved
    .slice(0, maxRows)
    .map(({ query_id, query, what }) => [query_id, query, what].map(escapeMarkdown));
  return markdownBlocks(
    `## ${title} (${formatCount(moved.length)})`,
    markdownTable(["query id", "query", "what moved"], "lll", rows),
    moreRows(moved.length - rows.length),
  );
}

function judgeNextSection({ judge_next }: RunComparison): string {
  if (judge_next.length === 0) return "";
  const rows = judge_next
    .slice(0, MOST_TO_JUDGE)
    .map(({ query_id, item, rank_a, rank_b, impact }) => [
      escapeMarkdown(query_id),
      escapeMarkdown(item),
      String(rank_a ?? "—"),
      String(rank_b ?? "—"),
      formatChange(impact),
    ]);
  const head = ["query id", "item", "rank in the baseline", "rank in the run", "impact"];
  return markdownBlocks(
    "## Judge next",
    "Unjudged hits whose label could move the difference of their query most.",
    markdownTable(head, "llrrr", rows),
  );
}

/** The rankings that changed most, whatever that did to the scores. */
function overlapSection({ per_query, comparisons }: ScoreComparison): string {
  if (comparisons.length > 1) return "";
  const changed = per_query
    .filter(({ overlap }) => overlap !== null && (overlap[1] ?? 1) < 1)
    .sort((x, y) => (x.overlap?.[1] ?? 1) - (y.overlap?.[1] ?? 1));
  if (changed.length === 0) return "";
  const rows = changed
    .slice(0, MOST_CHANGED)
    .map(({ query_id, query, overlap }) => [
      escapeMarkdown(query_id),
      escapeMarkdown(query ?? ""),
      formatScoreOf(overlap?.[1] ?? null),
    ]);
  return markdownBlocks(
    "## Rankings that changed most",
    "Without regard to judgments: rank-biased overlap with the baseline, 1 for the same ranking. " +
      `${formatCount(changed.length)} of ${formatCount(per_query.length)} changed at all.`,
    markdownTable(["query id", "query", "overlap"], "llr", rows),
  );
}

/** Every run against every other; nothing for two runs. */
export function allPairsSection(comparison: ScoreComparison): string {
  const { all_pairs, settings } = comparison;
  if (all_pairs === null || all_pairs.length === 0) return "";
  const rows = all_pairs.map(({ run_a, run_b, difference, p, p_adjusted, p_tukey, p_randomized_tukey }) => [
    escapeMarkdown(run_b),
    escapeMarkdown(run_a),
    formatChange(difference),
    formatP(p),
    formatP(p_adjusted),
    formatP(p_tukey),
    formatP(p_randomized_tukey),
  ]);
  const head = ["run", "against", "difference", "p", "p, adjusted", "p, Tukey HSD", "p, randomised Tukey"];
  return markdownBlocks(
    `## Every run against every other, by ${escapeMarkdown(settings.primary ?? "")}`,
    markdownTable(head, "llrrrrr", rows),
    escapeSentence(formatDoubtedPairs(comparison)),
  );
}

/** How it was tested, so that it can be done again. */
export function settingsLine(comparison: ScoreComparison): string {
  const { settings } = comparison;
  const draws = settings.test === "randomization" ? `, up to ${settings.permutations} sign flips` : "";
  return (
    `_Tested by the paired ${settings.test} test${draws}, seed ${settings.seed}; ` +
    `${formatShare(settings.confidence)} intervals, ${intervalMethod(comparison)}, ${settings.resamples} ` +
    `resamples; ${escapeMarkdown(testFamilies(comparison))}._`
  );
}
