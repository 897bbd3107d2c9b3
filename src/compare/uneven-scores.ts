import { groupBy } from "../foundation/columns/index.js";
import { countOf } from "../foundation/numbers/index.js";
import { queryWarning, type GivenWarning } from "../records/index.js";
import type { AlignedScores } from "./aligned-scores.js";
import { mean } from "../stats/index.js";
import { standardDeviation, studentAbove } from "../stats/internal.js";
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

/** What became of a metric of which a run has lost many scores. */
export interface LostScores {
  /** The mean of the baseline, and of the run, over the queries that each has a score for. */
  readonly a: number;
  readonly b: number;
  /** How often chance alone would lose queries that did so much better in the baseline. */
  readonly p: number;
}

/** By metric: of the scores that the baseline has and a run has not, where these are many. */
export function findLostScores(aligned: AlignedScores, run: number): ReadonlyMap<string, LostScores> {
  return new Map(
    unevenMetrics(aligned, [0, run]).flatMap(({ name, column, scored: [ofA = [], ofB = []] }) => {
      const [a = [], b = []] = [0, run].map((of) => aligned.columns[of]?.[column]);
      const scores = (of: ArrayLike<number>, rows: readonly number[]): Float64Array =>
        Float64Array.from(rows, (row) => of[row] as number);
      const lost = ofA.filter((row) => Number.isNaN(b[row]));
      if (lost.length <= MOST_UNEVEN * ofB.length) return [];
      const kept = ofA.filter((row) => !Number.isNaN(b[row]));
      const sign = aligned.metrics[column]?.card.higher_is_better === false ? -1 : 1;
      const p = chanceOfMore(scores(a, lost), scores(a, kept), sign);
      return [[name, { a: roundMean(scores(a, ofA)) ?? 0, b: roundMean(scores(b, ofB)) ?? 0, p }]];
    }),
  );
}

/**
 * Whether the mean of some scores is better than that of others by chance: Welch's t test, one-sided; 1 where
 * there are too few to tell. Welch (1947), doi:10.1093/biomet/34.1-2.28.
 */
function chanceOfMore(some: Float64Array, others: Float64Array, sign: 1 | -1): number {
  if (Math.min(some.length, others.length) < 2) return 1;
  const difference = sign * (mean(some) - mean(others));
  const [v, w] = [some, others].map((of) => standardDeviation(of) ** 2 / of.length) as [number, number];
  if (v + w === 0) return difference > 0 ? 0 : 1;
  const degrees = (v + w) ** 2 / (v ** 2 / (some.length - 1) + w ** 2 / (others.length - 1));
  return studentAbove(difference / Math.sqrt(v + w), degrees);
}
