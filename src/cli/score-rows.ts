import type { EvaluatedSystem } from "./score-table.js";
import type { Terminal } from "./terminal.js";
import { writeRows } from "./write-output.js";

/** Writes the scores of all queries, a record for each run, query and metric, in full precision. */
export async function writeScores(
  runs: readonly EvaluatedSystem[],
  file: string,
  terminal: Terminal,
): Promise<void> {
  await writeRows(scoreLines(runs), file, terminal);
}

/** A query without a score has no row. */
function* scoreLines(runs: readonly EvaluatedSystem[]): Iterable<string> {
  for (const { name: run, evaluation } of runs) {
    const { aggregates, columns, queryIds } = evaluation;
    for (const [row, query_id] of queryIds.entries())
      for (const [at, { metric }] of aggregates.entries()) {
        const score = columns[at]?.[row] as number;
        if (!Number.isNaN(score)) yield `${JSON.stringify({ run, query_id, metric: metric.name, score })}\n`;
      }
  }
}
