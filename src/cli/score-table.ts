import { leaderboardOf, tableOfEvaluation, type Evaluation } from "../index.js";
import {
  boardOfEvaluations,
  renderScoreTable,
  type BoardLetters,
  type ScoreTableFormat,
} from "../report/index.js";

/** An evaluation with the name that it goes by. */
export interface EvaluatedSystem {
  readonly name: string;
  readonly evaluation: Evaluation;
}

/** Evaluations as one table for a text, with letters of runs that are not shown to differ. */
export function scoreTable(runs: readonly EvaluatedSystem[], format: ScoreTableFormat): string {
  const records = runs.map(({ name, evaluation }) => ({ name, record: evaluation.record() }));
  return renderScoreTable(boardOfEvaluations(records, lettersOf(runs)), format);
}

/** What tells which runs differ; null where there is nothing to compare. */
function lettersOf(runs: readonly EvaluatedSystem[]): BoardLetters | null {
  const tables = runs.map(({ name, evaluation }) => tableOfEvaluation(evaluation, name));
  return tables.length < 2 || tables.some(({ metrics }) => metrics.length === 0)
    ? null
    : { leaderboard: leaderboardOf(tables, LETTERS), settings: LETTERS };
}

/** The usual settings, which the note below the table tells. */
const LETTERS = { correction: "holm", alpha: 0.05 } as const;
