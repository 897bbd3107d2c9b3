import { seededRandom } from "../foundation/numbers/index.js";
import { askService, type Reply } from "./ask-service.js";
import {
  exhaustedError,
  isPassing,
  refusedError,
  unusableError,
  type EndpointNames,
} from "./endpoint-errors.js";
import { rateLimit } from "./rate-limit.js";
import { retryDelay } from "./retry-delay.js";
import type { Sleep } from "../foundation/async/index.js";

/** How an endpoint is spoken to. */
export interface EndpointOptions {
  readonly names: EndpointNames;
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number | undefined;
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
 * @throws AdapterError `EMBEDDING_UNAVAILABLE`, `EMBEDDING_ANSWER` for one that is too large or no text
 */
export function embeddingEndpoint({
  names,
  timeoutMs,
  maxAnswerBytes,
  retries,
  requestsPerMinute,
  fetch,
  sleep,
  now,
}: EndpointOptions): (request: object, signal: AbortSignal) => Promise<Reply> {
  const { address, apiKey } = names;
  const headers = {
    "content-type": "application/json",
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  const turn = rateLimit(requestsPerMinute, now, sleep);
  const random = seededRandom(now());

  return async (request, signal) => {
    const body = JSON.stringify(request);
    for (let tries = 1; ; tries++) {
      await turn(signal);
      const outcome = await askService(address, { headers, body, timeoutMs, maxAnswerBytes, signal, fetch });
      if ("failure" in outcome && outcome.failure === "unusable") throw unusableError(outcome, names);
      if ("status" in outcome && outcome.status >= 200 && outcome.status < 300) return outcome;
      if ("status" in outcome && !isPassing(outcome)) throw refusedError(outcome, names);
      if (tries > retries) throw exhaustedError(outcome, tries, names);
      await sleep(
        retryDelay(tries, "status" in outcome ? outcome.retryAfter : undefined, random, now),
        signal,
      );
    }
  };
}
