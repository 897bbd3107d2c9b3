import { isRecord } from "../foundation/checks/index.js";
import { countOf } from "../foundation/numbers/index.js";
import { AdapterError, InputError, quote, quoteWithin } from "../foundation/errors/index.js";
import type { NoReply, Reply } from "./ask-service.js";
import { withoutSecret } from "./without-secret.js";

/** What the codes of a service's errors begin with. */
export type ServicePrefix = "EMBEDDING" | "CHAT" | "RERANK";

/** What tells one kind of service from another in messages. */
export interface ServiceWords {
  /** Of its errors. */
  readonly codes: {
    readonly config: `${ServicePrefix}_CONFIG`;
    readonly refused: `${ServicePrefix}_REFUSED`;
    readonly unavailable: `${ServicePrefix}_UNAVAILABLE`;
    readonly answer: `${ServicePrefix}_ANSWER`;
  };
  /** What is appended to the base URL. */
  readonly path: string;
  /** Where it is often missing, as a clause. */
  readonly missing: string;
  /** What is there at a right address. */
  readonly api: string;
  /** What it should answer with. */
  readonly answer: string;
  /** The field that its answers have. */
  readonly field: string;
  /** Prefix of its own variables. */
  readonly variables: string;
  /** How the rate is limited. */
  readonly rate: string;
}

/** What the messages of an endpoint's errors name. */
export interface EndpointNames {
  readonly service: ServiceWords;
  readonly address: string;
  readonly model: string;
  readonly apiKey: string | undefined;
  /** Prefix of the variables that said where it is. */
  readonly source: string;
}

const LONGEST_MESSAGE = 300;

/** Whether an answer may be another one when the request is sent again. */
export function isPassing({ status, body }: Reply): boolean {
  // An account without credit is no matter of seconds, though the status is that of too many requests.
  if (status === 429) return errorOf(body)["code"] !== "insufficient_quota";
  return status === 408 || status >= 500;
}

/** Codes that say that trying again does not help, by the status that goes with them; any other may pass. */
const LASTING: readonly (readonly [status: number, code: RegExp])[] = [
  [401, /api_?key|authenticat|unauthor/i],
  [400, /quota|not_?found|invalid|unsupported|permission|forbidden/i],
  [400, /content_filter|context_length|too_long|max_length/i],
];
const OUT_OF_SERVICE = 503;

/**
 * The status of the error that an answer of a good status tells of instead, as gateways do of what is behind
 * them: its code, or what that says. Undefined for an answer that is one.
 */
export function statusWithin(answer: unknown, { service }: EndpointNames): number | undefined {
  if (!isRecord(answer) || !isTelling(answer["error"])) return undefined;
  const answered: unknown = answer[service.field];
  if (Array.isArray(answered) ? answered.some((each) => each !== null) : answered != null) return undefined;
  const { error } = answer;
  const given = isRecord(error) ? (error["code"] ?? error["type"]) : undefined;
  const code = typeof given === "string" || typeof given === "number" ? String(given) : "";
  const number = Number(code);
  if (Number.isInteger(number) && number >= 400 && number < 600) return number;
  return LASTING.find(([, words]) => words.test(code))?.[0] ?? OUT_OF_SERVICE;
}

/** Whether something is said: services have an empty error where there is none. */
function isTelling(error: unknown): boolean {
  return typeof error === "object" && error !== null
    ? Object.keys(error).length > 0
    : typeof error === "string" && error !== "";
}

/** As messages tell of a status. */
function statusText({ status, isWithin }: Reply): string {
  return isWithin === true ? `200 with error ${status}` : String(status);
}

/**
 * What is wrong when an endpoint refuses. None of its own words is printed before the key is taken out of
 * them.
 */
export function refusalError(reply: Reply, names: EndpointNames): InputError {
  const { address, model, apiKey, source, service } = names;
  const { status } = reply;
  const answered = `answered ${statusText(reply)}${messageIn(reply, names)}`;
  const refuse = (message: string): InputError =>
    new InputError(service.codes.refused, `${address}: ${message}`, { address, model, status });
  if (status === 0 || (status >= 300 && status < 400)) {
    return refuse(
      `redirects${targetOf(reply, names)}, which is not followed, so that the key reaches no other ` +
        `host and the question stays the same; if you trust where it leads, set \`${source}_BASE_URL\` ` +
        "(`baseUrl`) to that",
    );
  }
  if (status === 401 || status === 403) {
    return refuse(
      apiKey === undefined
        ? `${answered}, no key was sent; set \`${source}_API_KEY\`, or \`apiKey\` where the configuration ` +
            "has the address"
        : `${answered}; check the key in \`${source}_API_KEY\` (\`apiKey\`), and that it may use model ` +
            `${quote(model)}`,
    );
  }
  if (errorOf(reply.body)["code"] === "model_not_found")
    return refuse(
      `${answered}; name another model than ${quote(model)} in \`${service.variables}_MODEL\` (\`model\`)`,
    );
  if (status === 404 || status === 405) {
    return refuse(
      `${answered}; either there is no \`${service.path}\` here${service.missing}: set ` +
        `\`${service.variables}_BASE_URL\` (\`baseUrl\`), with its own ` +
        `\`${service.variables}_API_KEY\`, to an endpoint that has one; or it does not know model ` +
        quote(model),
    );
  }
  const advice =
    status === 413 || /batch size/i.test(complaintOf(reply).words)
      ? "send fewer in a request (`batchSize`)"
      : "trying again does not help";
  return refuse(`${answered} for model ${quote(model)}; ${advice}`);
}

/** What is wrong when every try failed. */
export function exhaustionError(last: Reply | NoReply, tries: number, names: EndpointNames): AdapterError {
  const { address, model, source, service } = names;
  const after = tries === 1 ? "after one try" : `after ${tries} tries`;
  if ("failure" in last) {
    const reason = printable(last.reason, names);
    return new AdapterError(
      service.codes.unavailable,
      `${address}: no answer ${after}: ${reason}; check that the address in \`${source}_BASE_URL\` ` +
        "(`baseUrl`) is right and the server is running",
      { address, model, tries, reason },
    );
  }
  const advice =
    last.status === 429
      ? `set \`requestsPerMinute\`${service.rate} to what your account allows, or try again later`
      : "try again later";
  return new AdapterError(
    service.codes.unavailable,
    `${address}: still answered ${statusText(last)} ${after}${messageIn(last, names)}; ${advice}`,
    { address, model, tries, status: last.status },
  );
}

/**
 * Why a request is sent again, and when.
 *
 * @param count which time it is, of how many.
 * @param delay in milliseconds.
 */
export function describeRetry(
  last: Reply | NoReply,
  names: EndpointNames,
  count: string,
  delay: number,
): string {
  const what =
    "failure" in last
      ? `no answer: ${printable(last.reason, names)}`
      : `answered ${statusText(last)}${last.status < 300 ? " with something that is not JSON" : ""}`;
  return `${names.address}: ${what}; asked again in ${(delay / 1000).toFixed(1)} s, ${count}`;
}

/** What is wrong where an address that has answered well sends what is no JSON, again and again. */
export function cutError(count: number, { address, model, service }: EndpointNames): AdapterError {
  return new AdapterError(
    service.codes.answer,
    `${address}: answered with something that is not JSON, ${countOf(count, "time")} for one request, as ` +
      "servers do that are too busy; what was answered so far is kept, try again later",
    { address, model },
  );
}

/** What is wrong with an answer that cannot be read. */
export function unusableError({ reason }: NoReply, { address, model, service }: EndpointNames): AdapterError {
  return new AdapterError(
    service.codes.answer,
    `${address}: ${reason}; check that this is the address of ${service.api}`,
    { address, model, reason },
  );
}

/** What is wrong with an answer that has not what the service is asked for. */
export function answerError(reply: Reply, names: EndpointNames): AdapterError {
  const { address, model, service } = names;
  const what = isHtml(reply.body)
    ? "an HTML page"
    : tryParseJson(reply.body) === undefined
      ? "something that is not JSON"
      : `no \`${service.field}\`${messageIn(reply, names)}`;
  return new AdapterError(
    service.codes.answer,
    `${address}: answered with ${what}, not with ${service.answer}; check that this is the address of ` +
      `${service.api}, which often ends in \`/v1\``,
    { address, model, status: reply.status },
  );
}

/**
 * The value of a JSON text; undefined where it is none. The parser's error is dropped: it quotes the text.
 */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The server's own words, in brackets; nothing where it says nothing of use. */
function messageIn({ body }: Reply, names: EndpointNames): string {
  const { message, detail } = errorOf(body);
  const said = message ?? detail ?? (isHtml(body) || tryParseJson(body) !== undefined ? "" : body.trim());
  const text = typeof said === "string" ? said : JSON.stringify(said);
  return text === "" ? "" : ` (${printable(text, names)})`;
}

/** What an answer says is wrong with a request. */
interface Complaint {
  readonly code: string | undefined;
  readonly type: string | undefined;
  readonly param: string | undefined;
  /** In lower case. */
  readonly words: string;
  /** Whether a moderation did not let it pass, as OpenRouter says with status 403. */
  readonly isFlagged: boolean;
}

export function complaintOf({ body }: Reply): Complaint {
  const { code, type, param, message, detail, metadata } = errorOf(body);
  const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
  return {
    code: text(code),
    type: text(type),
    param: text(param),
    // Not the whole answer, in which a server may repeat what it was asked.
    words: (text(message) ?? text(detail) ?? "").toLowerCase(),
    isFlagged: isRecord(metadata) && "flagged_input" in metadata,
  };
}

/**
 * The part of an answer that tells of an error: OpenAI has it under `error`, others as a text there, or
 * beside it; Gemini has a list of one such answer.
 */
function errorOf(body: string): Readonly<Record<string, unknown>> {
  const parsed = tryParseJson(body);
  const answer: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  if (!isRecord(answer)) return {};
  const { error } = answer;
  if (typeof error === "string") return { message: error };
  return isRecord(error) ? error : answer;
}

function isHtml(body: string): boolean {
  return body.trimStart().startsWith("<");
}

/** The words of a browser do not say where a redirect leads. */
function targetOf({ location }: Reply, names: EndpointNames): string {
  return location === undefined ? "" : ` to ${printable(location, names)}`;
}

/** Foreign text as messages may show it: first without the key, then cut. */
function printable(text: string, { apiKey }: EndpointNames): string {
  return quoteWithin(LONGEST_MESSAGE, withoutSecret(text, apiKey));
}
