import { seededRandom } from "../foundation/numbers/index.js";
import { askService, type Reply } from "./ask-service.js";
import {
  describeRetry,
  cutError,
  exhaustionError,
  tryParseJson,
  isPassing,
  refusalError,
  statusWithin,
  unusableError,
  type EndpointNames,
  type ServiceWords,
} from "./endpoint-errors.js";
import { rateLimit } from "./rate-limit.js";
import { retryDelay } from "./retry-delay.js";
import { LONGEST_WAIT_MS, sleep as sleepByTheClock, type Sleep } from "../foundation/async/index.js";
import { checkKnownOptions, wholeNumber } from "../foundation/checks/index.js";
import { checkApiKey, checkBaseUrl, DEFAULT_BASE_URL } from "./endpoint-address.js";

/** How services say that a request is wrong. */
const WRONG = [400, 403, 413, 422];

/** Settings of an OpenAI-compatible endpoint, whatever it answers. */
export interface EndpointOptions {
  /** Sent to the base URL's host and to no other. Without one nothing is sent: local servers need none. */
  readonly apiKey?: string | (() => string) | undefined;
  /** What the path of the service is appended to. Default `https://api.openai.com/v1`. */
  readonly baseUrl?: string | undefined;
  /** Longest time for an answer, in milliseconds. Default 60,000 for embeddings, 120,000 for chat. */
  readonly timeoutMs?: number | undefined;
  /**
   * How often a request is sent again after statuses 408, 429 and 5xx, a broken connection or no answer in
   * time. Default 5.
   */
  readonly retries?: number | undefined;
  /** Most bytes of an answer, unpacked. Default 67,108,864 (64 MiB). */
  readonly maxAnswerBytes?: number | undefined;
  /** Most requests in any minute, tries again included, of all calls together. No limit by default. */
  readonly requestsPerMinute?: number | undefined;
  /** Told, before a request is sent again, why and when; for progress. */
  readonly onRetry?: ((message: string) => void) | undefined;
  /** Another `fetch`, for example through a proxy. It must not follow redirects when told `manual`. */
  readonly fetch?: typeof fetch | undefined;
  /** How waiting is done; for tests. */
  readonly sleep?: Sleep | undefined;
  /** The time, in milliseconds since 1970; for tests. */
  readonly now?: (() => number) | undefined;
}

/** Which service is spoken to, and how. */
export interface EndpointKind {
  readonly service: ServiceWords;
  readonly model: string;
  /** Prefix of the variables that messages name. */
  readonly source: string;
  /** Longest time for an answer where the options do not say. */
  readonly timeoutMs: number;
  /** Whether a request that is refused for what it says (status 400, 403, 413 or 422) is an answer, too. */
  readonly returnsWrong?: boolean | undefined;
}

/** An answer, and what its body is as JSON; undefined for none. */
export interface JsonReply extends Reply {
  readonly json: unknown;
}

/** An endpoint that can be asked. */
export interface Endpoint {
  readonly names: EndpointNames;
  /**
   * Posts JSON and returns the answer of status 200, trying again when that may help. Once an address has
   * answered well, an answer that tells of an error has the status of that.
   *
   * @param stop ends waiting for a turn and for another try, not what is on its way. Default: the signal.
   *
   * @throws InputError `…_REFUSED`, with the prefix of the service
   * @throws AdapterError `…_UNAVAILABLE`; `…_ANSWER` for one that is too large or no text
   */
  readonly post: (request: object, signal: AbortSignal, stop?: AbortSignal) => Promise<JsonReply>;
}

const OPTIONS: readonly (keyof EndpointOptions)[] = [
  "apiKey",
  "baseUrl",
  "timeoutMs",
  "retries",
  "maxAnswerBytes",
  "requestsPerMinute",
  "onRetry",
  "fetch",
  "sleep",
  "now",
];
const RETRIES = 5;
/** An answer that was cut is paid for. */
const MOST_CUT = 2;

const isGood = ({ status }: Reply): boolean => status >= 200 && status < 300;

/** @throws InputError `…_CONFIG`, `ARGUMENT` for impossible settings. */
export function serviceEndpoint(
  { service, model, source, timeoutMs: usual, returnsWrong = false }: EndpointKind,
  options: EndpointOptions,
): Endpoint {
  // Of a `baseURL` that nobody looks at the key would go to another host.
  checkKnownOptions(options, OPTIONS);
  const { requestsPerMinute, maxAnswerBytes, now = Date.now, sleep = sleepByTheClock } = options;
  const { config } = service.codes;
  const given = typeof options.apiKey === "function" ? options.apiKey() : options.apiKey;
  const apiKey = checkApiKey(given, "apiKey", config);
  const base = checkBaseUrl(options.baseUrl ?? DEFAULT_BASE_URL, apiKey, "baseUrl", config);
  const address = `${base}${service.path}`;
  const timeoutMs = wholeNumber("timeoutMs", options.timeoutMs ?? usual, 1, LONGEST_WAIT_MS);
  const retries = wholeNumber("retries", options.retries ?? RETRIES, 0);
  if (requestsPerMinute !== undefined) wholeNumber("requestsPerMinute", requestsPerMinute);
  if (maxAnswerBytes !== undefined) wholeNumber("maxAnswerBytes", maxAnswerBytes);
  // Looked up at each call, and called by itself: browsers refuse it as a method of anything but the window.
  const send = options.fetch ?? ((...request: Parameters<typeof fetch>) => fetch(...request));
  const names: EndpointNames = { service, address, model, apiKey, source };
  const headers = {
    "content-type": "application/json",
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  const turn = rateLimit(requestsPerMinute, now, sleep);
  const random = seededRandom(now());
  let hasAnswered = false;

  const post = async (request: object, signal: AbortSignal, stop = signal): Promise<JsonReply> => {
    const body = JSON.stringify(request);
    let cuts = 0;
    for (let tries = 1; ; tries++) {
      await turn(stop);
      const answered = await askService(address, {
        headers,
        body,
        timeoutMs,
        maxAnswerBytes,
        signal,
        fetch: send,
      });
      if ("failure" in answered && answered.failure === "unusable") throw unusableError(answered, names);
      const json = "status" in answered && isGood(answered) ? tryParseJson(answered.body) : undefined;
      const within = statusWithin(json, names);
      // Gateways under load cut bodies, or send errors so; an address that never answered well is likely to
      // be another.
      const outcome =
        "status" in answered && within !== undefined && hasAnswered
          ? { ...answered, status: within, isWithin: true }
          : answered;
      const isRight = "status" in outcome && isGood(outcome);
      if (isRight) {
        const isCut = json === undefined && hasAnswered;
        if (!isCut) {
          hasAnswered ||= json !== undefined && within === undefined;
          return { ...outcome, json };
        }
        if (++cuts > MOST_CUT || tries > retries) throw cutError(cuts, names);
      }
      if ("status" in outcome && returnsWrong && WRONG.includes(outcome.status))
        return { ...outcome, json: undefined };
      if ("status" in outcome && !isRight && !isPassing(outcome)) throw refusalError(outcome, names);
      if (tries > retries) throw exhaustionError(outcome, tries, names);
      const asked = "status" in outcome ? outcome.retryAfter : undefined;
      const delay = retryDelay(tries, asked, random, now);
      options.onRetry?.(describeRetry(outcome, names, `${tries} of ${retries}`, delay));
      await sleep(delay, stop);
    }
  };
  return { names, post };
}
