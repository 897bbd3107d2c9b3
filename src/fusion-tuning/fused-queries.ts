import type { FusionMethod, FusionPool, Normalizer } from "../fusion/index.js";
import { fuseScores, fusionPool, poolRuns, type PooledRuns } from "../fusion/internal.js";
import { selectTop } from "../foundation/columns/index.js";
import { compareIds } from "../foundation/ids/index.js";
import type { Metric } from "../metrics/index.js";
import type { Qrels, ScoredRun } from "../records/index.js";
import { judgePool, type JudgedPool } from "./judge-pool.js";

/** One judged query, as the runs that are to be fused answer it. */
export interface FusedQuery {
  readonly judged: JudgedPool;
  readonly pooled: PooledRuns;
}

/** The judged queries by id, whether the runs answer them or not. */
export function fuseQueries(runs: readonly ScoredRun[], qrels: Qrels, metric: Metric): FusedQuery[] {
  return [...qrels.queries]
    .sort(([a], [b]) => compareIds(a, b))
    .map(([queryId, judgments]) => {
      const pooled = poolRuns(
        queryId,
        runs.map((run) => run.get(queryId)),
      );
      return { judged: judgePool(queryId, pooled.ids, judgments, metric), pooled };
    });
}

/** A query's items, ready for a method. */
export function poolOf(
  { judged, pooled }: FusedQuery,
  method: FusionMethod,
  normalizer: Normalizer,
): FusionPool {
  return fusionPool(judged.queryId, pooled, method.definition.reads, normalizer);
}

/**
 * What a query scores when its runs are fused by a method: equal scores by id descending, as everywhere.
 *
 * @param seen is told every item in view.
 */
export function scoreFused(
  query: FusedQuery,
  pool: FusionPool,
  method: FusionMethod,
  seen?: (item: number) => void,
): number {
  const top = topItems(query, pool, method);
  if (seen !== undefined) for (const item of top) seen(item);
  return query.judged.score(top);
}

/** The items in view when a query's runs are fused by a method, in order. */
export function topItems({ judged }: FusedQuery, pool: FusionPool, method: FusionMethod): Int32Array {
  const { queryId, ids, depth } = judged;
  return ids.length === 0 ? new Int32Array(0) : topOf(fuseScores(queryId, ids, pool, method), ids, depth);
}

/** The items with the highest scores, in order. */
function topOf(scores: Float64Array, ids: readonly string[], depth: number): Int32Array {
  return selectTop(scores, depth, (x, y) => compareIds(ids[x] as string, ids[y] as string) > 0);
}
