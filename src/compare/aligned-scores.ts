import { compareIds } from "../foundation/ids/index.js";
import type { Wordings } from "./wordings.js";
import { hasMetric, type ScoredMetric, type ScoreTable } from "./score-table.js";
import { ownValue } from "../foundation/checks/index.js";
import { worstScore } from "./unanswered-scores.js";

/** The scores of several runs over the same queries. */
export interface AlignedScores {
  /** Every query that any run was scored on, by code point. */
  readonly queryIds: readonly string[];
  /** The metrics that two runs or more have: those of the first in its order, then those of the others. */
  readonly metrics: readonly ScoredMetric[];
  /** By run, then by metric: one score a query; NaN where the run has none. */
  readonly columns: readonly (readonly Float64Array[])[];
  /**
   * By run, then by metric: the mean at 4 decimals over all of the run's own scores, and their number; null
   * where it is not known exactly.
   */
  readonly exact: readonly (readonly (ExactMean | null)[])[];
  /** By run: queries that others were scored on and it was not. */
  readonly absent: readonly (readonly string[])[];
  /** By run, then by query: whether it is one of these. */
  readonly isAbsent: readonly (readonly boolean[])[];
  /** Null where no two queries are wordings of one intent, or nothing is known of it. */
  readonly wordings: Wordings | null;
}

/** A mean that was made of exact fractions. */
export interface ExactMean {
  readonly mean: number;
  readonly count: number;
}

/**
 * Puts the scores of all runs into the same order. A query that a run lacks has the worst score there: that
 * of the metric's range, or of any run where the range has no end. A metric that a run lacks has no score in
 * it, and takes nothing from the others.
 */
export function alignScores(tables: readonly ScoreTable[]): AlignedScores {
  const places = tables.map(({ queryIds }) => new Map(queryIds.map((id, place) => [id, place])));
  const queryIds = [...new Set(tables.flatMap(({ queryIds: ids }) => ids))].sort(compareIds);
  const byName = new Map<string, ScoredMetric>();
  // The card of the first run that has a metric is what the others are held against.
  for (const table of tables)
    for (const metric of table.metrics) if (!byName.has(metric.name)) byName.set(metric.name, metric);
  const metrics = [...byName.values()].filter(
    ({ name }) => tables.filter((table) => hasMetric(table, name)).length > 1,
  );
  const columns = tables.map((table, run) =>
    metrics.map((metric) => {
      const worst = worstScore(tables, metric);
      const column = table.columns[table.metrics.findIndex(({ name }) => name === metric.name)];
      if (column === undefined) return new Float64Array(queryIds.length).fill(NaN);
      return Float64Array.from(queryIds, (id) => {
        const place = places[run]?.get(id);
        return place === undefined ? worst : (column[place] as number);
      });
    }),
  );
  const exact = tables.map(({ means }, run) =>
    metrics.map(({ name }, column) => {
      const mean = ownValue(means, name);
      const isOwn = places[run]?.size === queryIds.length;
      return mean === undefined || !isOwn
        ? null
        : {
            mean,
            count: (columns[run]?.[column] as Float64Array).filter((score) => !Number.isNaN(score)).length,
          };
    }),
  );
  const isAbsent = places.map((known) => queryIds.map((id) => !known.has(id)));
  const absent = isAbsent.map((ofRun) => queryIds.filter((_, row) => ofRun[row]));
  return { queryIds, metrics, columns, exact, absent, isAbsent, wordings: null };
}

/** The rows of some queries only. */
export function rowsOf(aligned: AlignedScores, rows: readonly number[]): AlignedScores {
  return {
    ...aligned,
    exact: aligned.exact.map((run) => run.map(() => null)),
    queryIds: rows.map((row) => aligned.queryIds[row] as string),
    wordings: aligned.wordings && rows.map((row) => aligned.wordings?.[row] ?? null),
    isAbsent: aligned.isAbsent.map((ofRun) => rows.map((row) => ofRun[row] === true)),
    columns: aligned.columns.map((run) =>
      run.map((column) => Float64Array.from(rows, (row) => column[row] as number)),
    ),
  };
}
