import { AdapterError, InputError, shown } from "../errors.js";
import type { SearchHit } from "../schema/index.js";
import { checkedLimit } from "./indexed-chunks.js";
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
 * `results`. A hit needs `chunk_id`, `doc_id` or `id`; `score` is kept. A hit whose id stood before is left out: a service that names only documents
 * may have found several passages of one.
 *
 * @throws InputError `ARGUMENT` for an address that is none, and for headers that cannot be sent.
 */
export function httpRetriever(url: string, { headers = {}, timeoutMs = TIMEOUT_MS, fetch: send = fetch }: HttpRetrieverOptions = {}): Retriever {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw new InputError("ARGUMENT", `the address of a search service must begin with http:// or https://, got ${shown(url)}`);
  const { origin, pathname, username, password } = new URL(url);
  const where = origin + pathname;
  if (username !== "" || password !== "") throw new InputError("ARGUMENT", `${where}: a name and a password cannot stand in the address; give them as the header \`authorization\``);
  checkHeaders(headers);
  return {
    async search(query, { limit, queryId, signal }): Promise<SearchHit[]> {
      checkedLimit(limit);
      const limits = [AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])];
      try {
        const response = await send(url, { method: "POST", headers: { "content-type": "application/json", accept: "application/json", ...headers }, body: JSON.stringify({ query, limit, ...(queryId !== undefined && { query_id: queryId }) }), signal: AbortSignal.any(limits) });
        if (!response.ok) {
          await response.body?.cancel();
          throw new AdapterError("RETRIEVER_FAILED", `${where} answered with status ${response.status}; see its log`);
        }
        return searchHitsFrom(await response.json(), where).slice(0, limit);
      } catch (cause) {
        if (signal?.aborted === true || cause instanceof AdapterError) throw cause;
        const name = cause instanceof Error ? cause.name : "";
        // Quotes the answer, in which a service may repeat the headers.
        if (name === "SyntaxError") throw new AdapterError("RETRIEVER_FAILED", `${where} answered with something that is not JSON`);
        throw new AdapterError("RETRIEVER_FAILED", `${where} ${name === "TimeoutError" ? `did not answer within ${timeoutMs} ms` : "cannot be reached"}`, {}, cause);
      }
    },
  };
}

/** Before `fetch` does, whose error would quote the value. */
function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers([[name, value]]);
    } catch {
      throw new InputError("ARGUMENT", `the header ${shown(name)} cannot be sent; its name or its value has characters that no header may have, such as a line break`);
    }
  }
}
