import { InputError, shown } from "../errors.js";
import type { EvalRun, SearchHit } from "../schema/index.js";
import type { ScoredRun } from "../scored-run.js";
import type { Retriever } from "./retriever.js";

/**
 * A recorded run as a retriever, so that a system that cannot be called can still be compared: looks hits up by the query's id, or by its words where
 * the run has them.
 *
 * @param run a run of this project, or query ids to rankings of chunk ids.
 */
export function runRetriever(run: EvalRun | ScoredRun): Retriever {
  const [byId, byWords] = [new Map<string, readonly SearchHit[]>(), new Map<string, readonly SearchHit[]>()];
  if (run instanceof Map) {
    for (const [queryId, { ids, scores }] of run as ScoredRun) byId.set(queryId, ids.map((id, index) => ({ rank: index + 1, chunk_id: id, doc_id: id, score: scores[index] ?? null })));
  } else {
    for (const { query_id, query, hits_top_k } of (run as EvalRun).results) {
      byId.set(query_id, hits_top_k);
      if (typeof query === "string") byWords.set(query, hits_top_k);
    }
  }
  return {
    search(query, { limit, queryId }) {
      if (queryId === undefined && byWords.size === 0) throw new InputError("ARGUMENT", `a run without words can only be asked by query id, got none for ${shown(query)}`);
      return (byId.get(queryId ?? "") ?? byWords.get(query) ?? []).slice(0, limit);
    },
  };
}
