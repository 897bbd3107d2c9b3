import { messageOf } from "../foundation/errors/index.js";
import { linkController, raceAbort } from "../foundation/async/index.js";

/** One request to an external service. */
export interface ServiceRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** Default `POST`. */
  readonly method?: "GET" | "POST" | undefined;
  /** None for `GET`. */
  readonly body?: string | undefined;
  /** For all of it: to connect, to answer, and to the end of the answer. */
  readonly timeoutMs: number;
  /** Most bytes of an answer, unpacked. Default {@link MAX_ANSWER_BYTES}. */
  readonly maxAnswerBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly fetch: typeof fetch;
}

/** An answer of a service, read to its end. */
export interface Reply {
  /** 0 for a redirect whose status a browser hides. */
  readonly status: number;
  readonly body: string;
  readonly retryAfter: string | undefined;
  /** Where a redirect leads that was not followed. */
  readonly location: string | undefined;
  /** Whether the status is that of an error that stands in an answer of status 200. */
  readonly isWithin?: boolean;
}

/** Why there is no answer. */
export interface NoReply {
  /** `unusable`: there is one, and it is too large or no text; it would be the same another time. */
  readonly failure: "timeout" | "network" | "unusable";
  /** What happened, without the request and its headers. */
  readonly reason: string;
}

/** Far more than thousands of vectors or hits need. */
const MAX_ANSWER_BYTES = 64 * 2 ** 20;
/** Of an answer that is an error, its beginning says what there is to say. */
const MAX_ERROR_BYTES = 2 ** 16;
const MOST_REDIRECTS = 5;
/** The redirects that keep method and body; a client that follows another one asks for something else. */
const SAME_METHOD = [307, 308];

/**
 * Asks a service. The only way to one: it decides for all what is followed, how long is waited and
 * how much is read.
 *
 * A redirect is followed only to the same origin and with the same method, so that a key reaches no other
 * host and no other question is answered.
 *
 * @throws the reason of an aborted `signal`, and nothing else.
 */
export async function askService(address: string, request: ServiceRequest): Promise<Reply | NoReply> {
  const { timeoutMs, signal } = request;
  const { controller, letGo } = linkController(signal);
  let isTooLate = false;
  const timer = setTimeout(() => {
    isTooLate = true;
    controller.abort();
  }, timeoutMs);
  try {
    return await raceAbort(() => follow(address, request, controller.signal), controller.signal);
  } catch (error) {
    signal?.throwIfAborted();
    return isTooLate
      ? { failure: "timeout", reason: `nothing came within ${timeoutMs} ms` }
      : { failure: "network", reason: networkReason(error) };
  } finally {
    clearTimeout(timer);
    letGo();
  }
}

async function follow(
  address: string,
  request: ServiceRequest,
  signal: AbortSignal,
): Promise<Reply | NoReply> {
  const { headers, method = "POST", body = null, fetch, maxAnswerBytes = MAX_ANSWER_BYTES } = request;
  let url = address;
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(url, { method, headers, body, redirect: "manual", signal });
    const { status } = response;
    const location = response.headers.get("location") ?? undefined;
    const target =
      location === undefined || !URL.canParse(location, url) ? undefined : new URL(location, url);
    if (
      SAME_METHOD.includes(status) &&
      target?.origin === new URL(url).origin &&
      redirects < MOST_REDIRECTS
    ) {
      await response.body?.cancel();
      url = target.href;
      continue;
    }
    const reply = {
      status,
      retryAfter: response.headers.get("retry-after") ?? undefined,
      location: target === undefined ? undefined : target.origin + target.pathname,
    };
    // A custom `fetch` may have followed a redirect all the same.
    if (response.redirected) {
      await response.body?.cancel();
      return { ...reply, status: 0, body: "" };
    }
    if (status < 200 || status >= 300)
      return { ...reply, body: (await readBody(response, MAX_ERROR_BYTES, false)).text };
    return readAnswer(response, reply, maxAnswerBytes);
  }
}

async function readAnswer(
  response: Response,
  reply: Omit<Reply, "body">,
  maxBytes: number,
): Promise<Reply | NoReply> {
  const limit = `at most ${maxBytes} bytes are read (\`maxAnswerBytes\`)`;
  const declared = Number(response.headers.get("content-length") ?? 0);
  if (declared > maxBytes) {
    await response.body?.cancel();
    return { failure: "unusable", reason: `announces an answer of ${declared} bytes; ${limit}` };
  }
  const { text, isWhole, isText } = await readBody(response, maxBytes, true);
  if (!isText) return { failure: "unusable", reason: "answers with something that is not UTF-8 text" };
  return isWhole
    ? { ...reply, body: text }
    : { failure: "unusable", reason: `answers with more than can be taken, or without an end; ${limit}` };
}

interface ReadBody {
  readonly text: string;
  /** False where the limit cut it off. */
  readonly isWhole: boolean;
  /** False where `isStrict` and the bytes are not UTF-8. */
  readonly isText: boolean;
}

/** An answer as text, up to a number of unpacked bytes; what follows is not waited for. */
async function readBody(response: Response, maxBytes: number, isStrict: boolean): Promise<ReadBody> {
  const decoder = new TextDecoder("utf-8", { fatal: isStrict });
  const reader = response.body?.getReader();
  let text = "";
  for (let length = 0; ;) {
    const value = (await reader?.read())?.value;
    length += value?.length ?? 0;
    const isOver = length > maxBytes;
    try {
      text += decoder.decode(isOver ? value?.subarray(0, value.length - (length - maxBytes)) : value, {
        stream: value !== undefined,
      });
    } catch {
      await reader?.cancel();
      return { text, isWhole: false, isText: false };
    }
    if (isOver) await reader?.cancel();
    if (isOver || value === undefined) return { text, isWhole: !isOver, isText: true };
  }
}

/**
 * `fetch failed` says nothing; the system's code is underneath. Words only: the error itself may hold the
 * request, and with it a key.
 */
function networkReason(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (typeof cause === "object" && cause !== null && "code" in cause) return String(cause.code);
  return messageOf(cause ?? error);
}
