import { countOf, formatCount } from "../foundation/numbers/index.js";
import type { ComparisonSettings, MetricDifference, Verdict } from "../records/index.js";
import { rowsOf, type AlignedScores } from "./aligned-scores.js";
import { metricDifferences } from "./metric-differences.js";
import type { ScoreTable } from "./score-table.js";

/** What becomes of the differences without the queries that only the run has a result of. */
export interface AnsweredByBoth {
  /** Their p values are not adjusted. */
  readonly differences: MetricDifference[];
  readonly queries: number;
  /** How many queries the baseline has no result of and the run has. */
  readonly further: number;
}

/**
 * The differences of a run over the queries that the baseline has a result of, too; null where there are no
 * others. A query that came into the golden set after the baseline was recorded counts as 0 there: it would
 * be a gain whatever the run has changed.
 */
export function overAnsweredByBoth(
  aligned: AlignedScores,
  tables: readonly ScoreTable[],
  run: number,
  settings: ComparisonSettings,
): AnsweredByBoth | null {
  const [ofBaseline, ofRun] = [0, run].map((at) => new Set(tables[at]?.unanswered)) as [
    Set<string>,
    Set<string>,
  ];
  const isScored = (row: number): boolean =>
    aligned.columns[0]?.some((column) => !Number.isNaN(column[row])) === true;
  const rows = [...aligned.queryIds.keys()].filter((row) => {
    const id = aligned.queryIds[row] as string;
    return !(ofBaseline.has(id) && !ofRun.has(id) && isScored(row));
  });
  if (rows.length === aligned.queryIds.length) return null;
  const both = rowsOf(aligned, rows);
  const ofTwo = <T>(byRun: readonly T[]): T[] => [byRun[0] as T, byRun[run] as T];
  const [differences = []] = metricDifferences(
    { ...both, columns: ofTwo(both.columns), exact: ofTwo(both.exact), isAbsent: ofTwo(both.isAbsent) },
    settings,
  );
  return { differences, queries: rows.length, further: aligned.queryIds.length - rows.length };
}

/** From bad to good. */
const KINDS: readonly Verdict["kind"][] = ["worse", "inconclusive", "equivalent", "better"];

/** The worse one of the verdicts over all queries and over those that both runs have a result of. */
export function worseVerdict(
  whole: Verdict,
  both: Verdict,
  { queries, further }: Pick<AnsweredByBoth, "queries" | "further">,
): Verdict {
  const kind = both.kind === "not_comparable" ? "inconclusive" : both.kind;
  if (KINDS.indexOf(kind) >= KINDS.indexOf(whole.kind)) return whole;
  return {
    ...both,
    kind,
    headline:
      `Over the ${formatCount(queries)} queries that the baseline has a result of: ${both.headline} ` +
      `With ${countOf(further, "query", "queries")} more, of which it has none: ${whole.headline}`,
  };
}
