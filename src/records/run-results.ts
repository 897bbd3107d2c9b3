import { InputError, quote } from "../foundation/errors/index.js";
import { checkRunRecord } from "./check-run.js";
import type { EvalRun, QueryResult } from "./types/index.js";

/**
 * The results of a run by query id.
 *
 * @throws InputError `RUN_SHAPE`; `RUN_DUPLICATE_QUERY` when a query has two results, so that it is not clear
 * which one counts.
 */
export function resultsByQuery(run: EvalRun): Map<string, QueryResult> {
  checkRunRecord(run);
  const { run_id, results } = run;
  const byQuery = new Map<string, QueryResult>();
  for (const result of results) {
    const { query_id } = result;
    if (byQuery.has(query_id))
      throw new InputError(
        "RUN_DUPLICATE_QUERY",
        `run ${quote(run_id)}: query ${quote(query_id)} has two results; keep one`,
        { queryId: query_id },
      );
    byQuery.set(query_id, result);
  }
  return byQuery;
}
