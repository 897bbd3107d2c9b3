import { groupBy } from "../foundation/columns/index.js";
import { countOf } from "../foundation/numbers/index.js";
import { queryWarning, type GivenWarning } from "../records/index.js";
import type { AlignedScores } from "./aligned-scores.js";
import { roundMean } from "./metric-differences.js";

/** Of the queries of the run that has fewest. */
const MOST_UNEVEN = 0.1;

/** A metric that runs have for different queries. */
interface UnevenMetric {
  readonly name: string;
  readonly column: number;
  /** By run: the rows of the queries that it has a score for. */
  readonly scored: readonly (readonly number[])[];
  /** The rows that only some have. */
  readonly uneven: readonly number[];
}

/** Queries that a run was not scored on at all are told elsewhere. */
function unevenMetrics(
  { metrics, columns, queryIds, isAbsent }: AlignedScores,
  runs: readonly number[],
): UnevenMetric[] {
  const rows = [...queryIds.keys()].filter((row) => !runs.some((run) => isAbsent[run]?.[row]));
  return metrics.flatMap(({ name }, column) => {
    const has = (run: number, row: number): boolean => !Number.isNaN(columns[run]?.[column]?.[row]);
    const scored = runs.map((run) => rows.filter((row) => has(run, row)));
    const uneven = rows.filter((row) => runs.some((run) => has(run, row) !== has(runs[0] as number, row)));
    const fewest = Math.min(...scored.map(({ length }) => length));
    // A run that has none of it is seen to have none.
    return fewest > 0 && uneven.length > MOST_UNEVEN * fewest ? [{ name, column, scored, uneven }] : [];
  });
}

/**
 * Warns of metrics that runs have for different queries, such as those of answers where a run gives few: its
 * mean says nothing of the others.
 */
export function warnOfUnevenScores(aligned: AlignedScores, runs: readonly string[]): GivenWarning[] {
  const found = unevenMetrics(aligned, [...runs.keys()]).map(({ name, scored, uneven }) => ({
    name,
    counts: scored.map(({ length }, run) => `${countOf(length, "query")} in ${runs[run] ?? ""}`).join(", "),
    uneven: uneven.map((row) => aligned.queryIds[row] as string),
  }));
  // Queries that are left out of all metrics are told once.
  return [...groupBy(found, ({ counts }) => counts)].flatMap(([counts, [first, ...more]]) =>
    queryWarning(
      "UNEVEN_SCORES",
      `${first?.name ?? ""}${more.length === 0 ? " has" : ` and ${more.length} more have`} a score for ` +
        `${counts}: a mean says nothing of the others`,
      first?.uneven ?? [],
    ),
  );
}

/** The means of the baseline and of a run over the queries that each has a score for. */
export interface OwnMeans {
  readonly a: number;
  readonly b: number;
}

/**
 * By metric: the own means of the baseline and a run, where it has no score for many queries that the
 * baseline has one for. Their difference cannot be tested.
 */
export function meansWithLost(aligned: AlignedScores, run: number): ReadonlyMap<string, OwnMeans> {
  return new Map(
    unevenMetrics(aligned, [0, run]).flatMap(({ name, column, scored: [ofA = [], ofB = []] }) => {
      const [a = [], b = []] = [0, run].map((of) => aligned.columns[of]?.[column]);
      const mean = (scores: ArrayLike<number>, rows: readonly number[]): number =>
        roundMean(Float64Array.from(rows, (row) => scores[row] as number)) as number;
      const isLost = ofA.filter((row) => Number.isNaN(b[row])).length > MOST_UNEVEN * ofB.length;
      return isLost ? [[name, { a: mean(a, ofA), b: mean(b, ofB) }]] : [];
    }),
  );
}
