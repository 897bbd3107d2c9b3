import { InputError, shown } from "./errors.js";
import type { EvalRun, QueryResult } from "./schema/index.js";

/**
 * The results of a run by query id.
 *
 * @throws InputError `RUN_DUPLICATE_QUERY` when a query has two results, so that it is not clear which one counts.
 */
export function resultsByQuery({ run_id, results }: EvalRun): Map<string, QueryResult> {
  const byQuery = new Map<string, QueryResult>();
  for (const result of results) {
    const { query_id } = result;
    if (byQuery.has(query_id)) throw new InputError("RUN_DUPLICATE_QUERY", `run ${shown(run_id)}: query ${shown(query_id)} has two results; keep one`, { queryId: query_id });
    byQuery.set(query_id, result);
  }
  return byQuery;
}
