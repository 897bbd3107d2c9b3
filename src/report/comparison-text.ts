import { checkResult } from "./check-result.js";
import {
  isTold,
  signOfGain,
  metricCardOf,
  type RunComparison,
  type ScoreComparison,
} from "../records/index.js";
import { formatShare, formatChange, formatP, formatCount } from "../foundation/numbers/index.js";
import { runFindings } from "./ci-findings.js";
import { formatDoubtedPairs } from "./doubted-pairs.js";
import { printFailed, listFailedRuns } from "./failed-results.js";
import { oneLine } from "../foundation/text/index.js";
import { formatInterval, testFamilies, formatScoreOf } from "./printed-statistics.js";
import { runFactsLine } from "./run-facts-line.js";
import { listRankedHeads, rankRuns } from "./rank-runs.js";
import { clipQuery, columns, plain, type TextOptions } from "./text.js";
import { listCorrectedHeads, listCorrectedRows } from "./trust-rows.js";
import { verdictLines } from "./verdict-lines.js";

const MOST_ROWS = 5;

/**
 * A comparison of scores for a terminal: the verdict on each run, its metrics, the slices and queries that
 * lost most.
 */
export function renderComparisonText(
  comparison: ScoreComparison,
  { paint = plain, maxRows = MOST_ROWS }: TextOptions = {},
): string {
  checkResult(comparison, ["comparison"], "what compareSystems or another comparison of several returned");
  const { runs, comparisons, settings } = comparison;
  const findings = runFindings(comparison);
  const blocks = comparisons.map(({ run, verdict, metrics, slices }, index) => {
    const table = columns(
      [
        "metric",
        "baseline",
        "run",
        "difference",
        `${formatShare(settings.confidence)} interval`,
        "p, adjusted",
        "better",
        "equal",
        "worse",
      ],
      metrics.map((row) => [
        oneLine(row.metric),
        formatScoreOf(row.mean_a),
        formatScoreOf(row.mean_b),
        formatChange(row.difference),
        formatInterval(row.interval),
        formatP(row.p_adjusted),
        ...[row.improved, row.equal, row.worse].map(String),
      ]),
    );
    const coloured = table.map((line, at) => {
      const row = metrics[at - 1];
      if (row === undefined) return paint(line, "quiet");
      const gain = signOfGain(row, metricCardOf(comparison, row.metric).higher_is_better);
      return isTold(row, settings, gain) ? paint(line, gain > 0 ? "good" : "bad") : line;
    });
    const sliceRows = slices.flatMap((slice) => rowsOfSlice(slice, settings.primary));
    const moved = printMoved(findings[index], maxRows, paint);
    return [
      `${oneLine(run)} against ${oneLine(runs[0]?.run ?? "")}`,
      ...[runs[0], runs[index + 1]].flatMap((each) => {
        const facts = each === undefined ? "" : runFactsLine(each);
        return facts === "" ? [] : [paint(`  ${oneLine(each?.run ?? "")}: ${facts}`, "quiet")];
      }),
      ...verdictLines(verdict, paint),
      ...printCorrected(comparison, index, paint),
      "",
      ...coloured,
      paint(oneLine(testFamilies(comparison)), "quiet"),
      ...(sliceRows.length === 0
        ? []
        : ["", ...columns(["slice", "queries", "baseline", "run", "difference", "p, adjusted"], sliceRows)]),
      ...(moved.length === 0 ? [] : ["", ...moved]),
      "",
    ].join("\n");
  });
  const failed = printFailed(listFailedRuns(comparison)).map((line) => `${line}\n`);
  return [...ranking(comparison, paint), failed.join(""), ...blocks, ...formatAllPairs(comparison)]
    .filter((block) => block !== "")
    .join("\n");
}

/** A slice's differences of the primary metric. */
function rowsOfSlice(
  { by, value, metrics }: RunComparison["slices"][number],
  primary: string | null,
): string[][] {
  return metrics
    .filter(({ metric }) => metric === primary)
    .map((row) => [
      oneLine(`${by} = ${value}`),
      String(row.pairs),
      formatScoreOf(row.mean_a),
      formatScoreOf(row.mean_b),
      formatChange(row.difference),
      formatP(row.p_adjusted),
    ]);
}

/** The queries that lost most, then those that gained most. */
function printMoved(
  findings: ReturnType<typeof runFindings>[number] | undefined,
  maxRows: number,
  paint: NonNullable<TextOptions["paint"]>,
): string[] {
  return (["worse", "better"] as const).flatMap((way) => {
    const all = findings?.[way] ?? [];
    const shown = all
      .slice(0, maxRows)
      .map(({ query_id, query, what }) =>
        (
          `${paint(way.padEnd(6), way === "worse" ? "bad" : "good")}  ${oneLine(query_id)}  ${what}  ` +
          `${paint(clipQuery(query), "quiet")}`
        ).trimEnd(),
      );
    return all.length > shown.length
      ? [...shown, paint(`        and ${formatCount(all.length - shown.length)} more`, "quiet")]
      : shown;
  });
}

/** What people's labels make of the differences; else that nothing is known of who judged. */
function printCorrected(
  { comparisons, trust, settings }: ScoreComparison,
  index: number,
  paint: NonNullable<TextOptions["paint"]>,
): string[] {
  const corrected = comparisons[index]?.corrected ?? null;
  if (corrected === null) return trust?.status === "unknown" ? [paint(`  ${trust.sentence}`, "quiet")] : [];
  const [head = "", ...rows] = columns(
    listCorrectedHeads(settings.confidence),
    listCorrectedRows(corrected, formatChange),
  );
  return ["", paint(head, "quiet"), ...rows.map((row) => row.trimEnd())];
}

/** Several runs in a table, the best mean of the primary metric first. */
function ranking(comparison: ScoreComparison, paint: NonNullable<TextOptions["paint"]>): string[] {
  if (comparison.comparisons.length < 2) return [];
  const [head = "", ...lines] = columns(
    listRankedHeads(comparison),
    rankRuns(comparison).map(({ run, cells }) => [oneLine(run), ...cells]),
  );
  const note =
    comparison.leaderboard == null ? [] : [paint("runs of one group are not shown to differ", "quiet")];
  return [[paint(head, "quiet"), ...lines, ...note, ""].join("\n")];
}

function formatAllPairs(comparison: ScoreComparison): string[] {
  const { all_pairs, settings } = comparison;
  if (all_pairs === null || all_pairs.length === 0) return [];
  const rows = all_pairs.map(({ run_a, run_b, difference, p, p_adjusted, p_tukey, p_randomized_tukey }) => [
    oneLine(`${run_b} against ${run_a}`),
    formatChange(difference),
    formatP(p),
    formatP(p_adjusted),
    formatP(p_tukey),
    formatP(p_randomized_tukey),
  ]);
  return [
    [
      ...columns(
        [
          `all pairs by ${oneLine(settings.primary ?? "")}`,
          "difference",
          "p",
          "p, adjusted",
          "Tukey",
          "randomised Tukey",
        ],
        rows,
      ),
      ...[formatDoubtedPairs(comparison)].filter(Boolean),
      "",
    ].join("\n"),
  ];
}
