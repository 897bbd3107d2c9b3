import { countOf, formatCount } from "../foundation/numbers/index.js";
import type {
  ComparisonSettings,
  MetricDifference,
  QueryLabels,
  RunComparison,
  Verdict,
} from "../records/index.js";
import { rowsOf, type AlignedScores } from "./aligned-scores.js";
import { adjustFamilies, metricDifferences } from "./metric-differences.js";
import type { ScoreTable } from "./score-table.js";
import { slicesOf } from "./slices.js";

/** What becomes of the differences without the queries that the baseline has not answered. */
export interface AnsweredByBoth extends Omit<NonNullable<RunComparison["answered_by_both"]>, "decides"> {
  /** How many queries the baseline has not answered. */
  readonly further: number;
}

/**
 * By run the differences over the queries that the baseline answered, too; null or none where there are no
 * others, or where it may have answered these. A query that came into the golden set after the baseline was
 * recorded, or that failed in it, counts as 0 there: it would be a gain whatever the run has changed.
 *
 * @param labels of each query, in the order of the scores.
 * @param differences by run over all queries, which are one family of tests with these.
 * @param how `only`: the labels that slices are wanted by; all unless given.
 */
export function overAnsweredByBoth(
  aligned: AlignedScores,
  tables: readonly ScoreTable[],
  labels: readonly QueryLabels[],
  differences: readonly (readonly MetricDifference[])[],
  how: { readonly settings: ComparisonSettings; readonly only: readonly string[] | undefined },
): (AnsweredByBoth | null)[] {
  if (tables[0]?.notAnswered === undefined) return [];
  const found = differences.map((_, at) => ofRun(aligned, tables, labels, at + 1, how));
  if (found.every((each) => each === null)) return found;
  const adjusted = adjustFamilies(
    found.map((own, at) => own?.metrics ?? (differences[at] as readonly MetricDifference[])),
    how.settings,
  );
  return found.map((own, at) => own && { ...own, metrics: adjusted[at] as MetricDifference[] });
}

function ofRun(
  aligned: AlignedScores,
  tables: readonly ScoreTable[],
  labels: readonly QueryLabels[],
  run: number,
  { settings, only }: Parameters<typeof overAnsweredByBoth>[4],
): AnsweredByBoth | null {
  const without = new Set(tables[0]?.notAnswered);
  const isScored = (row: number): boolean =>
    aligned.columns[0]?.some((column) => !Number.isNaN(column[row])) === true;
  const rows = [...aligned.queryIds.keys()].filter(
    (row) => !(without.has(aligned.queryIds[row] as string) && isScored(row)),
  );
  if (rows.length === aligned.queryIds.length) return null;
  const all = rowsOf(aligned, rows);
  const ofTwo = <T>(each: readonly T[]): T[] => [each[0] as T, each[run] as T];
  const both = {
    ...all,
    columns: ofTwo(all.columns),
    exact: ofTwo(all.exact),
    isAbsent: ofTwo(all.isAbsent),
  };
  const [metrics = []] = metricDifferences(both, settings);
  const ofRows = rows.map((row) => labels[row] as QueryLabels);
  const wanted = only?.filter((by) => ofRows.some((own) => Object.hasOwn(own, by)));
  const [slices = []] = slicesOf(both, ofRows, settings, wanted);
  return {
    queries: aligned.queryIds.filter((id) => !without.has(id)).length,
    metrics,
    slices,
    further: aligned.queryIds.length - rows.length,
  };
}

/** From bad to good. */
const KINDS: readonly Verdict["kind"][] = ["worse", "inconclusive", "equivalent", "better"];

/**
 * The worse one of the verdicts over all queries and over those that the baseline answered; the other one is
 * a reason.
 *
 * @param gains of the primary metric, over all and over both.
 */
export function worseVerdict(
  whole: Verdict,
  both: Verdict,
  { queries, further }: AnsweredByBoth,
  [gain, gainOfBoth]: readonly [number, number],
): { readonly verdict: Verdict; readonly decides: boolean } {
  const kind = both.kind === "not_comparable" ? "inconclusive" : both.kind;
  const [rank, rankOfBoth] = [whole.kind, kind].map((each) => KINDS.indexOf(each)) as [number, number];
  const those = `Over the ${formatCount(queries)} queries that the baseline answered`;
  const ofBoth = `${those}: ${both.headline}`;
  // That the runs are alike rests on queries that both were asked; the others show nothing either way.
  const isSurer = rankOfBoth === rank && gainOfBoth >= gain && kind !== "equivalent";
  if (rankOfBoth > rank || isSurer)
    return { verdict: { ...whole, reasons: [ofBoth, ...whole.reasons] }, decides: false };
  const withAll =
    `With ${countOf(further, "query", "queries")} more, not asked or failed in the baseline, which the ` +
    `tables count as 0 there: ${whole.headline}`;
  return {
    verdict: { ...both, kind, headline: ofBoth, reasons: [withAll, ...both.reasons] },
    decides: true,
  };
}
