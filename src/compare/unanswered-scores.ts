import { isWorstZero, worstEnd, type ScoreTable } from "./score-table.js";

/**
 * Tables in which a query without a result has the worst score also by a metric that would reward it:
 * nothing that comes back is unjudged, or costs anything.
 */
export function punishUnanswered(tables: readonly ScoreTable[]): readonly ScoreTable[] {
  return tables.map((table) => {
    const unanswered = new Set(table.unanswered);
    const isRewarded = table.metrics.map(({ card }) => unanswered.size > 0 && !isWorstZero(card));
    if (!isRewarded.includes(true)) return table;
    const { means } = table;
    return {
      ...table,
      columns: table.columns.map((column, at) => {
        if (isRewarded[at] !== true) return column;
        const worst = worstScore(tables, table.metrics[at] as ScoreTable["metrics"][number]);
        return Float64Array.from(table.queryIds, (id, row) => {
          const score = column[row] as number;
          return unanswered.has(id) && !Number.isNaN(score) ? worst : score;
        });
      }),
      means:
        means &&
        Object.fromEntries(
          Object.entries(means).filter(
            ([name]) => isRewarded[table.metrics.findIndex((metric) => metric.name === name)] !== true,
          ),
        ),
    };
  });
}

/** The worst score of a metric's range, or of any run where the range has no such end. */
export function worstScore(
  tables: readonly ScoreTable[],
  { name, card }: ScoreTable["metrics"][number],
): number {
  const end = worstEnd(card);
  if (end !== null) return end;
  const isRising = card.higher_is_better;
  return tables.reduce((worst, { metrics, columns }) => {
    const scores = columns[metrics.findIndex((metric) => metric.name === name)] ?? [];
    for (let row = 0; row < scores.length; row++) {
      const score = scores[row] as number;
      if (Number.isNaN(worst) || (isRising ? score < worst : score > worst)) worst = score;
    }
    return worst;
  }, NaN);
}
