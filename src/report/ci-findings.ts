import { InputError, quote } from "../foundation/errors/index.js";
import { checkHas, checkResult } from "./check-result.js";
import { reasonsOf } from "./verdict-lines.js";
import {
  isResult,
  gainOf,
  type CompareReport,
  type GatedRule,
  type GateReport,
  type Outcome,
  type ScoreComparison,
  type VerdictKind,
} from "../records/index.js";
import { ascending, scoreDifference } from "../foundation/numbers/index.js";
import { allWarnings, byMovement, comparisonSummary, rankLine, warningLine } from "./comparison-summary.js";
import { answerChecks } from "./answer-checks.js";
import { oneLine } from "../foundation/text/index.js";
import { formatScoreOf } from "./printed-statistics.js";

/**
 * What a CI job found: what a gate says, the comparison that it is about, or both. Where there is a gate, it
 * decides what fails, and runs that are not comparable do.
 */
export interface CiFindings {
  readonly gate?: GateReport | null | undefined;
  readonly comparison?: CompareReport | ScoreComparison | null | undefined;
}

/** A query that got worse, or better, in words on one line. */
export interface MovedQuery {
  readonly query_id: string;
  /** Empty where its text is unknown. */
  readonly query: string;
  /** `hit→miss`, `nDCG@10 0.8000→0.5000`. */
  readonly what: string;
  /** The same where the metric is known: `0.8000→0.5000`. */
  readonly change: string;
}

/** One run against the baseline, in words on one line each. */
export interface RunFinding {
  /** `after against before` */
  readonly title: string;
  /** Null where nothing was tested. */
  readonly kind: VerdictKind | null;
  readonly headline: string;
  readonly reasons: readonly string[];
  /** The queries that got worse by rank or score, those that fell most first. */
  readonly worse: readonly MovedQuery[];
  /** The queries whose answer got worse, in the order of the golden set. */
  readonly worseAnswers: readonly MovedQuery[];
  /** The queries that got better, those that rose most first. */
  readonly better: readonly MovedQuery[];
}

/** What a comparison comes to, run by run. */
export function runFindings(comparison: CompareReport | ScoreComparison): RunFinding[] {
  if (isResult(comparison, "comparison")) {
    return comparison.comparisons.map(({ run, verdict }, index) => ({
      title: titleOf(run, comparison.runs[0]?.run ?? ""),
      kind: verdict.kind,
      headline: oneLine(verdict.headline),
      reasons: reasonsOf(verdict).map(oneLine),
      worse: listMovedByScore(comparison, index + 1, -1),
      worseAnswers: [],
      better: listMovedByScore(comparison, index + 1, 1),
    }));
  }
  const verdict = comparison.statistics?.comparisons[0]?.verdict;
  const summary = comparisonSummary(comparison);
  return [
    {
      title: titleOf(comparison.run_b, comparison.run_a),
      kind: verdict?.kind ?? null,
      headline: oneLine(verdict?.headline ?? summary),
      reasons: verdict === undefined ? [] : [...reasonsOf(verdict).map(oneLine), rankLine(comparison)],
      worse: listMovedByRank(comparison, ["regression", "loss"]),
      worseAnswers: listWorseAnswers(comparison),
      better: listMovedByRank(comparison, ["win"]),
    },
  ];
}

/** What can mislead in a comparison, a line each. */
export function comparisonWarnings(comparison: CompareReport | ScoreComparison): string[] {
  return (
    isResult(comparison, "comparison") ? comparison.warnings.map(warningLine) : allWarnings(comparison)
  ).map(oneLine);
}

/**
 * Whether a run fails by its verdict: `worse` counts only where no gate decides, and of runs that cannot be
 * compared no gate says anything.
 */
export function isFailure({ kind }: RunFinding, { gate }: CiFindings): boolean {
  return kind === "not_comparable" || (gate == null && kind === "worse");
}

/** Refuses what is none: of a report by itself nothing would fail. @throws InputError `ARGUMENT` */
export function checkFindings(findings: CiFindings): void {
  const what = "`{ gate, comparison }`, or one of them";
  if (typeof findings === "object" && (findings as unknown) !== null && "gate" in findings) {
    const { gate } = findings;
    if (gate != null && !Array.isArray(gate.rules))
      throw new InputError(
        "ARGUMENT",
        `the renderer takes ${what}; the gate is what \`gate\` returned, got ${quote(gate)}`,
      );
  } else checkHas(findings, "comparison", what);
  if (findings.comparison != null)
    checkResult(
      findings.comparison,
      ["report", "comparison"],
      `${what}; the comparison is what compareRuns or another comparison returned`,
    );
}

/** Why a rule passed or did not, and what may mislead in that. */
export function ruleWhy({ why, warning }: GatedRule): string {
  return oneLine(warning === undefined ? why : `${why}. Warning: ${warning}`);
}

/** A rule with the run that it was held against. */
export function ruleTitle({ rule, run }: GatedRule): string {
  return `${oneLine(rule)}${run === null ? "" : ` (${oneLine(run)})`}`;
}

/**
 * How many rules passed, in a sentence.
 *
 * @param areComparable whether the runs could be compared at all; else nothing has passed.
 */
export function gateSummary({ rules, passed }: GateReport, areComparable = true): string {
  if (passed && !areComparable) return "The checks of the gate hold, but the runs are not comparable.";
  if (rules.length === 1)
    return passed ? "The gate passed: its one check holds." : "The gate failed: its one check does not hold.";
  if (passed) return `The gate passed: all ${rules.length} checks hold.`;
  const failed = rules.filter((rule) => !rule.passed).length;
  return `The gate failed: ${failed} of ${rules.length} checks ${failed === 1 ? "does" : "do"} not hold.`;
}

function titleOf(run: string, baseline: string): string {
  return `${oneLine(run)} against ${oneLine(baseline)}`;
}

function listWorseAnswers({ per_query }: CompareReport): MovedQuery[] {
  return per_query.flatMap(({ query_id, query, answer_lost = [] }) => {
    const change = answer_lost.map((check) => answerChecks[check]).join(", ");
    return change === "" ? [] : [{ query_id, query: oneLine(query), what: `answer: ${change}`, change }];
  });
}

/** Every query that got worse once: by rank or score, then those whose answer alone did. */
export function everyWorse({ worse, worseAnswers }: RunFinding): MovedQuery[] {
  const listed = new Set(worse.map(({ query_id }) => query_id));
  return [...worse, ...worseAnswers.filter(({ query_id }) => !listed.has(query_id))];
}

function listMovedByRank({ per_query }: CompareReport, kinds: readonly Outcome[]): MovedQuery[] {
  return kinds
    .flatMap((kind) => byMovement(per_query, kind))
    .map(({ query_id, query, note }) => {
      const change = oneLine(note ?? "miss→hit");
      return { query_id, query: oneLine(query), what: change, change };
    });
}

/**
 * By the primary metric, else the first.
 *
 * @param way -1 for what got worse, 1 for what got better.
 */
function listMovedByScore(comparison: ScoreComparison, run: number, way: 1 | -1): MovedQuery[] {
  const { metrics, settings, per_query } = comparison;
  const metric = settings.primary ?? metrics[0] ?? "";
  const column = metrics.indexOf(metric);
  const sign = gainOf(comparison, metric);
  const leftOut = new Set(comparison.runs[run]?.left_out);
  const all = per_query.flatMap(({ query_id, query, scores, rankings }) => {
    const before = scores[0]?.[column] ?? null;
    const after = scores[run]?.[column] ?? null;
    if (before === null || leftOut.has(query_id) || (after === null && way === 1)) return [];
    const by = after === null ? Infinity : way * sign * scoreDifference(after, before);
    const now = after === null ? "no score" : formatScoreOf(after);
    const change = `${formatScoreOf(before)}→${now}`;
    const what = `${oneLine(metric)} ${change}${rankings?.[run]?.length === 0 ? ", no hits" : ""}`;
    return by > settings.tolerance
      ? [{ by, moved: { query_id, query: oneLine(query ?? ""), what, change } }]
      : [];
  });
  return all.sort((a, b) => ascending(b.by, a.by)).map(({ moved }) => moved);
}
