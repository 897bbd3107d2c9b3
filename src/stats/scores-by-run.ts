import { InputError, quote } from "../foundation/errors/index.js";
import { checkLists, type NumberList } from "./check-pairs.js";

/** One list of scores per run; all lists are over the same queries in the same order. */
export type ScoresByRun = readonly NumberList[];
/** The same as lists. */
export type ScoreLists = readonly (readonly number[])[];

/**
 * Establishes that every run has a finite score for every query.
 *
 * @throws InputError `ARGUMENT` when not.
 */
export function checkScores(caller: string, given: ScoresByRun): ScoreLists {
  const runs = checkFinite(caller, given);
  const queries = runs[0]?.length ?? 0;
  runs.forEach((scores, run) => {
    if (scores.length !== queries)
      throw new InputError(
        "ARGUMENT",
        `${caller}: every run must have a score for every query, got ${quote(queries)} scores of ` +
          `run 0 and ${quote(scores.length)} of run ${run}; leave out queries that a run lacks`,
      );
  });
  return runs;
}

/** @throws InputError `ARGUMENT` when these are no lists, or a score is not a finite number. */
export function checkFinite(caller: string, given: ScoresByRun): ScoreLists {
  if (!Array.isArray(given as unknown))
    throw new InputError(
      "ARGUMENT",
      `${caller} takes a list with the scores of each run, got ${quote(given)}; of an object ` +
        "with them, give `Object.values` of it",
    );
  checkLists(caller, ...given);
  const runs = given.map((scores) => Array.from(scores));
  runs.forEach((scores, run) => {
    const wrong = scores.findIndex((score) => !Number.isFinite(score));
    if (wrong >= 0)
      throw new InputError(
        "ARGUMENT",
        `${caller}: every score must be a finite number, got ${quote(scores[wrong])} at ` +
          `position ${wrong} of run ${run}`,
      );
  });
  return runs;
}
