import type { RunReport } from "../records/index.js";
import { csvField, spreadsheetCell } from "../foundation/text/index.js";

/** What is printed of an evaluation of a run. */
export interface ScoredRunRows {
  readonly name: string;
  readonly evaluation: {
    readonly queryIds: readonly string[];
    /** By metric: a score for each query. */
    readonly columns: readonly ArrayLike<number>[];
    readonly aggregates: readonly { readonly metric: { readonly name: string }; readonly value: number }[];
  };
}

/** The scores of every query of a report on one run, between tabs: the query, the metric, and the score. */
export function renderRunScoreRows({ metrics, per_query }: RunReport): string {
  return per_query
    .flatMap(({ query_id, scores: [scores = []] }) =>
      metrics.flatMap(({ metric }, column) => {
        const score = scores[column] ?? null;
        return score === null ? [] : [rowOf([query_id, metric, score], "\t")];
      }),
    )
    .join("");
}

type Separator = "," | "\t";

/**
 * A line of fields. CSV, which spreadsheets open, quotes what needs it and disarms formulas; between tabs
 * only what would break the line is quoted, for `awk`.
 */
function rowOf(fields: readonly (string | number)[], separator: Separator): string {
  const cells = fields.map((field) =>
    typeof field === "number"
      ? String(field)
      : separator === ","
        ? spreadsheetCell(field)
        : /^"|[\t\r\n]/.test(field)
          ? csvField(field, separator)
          : field,
  );
  return `${cells.join(separator)}\n`;
}

/** How rows are printed. */
export interface EvaluationRowsOptions {
  readonly separator: Separator;
  /** Whether each query has its rows, before those of all. */
  readonly perQuery: boolean;
}

/**
 * Scores in full, a line each: the run where there are several, the query or `all`, the metric, and the
 * score.
 */
export function renderEvaluationRows(
  runs: readonly ScoredRunRows[],
  { separator, perQuery }: EvaluationRowsOptions,
): string {
  const lines: string[] = [];
  for (const { name, evaluation } of runs) {
    const { queryIds, columns, aggregates } = evaluation;
    const line = (...fields: readonly (string | number)[]): void =>
      void lines.push(rowOf([...(runs.length > 1 ? [name] : []), ...fields], separator));
    if (perQuery)
      queryIds.forEach((query, row) =>
        aggregates.forEach(({ metric }, column) =>
          line(query, metric.name, columns[column]?.[row] as number),
        ),
      );
    for (const { metric, value } of aggregates) line("all", metric.name, value);
  }
  return lines.join("");
}
