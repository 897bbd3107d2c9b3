import { checkLimit } from "../foundation/checks/index.js";
import { type Retriever, type SearchHit, searchHitsFrom } from "../records/index.js";
import { jsonOf, searchService, type SearchServiceOptions } from "./search-service.js";

/**
 * A search service as a retriever: posts `{"query", "limit", "query_id"}` as JSON and reads a list of hits,
 * or an object that has one under `hits` or `results`. A hit needs `chunk_id`, `doc_id` or `id`; `score` is
 * kept. A hit whose id stood before is left out: a service that names only documents may have found several
 * passages of one. A redirect is followed only to the same origin and with the same method.
 *
 * @throws InputError `ARGUMENT` for an address that is none, and for headers that cannot be sent.
 */
export function httpRetriever(url: string, options: SearchServiceOptions = {}): Retriever {
  const service = searchService(url, options);
  return {
    async search(query, { limit, queryId, signal }): Promise<SearchHit[]> {
      checkLimit(limit);
      const body = { query, limit, ...(queryId !== undefined && { query_id: queryId }) };
      const reply = await service.ask({ body, signal });
      return searchHitsFrom(jsonOf(reply, service), service.where).slice(0, limit);
    },
  };
}
