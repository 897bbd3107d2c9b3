import { InputError, quote } from "../foundation/errors/index.js";

/** One list of scores per run; all lists are over the same queries in the same order. */
export type ScoresByRun = readonly (readonly number[])[];

/**
 * Establishes that every run has a finite score for every query.
 *
 * @returns how many queries there are.
 * @throws InputError `ARGUMENT` when not.
 */
export function checkScores(caller: string, runs: ScoresByRun): number {
  const queries = runs[0]?.length ?? 0;
  runs.forEach((scores, run) => {
    if (scores.length !== queries)
      throw new InputError(
        "ARGUMENT",
        `${caller}: every run must have a score for every query, got ${quote(queries)} scores of ` +
          `run 0 and ${quote(scores.length)} of run ${run}; leave out queries that a run lacks`,
      );
  });
  checkFinite(caller, runs);
  return queries;
}

/** @throws InputError `ARGUMENT` when a score is not a finite number. */
export function checkFinite(caller: string, runs: ScoresByRun): void {
  runs.forEach((scores, run) => {
    const wrong = scores.findIndex((score) => !Number.isFinite(score));
    if (wrong >= 0)
      throw new InputError(
        "ARGUMENT",
        `${caller}: every score must be a finite number, got ${quote(scores[wrong])} at ` +
          `position ${wrong} of run ${run}`,
      );
  });
}
