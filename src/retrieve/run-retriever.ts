import { AdapterError, InputError, quote } from "../foundation/errors/index.js";
import {
  type EvalRun,
  type QueryResult,
  rankingOf,
  type Retriever,
  type ScoredRun,
  type SearchHit,
} from "../records/index.js";
import { checkLimit, expectShape, isA, isMap, listOf, recordOf } from "../foundation/checks/index.js";

const RANKING = recordOf(
  { ids: isA("a list of ids", Array.isArray), scores: isA("a list of numbers", isNumbers) },
  "give `{ ids, scores }`; a list of ids is no ranking with scores",
);
const RUN = recordOf(
  { results: listOf(recordOf({ hits_top_k: listOf() }, "give a result of a run")) },
  "give a recorded run, or a Map of query ids to `{ ids, scores }`",
);

/**
 * A recorded run as a retriever, so that a system that cannot be called can still be compared: looks hits up
 * by the query's id, or by its words where the run has them. Hits keep their recorded ranks. A query that
 * failed when it was recorded fails again.
 *
 * @param run a run of this project, or query ids to rankings of chunk ids.
 */
export function runRetriever(run: EvalRun | ScoredRun): Retriever {
  const byId = new Map<string, QueryResult>();
  const byWords = new Map<string, QueryResult>();
  if (isMap(run)) {
    for (const [query_id, ranking] of run) {
      expectShape(ranking, RANKING, "ARGUMENT", `runRetriever: the ranking of query ${quote(query_id)}`);
      const { ids, scores } = ranking;
      byId.set(query_id, {
        query_id,
        hits_top_k: ids.map((id, index) => ({
          rank: index + 1,
          chunk_id: id,
          doc_id: id,
          score: scores[index] ?? null,
        })),
      });
    }
  } else {
    expectShape(run, RUN, "ARGUMENT", "runRetriever: the run");
    for (const result of run.results) {
      byId.set(result.query_id, result);
      if (typeof result.query === "string") byWords.set(result.query, result);
    }
  }
  return {
    search(query, { limit, queryId }) {
      checkLimit(limit);
      if (queryId === undefined && byWords.size === 0)
        throw new InputError(
          "ARGUMENT",
          `a run without words can only be asked by query id, got none for ${quote(query)}`,
        );
      const result = (queryId === undefined ? undefined : byId.get(queryId)) ?? byWords.get(query);
      return result === undefined ? [] : hitsOf(result).slice(0, limit);
    },
  };
}

/** Best first, each chunk once. */
function hitsOf({ query_id, hits_top_k, error }: QueryResult): SearchHit[] {
  if (typeof error === "string")
    throw new AdapterError(
      "RETRIEVER_FAILED",
      `query ${quote(query_id)} failed when it was recorded: ${error}`,
    );
  const { hits, repeated } = rankingOf(hits_top_k, query_id);
  return hits.filter((_, index) => !repeated.has(index));
}

function isNumbers(value: unknown): boolean {
  return Array.isArray(value) || ArrayBuffer.isView(value);
}
