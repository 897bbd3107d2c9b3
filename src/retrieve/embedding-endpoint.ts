import { messageOf } from "../errors.js";
import { seededRandom } from "../numbers/index.js";
import { exhaustedError, isPassing, refusedError, type EndpointNames, type NoReply, type Reply } from "./endpoint-errors.js";
import { orAborted } from "../or-aborted.js";
import { rateLimit } from "./rate-limit.js";
import { retryDelay } from "./retry-delay.js";
import type { Sleep } from "./sleep.js";

/** How an endpoint is spoken to. */
export interface EndpointOptions {
  readonly names: EndpointNames;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly requestsPerMinute: number | undefined;
  readonly fetch: typeof fetch;
  readonly sleep: Sleep;
  readonly now: () => number;
}

/**
 * A function that posts JSON and returns the answer of status 200, trying again when that may help.
 *
 * @throws InputError `EMBEDDING_REFUSED`
 * @throws AdapterError `EMBEDDING_UNAVAILABLE`
 */
export function embeddingEndpoint({ names, timeoutMs, retries, requestsPerMinute, fetch, sleep, now }: EndpointOptions): (request: object, signal: AbortSignal) => Promise<Reply> {
  const { address, apiKey } = names;
  const headers = { "content-type": "application/json", ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) };
  const turn = rateLimit(requestsPerMinute, now, sleep);
  const random = seededRandom(now());

  const post = async (body: string, signal: AbortSignal): Promise<Reply> => {
    const response = await fetch(address, { method: "POST", headers, body, redirect: "manual", signal });
    return { status: response.status, body: await response.text(), retryAfter: response.headers.get("retry-after") ?? undefined, location: response.headers.get("location") ?? undefined };
  };

  const attempt = async (body: string, signal: AbortSignal): Promise<Reply | NoReply> => {
    const tooLate = new AbortController();
    const timer = setTimeout(() => tooLate.abort(), timeoutMs);
    const limits = AbortSignal.any([signal, tooLate.signal]);
    try {
      return await orAborted(() => post(body, limits), limits);
    } catch (error) {
      signal.throwIfAborted();
      // Its words only: the error itself may hold the request, and with it the key.
      return { reason: tooLate.signal.aborted ? `nothing came within ${timeoutMs} ms` : networkReason(error) };
    } finally {
      clearTimeout(timer);
    }
  };

  return async (request, signal) => {
    const body = JSON.stringify(request);
    for (let tries = 1; ; tries++) {
      await turn(signal);
      const outcome = await attempt(body, signal);
      if ("status" in outcome && outcome.status >= 200 && outcome.status < 300) return outcome;
      if ("status" in outcome && !isPassing(outcome)) throw refusedError(outcome, names);
      if (tries > retries) throw exhaustedError(outcome, tries, names);
      await sleep(retryDelay(tries, "status" in outcome ? outcome.retryAfter : undefined, random, now), signal);
    }
  };
}

/** `fetch failed` says nothing; the system's code is underneath. */
function networkReason(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (typeof cause === "object" && cause !== null && "code" in cause) return String(cause.code);
  return messageOf(cause ?? error);
}
