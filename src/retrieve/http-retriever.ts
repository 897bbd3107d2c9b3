import { AdapterError, InputError, shown } from "../errors.js";
import type { SearchHit } from "../schema/index.js";
import { searchHitsFrom } from "./search-hits.js";
import type { Retriever } from "./retriever.js";

/** How {@link httpRetriever} asks. */
export interface HttpRetrieverOptions {
  /** Sent with every request, for a key or a tenant. Never printed. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** After so long a request has failed. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Instead of the platform's. */
  readonly fetch?: typeof fetch | undefined;
}

const TIMEOUT_MS = 30_000;

/**
 * A search service as a retriever: posts `{"query", "limit", "query_id"}` as JSON and reads a list of hits, or an object that has one under `hits` or
 * `results`. A hit needs `chunk_id`, `doc_id` or `id`; `score` is kept.
 *
 * @throws InputError `ARGUMENT` for an address that is none.
 */
export function httpRetriever(url: string, { headers = {}, timeoutMs = TIMEOUT_MS, fetch: send = fetch }: HttpRetrieverOptions = {}): Retriever {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw new InputError("ARGUMENT", `the address of a search service must begin with http:// or https://, got ${shown(url)}`);
  const where = new URL(url).origin + new URL(url).pathname;
  return {
    async search(query, { limit, queryId, signal }): Promise<SearchHit[]> {
      const limits = [AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])];
      try {
        const response = await send(url, { method: "POST", headers: { "content-type": "application/json", accept: "application/json", ...headers }, body: JSON.stringify({ query, limit, ...(queryId !== undefined && { query_id: queryId }) }), signal: AbortSignal.any(limits) });
        if (!response.ok) throw new AdapterError("RETRIEVER_FAILED", `${where} answered with status ${response.status}; see its log`);
        return searchHitsFrom(await response.json(), where).slice(0, limit);
      } catch (cause) {
        if (signal?.aborted === true || cause instanceof AdapterError) throw cause;
        const { name } = cause as Error;
        const why = name === "TimeoutError" ? `did not answer within ${timeoutMs} ms` : name === "SyntaxError" ? "answered with something that is not JSON" : "cannot be reached";
        throw new AdapterError("RETRIEVER_FAILED", `${where} ${why}`, {}, cause);
      }
    },
  };
}
