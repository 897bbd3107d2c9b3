import { quote } from "../foundation/errors/index.js";
import { countOf, formatCount, formatShare } from "../foundation/numbers/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { firstIds, queryWarning, type GivenWarning } from "./query-warning.js";
import type { AggregateMetrics, FailedResults, QueryResult } from "./types/index.js";

const MOST_MESSAGES = 10;

/**
 * How many results failed, and why: the most frequent messages, each with its queries.
 *
 * @param isCompared whether a query is one of those that are compared; without it all are.
 */
export function countFailedResults(
  results: readonly QueryResult[],
  isCompared?: (queryId: string) => boolean,
): FailedResults {
  const ids = new Map<string, string[]>();
  let failed = 0;
  for (const { query_id, error } of results) {
    if (error == null) continue;
    failed++;
    const same = ids.get(error);
    if (same === undefined) ids.set(error, [query_id]);
    else same.push(query_id);
  }
  const failures = [...ids]
    .map(([message, queries]) => ({ message, count: queries.length, query_ids: firstIds(queries) }))
    .sort((x, y) => y.count - x.count || compareIds(x.message, y.message))
    .slice(0, MOST_MESSAGES);
  const compared = isCompared && results.filter(({ query_id }) => isCompared(query_id));
  return {
    results: results.length,
    failed,
    failures,
    ...(compared !== undefined &&
      compared.length < results.length && {
        compared: {
          results: compared.length,
          failed: compared.filter(({ error }) => error != null).length,
        },
      }),
  };
}

/** The queries whose result failed, and has no hits either. */
export function failedQueries(results: readonly QueryResult[]): string[] {
  return results
    .filter(({ error, hits_top_k }) => error != null && hits_top_k.length === 0)
    .map(({ query_id }) => query_id);
}

/** What an aggregate tells of its failed results. */
export function readFailedResults({
  total_queries,
  failed_queries,
  failures,
}: AggregateMetrics): FailedResults {
  return { results: total_queries, failed: failed_queries, failures };
}

/** The share of failed results in words: `4 of 20 results of after failed (20 %)`. */
export function describeFailedShare(
  { failed, results }: Pick<FailedResults, "failed" | "results">,
  run?: string,
): string {
  const of = `${formatCount(failed)} of ${countOf(results, "result")}`;
  return `${of}${run === undefined ? "" : ` of ${run}`} failed (${formatShare(failed / results)})`;
}

/** Whether more than a share failed. As a quotient: a product of doubles may lie beside what is meant. */
export function areMoreFailed(
  { failed, results }: Pick<FailedResults, "failed" | "results">,
  share: number,
): boolean {
  return failed / results > share;
}

/** The warning for failed results, where nothing else tells of them. */
export function warnOfFailures(results: readonly QueryResult[]): GivenWarning[] {
  const found = countFailedResults(results);
  const [first] = found.failures;
  return first === undefined
    ? []
    : queryWarning(
        "RESULTS_FAILED",
        `${describeFailedShare(found)}, ${formatCount(first.count)} with ${quote(first.message)}`,
        results.filter(({ error }) => error != null).map(({ query_id }) => query_id),
      );
}
