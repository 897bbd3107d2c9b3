import { isMap } from "../foundation/checks/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import type { ScoredRanking } from "../records/index.js";
import type { FusionDefinition, FusionMethod } from "./define-fusion.js";
import type { Normalizer } from "./define-normalizer.js";
import type { FusionColumn, FusionPool } from "./fusion-pool.js";

/**
 * What all runs say about one query, ready for methods that read scores or ranks: scores normalized, items
 * that a run lacks added where the normalizer scores them.
 *
 * @throws InputError `ARGUMENT` for a normalized score that is not finite.
 */
export function fusionPool(
  queryId: string,
  { ids, columns }: PooledRuns,
  reads: FusionDefinition["reads"],
  normalizer: Normalizer,
): FusionPool {
  const ready = columns.map((column) => {
    const { scores, lacking } = checkScores(queryId, ids, column, normalizer, ids.length);
    const normalized = { ...column, scores };
    if (reads === "ranks") return inOrder(normalized);
    return lacking === undefined ? normalized : withLacking(normalized, lacking, ids.length);
  });
  return { size: ids.length, columns: ready };
}

/**
 * The fused score of each item of a pool that is not empty.
 *
 * @throws InputError `ARGUMENT` for a score that is not finite.
 */
export function fuseScores(
  queryId: string,
  ids: readonly string[],
  pool: FusionPool,
  method: FusionMethod,
): Float64Array {
  const scores: unknown = method.score(pool);
  if (!isList(scores) || scores.length !== ids.length)
    throw new InputError(
      "ARGUMENT",
      `query ${quote(queryId)}: ${method.name} must give one score for each item, got ${quote(scores)}`,
      { queryId },
    );
  for (let item = 0; item < ids.length; item++) {
    if (Number.isFinite(scores[item])) continue;
    throw new InputError(
      "ARGUMENT",
      `query ${quote(queryId)}, id ${quote(ids[item])}: the score fused by ${method.name} must be ` +
        `a finite number, got \`${scores[item]}\`; use smaller scores, weights or parameters`,
      { queryId, id: ids[item] },
    );
  }
  return scores;
}

/** Scores of whoever made a method or a normalizer of their own. */
function isList(given: unknown): given is Float64Array {
  return ArrayBuffer.isView(given) || Array.isArray(given);
}

/** @throws InputError `ARGUMENT` for what is no list of runs. */
export function checkRunsToFuse(runs: unknown): void {
  if (!Array.isArray(runs) || !runs.every(isMap))
    throw new InputError("ARGUMENT", `runs to fuse must be a list of Maps by query, got ${quote(runs)}`);
  for (const [run, queries] of runs.entries())
    for (const id of queries.keys())
      if (typeof (id as unknown) !== "string")
        throw new InputError(
          "ARGUMENT",
          `runs[${run}]: the id of a query must be a string, got ${quote(id)}; write \`String(id)\``,
          { run },
        );
}

/** The different ids of all rankings, and each ranking with numbers in their place. */
export interface PooledRuns {
  readonly ids: readonly string[];
  /** With the scores as they were given. Runs without hits are left out. */
  readonly columns: readonly FusionColumn[];
}

/**
 * Puts the rankings of all runs for one query together.
 *
 * @throws InputError `ARGUMENT` for a score that is not finite, and for an id that stands in a list twice.
 */
export function poolRuns(queryId: string, rankings: readonly (ScoredRanking | undefined)[]): PooledRuns {
  const items = new Map<string, number>();
  const ids: string[] = [];
  /** By item, the last run in which it was met. */
  const metIn: number[] = [];
  const columns: FusionColumn[] = [];
  rankings.forEach((ranking, run) => {
    if (ranking === undefined) return;
    const { ids: hits, scores } = checkRanking(queryId, ranking, run);
    const where = placeOf(queryId, run);
    const count = hits.length;
    if (count === 0) return;
    const column: FusionColumn = {
      run,
      items: new Int32Array(count),
      scores: new Float64Array(count),
      own: count,
    };
    for (let i = 0; i < count; i++) {
      const id = hits[i] as string;
      const score = scores[i] as number;
      let item = items.get(id);
      if (item === undefined) {
        item = ids.length;
        items.set(id, item);
        ids.push(id);
        metIn.push(run);
      } else if (metIn[item] === run) {
        throw new InputError(
          "ARGUMENT",
          `${where}, id ${quote(id)}: each id must stand once in a list, got it again at rank ` +
            `${i + 1}; keep the first`,
          { run, queryId, id },
        );
      } else metIn[item] = run;
      column.items[i] = item;
      column.scores[i] = score;
    }
    columns.push(column);
  });
  return { ids, columns };
}

const placeOf = (queryId: string, run: number): string => `runs[${run}], query ${quote(queryId)}`;

/**
 * A ranking, also of code without types.
 *
 * @throws InputError `ARGUMENT` for what has not one finite score for each id.
 */
export function checkRanking(queryId: string, ranking: ScoredRanking, run: number): ScoredRanking {
  const { ids, scores } = ranking as Partial<ScoredRanking>;
  const where = placeOf(queryId, run);
  if (!Array.isArray(ids) || scores === undefined)
    throw new InputError(
      "ARGUMENT",
      `${where}: must be \`{ ids, scores }\`, best first, as rankByScore makes it`,
      { run, queryId },
    );
  if (scores.length !== ids.length)
    throw new InputError(
      "ARGUMENT",
      `${where}: there must be one score for each id, got \`${scores.length}\` for ${ids.length}; make ` +
        "rankings with rankByScore",
      { run, queryId },
    );
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i] as string;
    if (!Number.isFinite(scores[i]))
      throw new InputError(
        "ARGUMENT",
        `${where}, id ${quote(id)}: score must be a finite number, got ${quote(scores[i])}; ` +
          "fix the run or leave the hit out",
        { run, queryId, id },
      );
  }
  return ranking;
}

/** What the normalizer makes of a column, if it is usable. */
function checkScores(
  queryId: string,
  ids: readonly string[],
  { run, items, scores }: FusionColumn,
  normalizer: Normalizer,
  size: number,
): { scores: Float64Array; lacking?: number } {
  const made = normalizer.normalize(scores, size);
  const where = `runs[${run}], query ${quote(queryId)}`;
  const given: unknown = (made as Partial<typeof made> | undefined)?.scores;
  if (!isList(given))
    throw new InputError(
      "ARGUMENT",
      `${where}: normalizer ${normalizer.name} must give \`{ scores }\`, got ${quote(made)}`,
    );
  // Its own list: a normalizer may fill the same one each time.
  const normalized = { ...made, scores: Float64Array.from(given) };
  if (normalized.scores.length !== scores.length)
    throw new InputError(
      "ARGUMENT",
      `${where}: normalizer ${normalizer.name} must give one score for each hit, got ` +
        `\`${normalized.scores.length}\` for ${scores.length}`,
    );
  for (let i = 0; i < scores.length; i++) {
    if (Number.isFinite(normalized.scores[i])) continue;
    const id = ids[items[i] as number];
    throw new InputError(
      "ARGUMENT",
      `${where}, id ${quote(id)}: the score normalized by ${normalizer.name} must be a finite ` +
        `number, got \`${normalized.scores[i]}\` of \`${scores[i]}\`; use another ` +
        "normalizer or smaller scores",
      { run, queryId, id },
    );
  }
  if (normalized.lacking !== undefined && !Number.isFinite(normalized.lacking))
    throw new InputError(
      "ARGUMENT",
      `${where}: normalizer ${normalizer.name} must give items that the run lacks a finite score, ` +
        `got \`${normalized.lacking}\``,
    );
  return normalized;
}

/**
 * A column in the order of its normalized scores, which only a normalizer for distances changes. Equal ones
 * keep their order.
 */
function inOrder(column: FusionColumn): FusionColumn {
  const { items, scores } = column;
  const order = orderOf(scores);
  return order === null
    ? column
    : {
        ...column,
        items: order.map((index) => items[index] as number),
        scores: Float64Array.from(order, (index) => scores[index] as number),
      };
}

/** Places of scores, the highest first, equal ones as they stand; null where they are in order. */
export function orderOf(scores: Float64Array): Int32Array | null {
  let isOrdered = true;
  for (let i = 1; i < scores.length; i++)
    if ((scores[i] as number) > (scores[i - 1] as number)) isOrdered = false;
  if (isOrdered) return null;
  return Int32Array.from(scores, (_, index) => index).sort(
    (a, b) => (scores[b] as number) - (scores[a] as number),
  );
}

/** A column with the items that it lacks behind its own, each with the score `lacking`. */
function withLacking({ run, items, scores, own }: FusionColumn, lacking: number, size: number): FusionColumn {
  const isHeld = new Uint8Array(size);
  for (const item of items) isHeld[item] = 1;
  const all = new Int32Array(size);
  all.set(items);
  let next = items.length;
  for (let item = 0; item < size; item++) if (isHeld[item] === 0) all[next++] = item;
  const allScores = new Float64Array(size).fill(lacking);
  allScores.set(scores);
  return { run, items: all, scores: allScores, own };
}
