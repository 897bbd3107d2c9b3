import { ownValue } from "../foundation/checks/index.js";
import {
  isTold,
  signOfGain,
  gainOf,
  metricCardOf,
  type ComparisonSettings,
  type ScoreComparison,
} from "../records/index.js";
import { ascending } from "../foundation/numbers/index.js";
import { corrections, pairedTests } from "../stats/index.js";
import type { NamedEvaluation } from "./evaluation-text.js";
import { formatScoreOf, formatMean } from "./printed-statistics.js";

/** A score as a table shows it. */
export interface BoardScore {
  readonly mean: number | null;
  readonly printed: string;
  /** Whether no other run has a better one. */
  readonly isBest: boolean;
  /** `ab`: runs that share a letter are not shown to differ; empty where nothing was tested. */
  readonly groups: string;
  readonly interval: { readonly low: number; readonly high: number } | null;
}

/** Runs by metrics, with what a reader of a table must know. */
export interface ScoreBoard {
  readonly metrics: readonly string[];
  readonly rows: readonly { readonly run: string; readonly scores: readonly BoardScore[] }[];
  /** What letters mean; empty where there are none. */
  readonly note: string;
}

/** The runs of a comparison beside each other, in their order. */
export function boardOfComparison(comparison: ScoreComparison): ScoreBoard {
  const { runs, metrics, leaderboard } = comparison;
  const groups = leaderboard == null ? groupsOfTwo(comparison) : null;
  return {
    metrics,
    rows: markBest(
      runs.map(({ run, means }, at) => ({
        run,
        scores: metrics.map((metric, column) => {
          const score = leaderboard?.[at]?.scores[column];
          const mean = score?.mean ?? ownValue(means, metric) ?? null;
          return {
            mean,
            printed: formatScoreOf(mean),
            groups: (score?.groups ?? groups?.[at]?.[column] ?? []).join(""),
            interval: score?.interval ?? null,
          };
        }),
      })),
      metrics.map((metric) => gainOf(comparison, metric)),
    ),
    note: comparisonNote(comparison),
  };
}

/** How the letters of evaluations were made. */
export interface BoardLetters {
  readonly leaderboard: NonNullable<ScoreComparison["leaderboard"]>;
  readonly settings: Pick<ComparisonSettings, "correction" | "alpha">;
}

/** Evaluations beside each other, in their order; with letters where they are given. */
export function boardOfEvaluations(
  evaluations: readonly NamedEvaluation[],
  letters: BoardLetters | null,
): ScoreBoard {
  const [first] = evaluations;
  const metrics = Object.keys(first?.record.metrics ?? {});
  return {
    metrics,
    rows: markBest(
      evaluations.map(({ name, record }, at) => ({
        run: name,
        scores: metrics.map((metric) => {
          const mean = ownValue(record.metrics, metric) ?? null;
          const score = letters?.leaderboard[at]?.scores.find((each) => each.metric === metric);
          return {
            mean,
            printed: formatMean({ metric, mean }, record),
            groups: score?.groups?.join("") ?? "",
            interval: null,
          };
        }),
      })),
      first === undefined ? [] : metrics.map((metric) => gainOf(first.record, metric)),
    ),
    note:
      letters === null
        ? ""
        : noteOf(evaluations.length, letters.leaderboard, pairedTests.t.label, letters.settings),
  };
}

interface UnmarkedRow {
  readonly run: string;
  readonly scores: readonly Omit<BoardScore, "isBest">[];
}

/** With the best of each metric marked; means have the digits that are shown. */
function markBest(rows: readonly UnmarkedRow[], gains: readonly (1 | -1)[]): ScoreBoard["rows"] {
  const best = gains.map((gain, column) => {
    const means = rows.flatMap(({ scores }) => scores[column]?.mean ?? []);
    const sorted = means.sort(ascending);
    return gain === -1 ? sorted[0] : sorted.at(-1);
  });
  return rows.map(({ run, scores }) => ({
    run,
    scores: scores.map((score, column) => ({
      ...score,
      isBest: rows.length > 1 && score.mean !== null && score.mean === best[column],
    })),
  }));
}

/** Of two runs a metric has one letter, or two where the difference is significant. */
function groupsOfTwo(comparison: ScoreComparison): string[][][] {
  const { comparisons, metrics, settings } = comparison;
  const rows = metrics.map((metric) => {
    const row = comparisons[0]?.metrics.find((each) => each.metric === metric);
    if (row?.difference == null) return [[], []];
    const gain = signOfGain(row, metricCardOf(comparison, metric).higher_is_better);
    if (!isTold(row, settings, gain)) return [["a"], ["a"]];
    return gain > 0 ? [["b"], ["a"]] : [["a"], ["b"]];
  });
  return [0, 1].map((run) => rows.map((row) => row[run] as string[]));
}

/** Said of a comparison: verdicts have another family of tests than letters. */
function comparisonNote({ runs, leaderboard, settings }: ScoreComparison): string {
  const test = pairedTests[settings.test].label;
  const others =
    runs.length > 2 && settings.test !== "t"
      ? `${test}; by ${pairedTests.t.label} for all but the primary metric`
      : test;
  const note = noteOf(runs.length, leaderboard, others, settings);
  return runs.length > 2 && settings.correction !== "none"
    ? `${note} Verdicts are adjusted over the comparisons with the baseline only, so that a run can be ` +
        "better than the baseline and share a letter with it."
    : note;
}

/** What letters mean, and what the best looks like. */
function noteOf(
  runs: number,
  leaderboard: ScoreComparison["leaderboard"],
  test: string,
  { correction, alpha }: Pick<ComparisonSettings, "correction" | "alpha">,
): string {
  if (runs < 2) return "";
  const adjusted =
    correction === "none"
      ? "not adjusted"
      : `${corrections[correction].label}${runs > 2 ? " over all pairs" : ""}`;
  const isCut = leaderboard?.some(({ scores }) => scores.some(({ groups }) => groups === null)) === true;
  return (
    `In a column, runs that share a letter are not shown to differ (${test}, ${adjusted}, ` +
    `alpha ${alpha}); the best is in bold.` +
    (isCut ? " A column without letters has more groups than there are letters." : "")
  );
}

/** The rows of a board, the best by a metric first. */
export function rankRows(
  { metrics, rows }: ScoreBoard,
  metric: string | null,
  gain: 1 | -1,
): readonly { readonly row: ScoreBoard["rows"][number]; readonly at: number }[] {
  const column = metrics.indexOf(metric ?? "");
  const worth = (at: number): number => {
    const mean = rows[at]?.scores[column]?.mean ?? null;
    return mean === null ? Infinity : -gain * mean;
  };
  return rows
    .map((row, at) => ({ row, at }))
    .sort((x, y) => ascending(worth(x.at), worth(y.at)) || x.at - y.at);
}
