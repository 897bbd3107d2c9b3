import { AdapterError, InputError, quote, quoteWithin } from "../foundation/errors/index.js";
import { parseJson } from "../foundation/text/index.js";
import { semaphore, sleep as sleepByTheClock, type Sleep } from "../foundation/async/index.js";
import { wholeNumber } from "../foundation/checks/index.js";
import { seededRandom } from "../foundation/numbers/index.js";
import { askService, type NoReply, type Reply } from "./ask-service.js";
import { rateLimit } from "./rate-limit.js";
import { retryDelay } from "./retry-delay.js";
import { withoutSecret } from "./without-secret.js";

/** How a search service is asked. */
export interface SearchServiceOptions {
  /** Sent with every request, for a key or a tenant. Never printed. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** After so long a request has failed, in milliseconds, to the end of the answer. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Most bytes of an answer, unpacked. Default 67,108,864 (64 MiB). */
  readonly maxAnswerBytes?: number | undefined;
  /** Instead of the platform's. It must not follow redirects when told `manual`. */
  readonly fetch?: typeof fetch | undefined;
  /** How often a request is sent again after 429, 502, 503 and 504 and after no answer. Default 0. */
  readonly retries?: number | undefined;
  /** Most requests at once. No limit by default. */
  readonly concurrency?: number | undefined;
  /** Most requests in any minute. No limit by default. */
  readonly requestsPerMinute?: number | undefined;
  /** How waiting is done; for tests. */
  readonly sleep?: Sleep | undefined;
  /** The time, in milliseconds since 1970; for tests. */
  readonly now?: (() => number) | undefined;
}

/** One question to a search service. */
export interface SearchRequest {
  readonly method?: "GET" | "POST" | undefined;
  /** Put behind the address. */
  readonly path?: string | undefined;
  readonly params?: readonly (readonly [name: string, value: string])[] | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** What is sent that no message may show. */
  readonly secrets?: readonly string[] | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A search service that can be asked. */
export interface SearchService {
  /** Its address as messages name it. */
  readonly where: string;
  /**
   * The answer of a request that succeeded.
   *
   * @param reasonIn what an answer that is an error says of it; its words are printed without the headers.
   * @throws AdapterError `RETRIEVER_FAILED`. An abort rejects with its own reason.
   */
  ask(request: SearchRequest, reasonIn?: (body: string) => string | undefined): Promise<Reply>;
  /** The failure of an answer that cannot be used. */
  failed(what: string): AdapterError;
}

const TIMEOUT_MS = 30_000;
const PASSING = [429, 502, 503, 504];
const LONGEST_REASON = 300;
/** Shorter words are no keys, and stand in many others. */
const SHORTEST_SECRET = 8;

/**
 * A search service behind HTTP. A redirect is followed only to the same origin and with the same method.
 *
 * @throws InputError `ARGUMENT` for an address that is none, and for headers that cannot be sent.
 */
export function searchService(
  url: string,
  {
    headers = {},
    timeoutMs = TIMEOUT_MS,
    maxAnswerBytes,
    fetch: send = fetch,
    retries = 0,
    concurrency,
    requestsPerMinute,
    sleep = sleepByTheClock,
    now = Date.now,
  }: SearchServiceOptions = {},
): SearchService {
  const where = checkAddress(url);
  checkHeaders(headers);
  if (concurrency !== undefined) wholeNumber("concurrency", concurrency);
  const atOnce = semaphore(concurrency);
  const secrets = secretsOf(url, headers);
  /** What a service says may repeat what was sent in confidence. */
  const clean = (text: string, more: readonly string[] = []): string =>
    [...secrets, ...more.filter((word) => word.length >= SHORTEST_SECRET)].reduce(withoutSecret, text);
  const turn = rateLimit(requestsPerMinute, now, sleep);
  const random = seededRandom(now());
  const failWith = (what: string): AdapterError => new AdapterError("RETRIEVER_FAILED", `${where} ${what}`);

  const ask = async (request: SearchRequest): Promise<Reply | NoReply> => {
    const { signal, body, method = "POST" } = request;
    const address = addressOf(url, request);
    for (let tries = 1; ; tries++) {
      await turn(signal ?? new AbortController().signal);
      const reply = await askService(address, {
        method,
        headers: {
          ...(body !== undefined && { "content-type": "application/json" }),
          accept: "application/json",
          ...request.headers,
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        timeoutMs,
        maxAnswerBytes,
        signal,
        fetch: send,
      });
      const mayPass = "failure" in reply ? reply.failure !== "unusable" : PASSING.includes(reply.status);
      if (!mayPass || tries > retries) return reply;
      await sleep(
        retryDelay(tries, "status" in reply ? reply.retryAfter : undefined, random, now),
        signal ?? new AbortController().signal,
      );
    }
  };

  return {
    where,
    failed: failWith,
    async ask(request, reasonIn) {
      request.signal?.throwIfAborted();
      const reply = await atOnce(() => ask(request));
      if ("failure" in reply) throw failWith(noReplyText(reply, timeoutMs));
      const { status, location, body } = reply;
      if (status === 0 || (status >= 300 && status < 400)) {
        const target = location === undefined ? undefined : clean(new URL(location).origin);
        throw failWith(
          `redirects${target === undefined ? "" : ` to ${quote(target)}`}, ` +
            "which is not followed, so that the headers reach no other host and the question stays " +
            "the same; give the address that it leads to",
        );
      }
      if (status < 200 || status >= 300) {
        const reason = clean(reasonIn?.(body) ?? "", request.secrets);
        const why = reason === "" ? "; see its log" : `: ${quoteWithin(LONGEST_REASON, reason)}`;
        throw failWith(`answered with status ${status}${why}`);
      }
      return reply;
    },
  };
}

/** What was sent in confidence: words of headers, by themselves (`sid=KEY`), and values of parameters. */
function secretsOf(url: string, headers: Readonly<Record<string, string>>): string[] {
  return [
    ...Object.values(headers).flatMap((value) => [...value.split(/\s+/), ...value.split(/[\s=:;,"']+/)]),
    ...new URL(url).searchParams.values(),
  ].filter((word) => word.length >= SHORTEST_SECRET);
}

function noReplyText({ failure, reason }: NoReply, timeoutMs: number): string {
  if (failure === "timeout") return `did not answer within ${timeoutMs} ms`;
  return failure === "network" ? "cannot be reached" : reason;
}

/**
 * An address without what may be secret in it.
 *
 * @throws InputError `ARGUMENT` for what is none, and for one with a name and a password.
 */
function checkAddress(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new InputError(
      "ARGUMENT",
      // Not shown: what is no address may have a password in it.
      "the address of a search service must begin with http:// or https://",
    );
  const { origin, pathname, username, password } = new URL(url);
  const where = origin + pathname;
  if (username !== "" || password !== "")
    throw new InputError(
      "ARGUMENT",
      `${where}: a name and a password cannot stand in the address; give them ` +
        "as the header `authorization`",
    );
  return where;
}

function addressOf(url: string, { path = "", params = [] }: SearchRequest): string {
  if (path === "" && params.length === 0) return url;
  const address = new URL(url);
  address.pathname = `${address.pathname.replace(/\/+$/, "")}${path}`;
  for (const [name, value] of params) address.searchParams.append(name, value);
  return address.href;
}

/**
 * The value of an answer in JSON.
 *
 * @throws AdapterError `RETRIEVER_FAILED`
 */
export function jsonOf({ body }: Reply, service: SearchService): unknown {
  try {
    return parseJson(body);
  } catch {
    // The parser's error quotes the answer, in which a service may repeat the headers.
    throw service.failed("answered with something that is not JSON");
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
        `the header ${quote(name)} cannot be sent; its name or its value has characters that no ` +
          "header may have, such as a line break",
      );
    }
  }
}
