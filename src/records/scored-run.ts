import { InputError, quote } from "../foundation/errors/index.js";
import { compareIds } from "../foundation/ids/index.js";

/**
 * One query's results as columns, best first: score descending, equal scores by id descending. Each id once.
 */
export interface ScoredRanking {
  readonly ids: readonly string[];
  /** As long as `ids`; finite. */
  readonly scores: ArrayLike<number>;
}

/** A run in memory: query id to results, in the order of the input. */
export type ScoredRun = ReadonlyMap<string, ScoredRanking>;

/** How a run is read from a file. */
export interface RunReadOptions {
  /**
   * Whether the hits of a query stay in the order of the file: for `evaluate`, whose conventions say how ties
   * are broken. Default false: the order of a scored run.
   */
  readonly inFileOrder?: boolean | undefined;
}

/** Columns as they were gathered from a file, by query. */
export function scoredRunOf(
  queries: ReadonlyMap<string, ScoredRanking>,
  { inFileOrder = false }: RunReadOptions = {},
): ScoredRun {
  if (inFileOrder) return queries;
  return new Map([...queries].map(([id, { ids, scores }]) => [id, rankByScore(ids, scores)]));
}

/**
 * What the scores of a list that is best first are good for: `falling` to be sorted by, each below the one
 * before; `sorted` the same, but for equal ones whose ids fall; `level` to be read, none above the one
 * before; `distances` to be read where less is better.
 */
export type ListScores = "falling" | "sorted" | "level" | "distances";

/**
 * A list that is best first, with its own scores where they are good for what is wanted, else with ranks in
 * their place: falling by one, or rising as distances do.
 */
export function rankList(
  ids: readonly string[],
  scores: readonly (number | null | undefined)[],
  wanted: ListScores,
): ScoredRanking {
  const own = scores.map((score) => score ?? NaN);
  const mayBeEqual = (at: number): boolean =>
    wanted === "level" || (wanted === "sorted" && compareIds(ids[at - 1] as string, ids[at] as string) > 0);
  const isGood = own.every((score, at) => {
    const before = at === 0 ? Infinity : (own[at - 1] as number);
    return (
      !Number.isNaN(score) &&
      (wanted === "distances" || score < before || (score === before && mayBeEqual(at)))
    );
  });
  return {
    ids,
    scores: isGood ? own : ids.map((_, at) => (wanted === "distances" ? at + 1 : ids.length - at)),
  };
}

/**
 * Results in the order of a scored run: score descending, then id descending by UTF-8 bytes, as trec_eval
 * breaks ties.
 *
 * @throws InputError `ARGUMENT` for an id without a score.
 */
export function rankByScore(ids: readonly string[], scores: ArrayLike<number>): ScoredRanking {
  const foreign = ids.find((id) => typeof id !== "string");
  if (foreign !== undefined || ids.includes(undefined as never))
    throw new InputError("ARGUMENT", `rankByScore: ids must be text, got ${quote(foreign)}`);
  const wrong = ids.findIndex((_, at) => typeof scores[at] !== "number" || Number.isNaN(scores[at]));
  if (wrong >= 0 || scores.length !== ids.length)
    throw new InputError(
      "ARGUMENT",
      wrong >= 0
        ? `rankByScore: the score of ${quote(ids[wrong])} must be a number, got ` + quote(scores[wrong])
        : `rankByScore: each id must have one score, got ${ids.length} ids and ${scores.length} scores`,
    );
  const order = Array.from(ids, (_, index) => index).sort(
    (a, b) => (scores[b] as number) - (scores[a] as number) || compareIds(ids[b] as string, ids[a] as string),
  );
  return {
    ids: order.map((index) => ids[index] as string),
    scores: Float64Array.from(order, (index) => scores[index] as number),
  };
}
