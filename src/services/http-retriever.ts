import { AdapterError, InputError, shown } from "../foundation/errors/index.js";
import type { SearchHit } from "../records/schema/index.js";
import { askService, type Reply } from "./ask-service.js";
import { checkedLimit } from "../foundation/checks/index.js";
import { searchHitsFrom } from "../records/index.js";
import type { Retriever } from "../records/index.js";
import { withoutSecret } from "./without-secret.js";

/** How {@link httpRetriever} asks. */
export interface HttpRetrieverOptions {
  /** Sent with every request, for a key or a tenant. Never printed. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** After so long a request has failed, in milliseconds, to the end of the answer. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Most bytes of an answer, unpacked. Default 67,108,864 (64 MiB). */
  readonly maxAnswerBytes?: number | undefined;
  /** Instead of the platform's. It must not follow redirects when told `manual`. */
  readonly fetch?: typeof fetch | undefined;
}

const TIMEOUT_MS = 30_000;

/**
 * A search service as a retriever: posts `{"query", "limit", "query_id"}` as JSON and reads a list of hits,
 * or an object that has one under `hits` or `results`. A hit needs `chunk_id`, `doc_id` or `id`; `score` is
 * kept. A hit whose id stood before is left out: a service that names only documents may have found several
 * passages of one. A redirect is followed only to the same origin and with the same method.
 *
 * @throws InputError `ARGUMENT` for an address that is none, and for headers that cannot be sent.
 */
export function httpRetriever(
  url: string,
  { headers = {}, timeoutMs = TIMEOUT_MS, maxAnswerBytes, fetch: send = fetch }: HttpRetrieverOptions = {},
): Retriever {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new InputError(
      "ARGUMENT",
      `the address of a search service must begin with http:// or https://, got ${shown(url)}`,
    );
  const { origin, pathname, username, password } = new URL(url);
  const where = origin + pathname;
  if (username !== "" || password !== "")
    throw new InputError(
      "ARGUMENT",
      `${where}: a name and a password cannot stand in the address; give them ` +
        "as the header `authorization`",
    );
  checkHeaders(headers);
  return {
    async search(query, { limit, queryId, signal }): Promise<SearchHit[]> {
      checkedLimit(limit);
      signal?.throwIfAborted();
      const body = JSON.stringify({ query, limit, ...(queryId !== undefined && { query_id: queryId }) });
      const reply = await askService(url, {
        headers: { "content-type": "application/json", accept: "application/json", ...headers },
        body,
        timeoutMs,
        maxAnswerBytes,
        signal,
        fetch: send,
      });
      if ("failure" in reply)
        throw failed(
          where,
          reply.failure === "timeout"
            ? `did not answer within ${timeoutMs} ms`
            : reply.failure === "network"
              ? "cannot be reached"
              : reply.reason,
        );
      const { status, location } = reply;
      if (status === 0 || (status >= 300 && status < 400)) {
        const origin = location === undefined ? undefined : withoutHeaders(new URL(location).origin, headers);
        throw failed(
          where,
          `redirects${origin === undefined ? "" : ` to ${shown(origin)}`}, ` +
            "which is not followed, so that the headers reach no other host and the question stays " +
            "the same; give the address that it leads to",
        );
      }
      if (status < 200 || status >= 300) throw failed(where, `answered with status ${status}; see its log`);
      return searchHitsFrom(jsonOf(reply, where), where).slice(0, limit);
    },
  };
}

function failed(where: string, what: string): AdapterError {
  return new AdapterError("RETRIEVER_FAILED", `${where} ${what}`);
}

/** A host's name may repeat what was sent in confidence. */
function withoutHeaders(text: string, headers: Readonly<Record<string, string>>): string {
  const words = Object.values(headers)
    .flatMap((value) => value.split(/\s+/))
    .filter((word) => word !== "");
  return words.reduce(withoutSecret, text);
}

function jsonOf({ body }: Reply, where: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    // The parser's error quotes the answer, in which a service may repeat the headers.
    throw failed(where, "answered with something that is not JSON");
  }
}

/** Before `fetch` does, whose error would quote the value. */
function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers([[name, value]]);
    } catch {
      throw new InputError(
        "ARGUMENT",
        `the header ${shown(name)} cannot be sent; its name or its value has characters that no ` +
          "header may have, such as a line break",
      );
    }
  }
}
