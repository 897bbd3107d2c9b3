import type { Conventions, JudgedUnit, QueryJudgments } from "../records/index.js";
import { openRun, type RunInput } from "./run-input.js";

const NOT_JUDGED: QueryJudgments = { grades: new Map(), pool: new Float64Array(0) };

/** The queries that a run answers. */
export function runQueries(run: RunInput, unit: JudgedUnit): Iterable<string> {
  return openRun(run, unit).queryIds;
}

/**
 * The ids of a run's hits as {@link evaluate} ranks them, best first, copies left out, down to the
 * conventions' depth.
 *
 * @returns a function of the query id; no ids for a query that the run does not answer.
 */
export function rankIds(
  run: RunInput,
  unit: JudgedUnit,
  conventions: Conventions,
): (queryId: string) => string[] {
  const opened = openRun(run, unit);
  return (queryId) => {
    if (!opened.has(queryId)) return [];
    const { hits, idAt } = opened.hits(queryId, NOT_JUDGED, conventions);
    const { scores } = hits;
    const order = Array.from({ length: hits.count }, (_, position) => position);
    if (scores !== null && !isFalling(scores))
      order.sort(
        (a, b) =>
          (scores[b] as number) - (scores[a] as number) ||
          (conventions.ties === "input" ? 0 : hits.tieOrder(a, b)),
      );
    const depth = conventions.depth ?? Infinity;
    const inView =
      hits.ranks === null
        ? order.slice(0, depth)
        : order.filter((position) => (hits.ranks?.[position] as number) <= depth);
    const ids = inView.map(idAt);
    return hits.duplicates === 0 ? ids : [...new Set(ids)];
  };
}

/** Most runs are written in the order of their scores. */
function isFalling(scores: ArrayLike<number>): boolean {
  for (let i = 1; i < scores.length; i++)
    if (!((scores[i] as number) < (scores[i - 1] as number))) return false;
  return true;
}
