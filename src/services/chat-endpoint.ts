import { InputError } from "../foundation/errors/index.js";
import { serviceEndpoint, type EndpointOptions, type JsonReply } from "./endpoint.js";
import { SHORTEST_KEY_SOUGHT } from "./endpoint-address.js";
import {
  answerError,
  complaintOf,
  refusalError,
  type EndpointNames,
  type ServiceWords,
} from "./endpoint-errors.js";
import type { Reply } from "./ask-service.js";
import { withoutSecret } from "./without-secret.js";

/** How the model is made to answer in JSON, from the strictest on. */
export const answerFormats = ["json_schema", "json_object", "text"] as const;
/** How the model is made to answer in JSON. */
export type AnswerFormat = (typeof answerFormats)[number];

/** What an endpoint turned out to take. */
export interface AcceptedRequest {
  readonly format: AnswerFormat;
  /** Parameters that it refused, which are left out. */
  readonly without: readonly string[];
}

/** An OpenAI-compatible chat endpoint, and how it is used. */
export interface ChatOptions extends EndpointOptions {
  /** Its model. */
  readonly model: string;
  /** Sent with each request as they are: `{ temperature: 0 }`. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  /** Prefix of the variables that messages name. Default `RANKPROOF_CHAT`. */
  readonly source?: "RANKPROOF_CHAT" | "OPENAI" | undefined;
}

/** One question. */
export interface ChatRequest {
  readonly system: string;
  readonly user: string;
  /** JSON Schema of the answer, and its name. */
  readonly schema: { readonly name: string; readonly schema: object };
}

/** What a model said. */
export interface ChatAnswer {
  /** Its text; null where it refused to answer. */
  readonly text: string | null;
  /** Whether it ends where the endpoint allows no more tokens. */
  readonly isCutOff: boolean;
  /** The model that answered, by its own word. */
  readonly model: string | undefined;
  readonly tokens: { readonly input: number; readonly output: number } | undefined;
  /** As what it was asked. */
  readonly accepted: AcceptedRequest;
}

/** A model to ask. */
export interface Chat {
  /** What the endpoint is known to take; it may become less with an answer. */
  readonly accepted: AcceptedRequest;
  /** Begins with what the endpoint took another time. */
  recall(accepted: AcceptedRequest): void;
  /** @param signal ends waiting for a turn and for another try; an answer that is on its way is taken. */
  ask(request: ChatRequest, signal?: AbortSignal): Promise<ChatAnswer>;
}

const CHAT: ServiceWords = {
  codes: {
    config: "CHAT_CONFIG",
    refused: "CHAT_REFUSED",
    unavailable: "CHAT_UNAVAILABLE",
    answer: "CHAT_ANSWER",
  },
  path: "/chat/completions",
  missing: "",
  api: "an OpenAI-compatible API",
  answer: "a completion",
  field: "choices",
  variables: "RANKPROOF_CHAT",
  rate: " of the labeler",
};
const TIMEOUT_MS = 120_000;

/**
 * An OpenAI-compatible `/chat/completions`. Where an endpoint refuses a JSON Schema it is asked for JSON,
 * then for text; a parameter that it names as wrong is left out from then on. The key is in no message, no
 * error and no property; a redirect to another host is not followed.
 *
 * @throws InputError `CHAT_CONFIG`, `ARGUMENT` for impossible settings; when asking, `CHAT_REFUSED`
 * @throws AdapterError when asking: `CHAT_UNAVAILABLE` after the last try, `CHAT_ANSWER` for answers that
 * cannot be read. An abort rejects with its own reason, where no answer is on its way.
 */
export function chatEndpoint(options: ChatOptions): Chat {
  const { model, parameters = {}, source = "RANKPROOF_CHAT" } = options;
  if (typeof model !== "string" || model === "")
    throw new InputError("CHAT_CONFIG", `no model is named; give \`model\`, or set \`${source}_MODEL\``);
  const { names, post } = serviceEndpoint(
    { service: CHAT, model, source, timeoutMs: TIMEOUT_MS, returnsWrong: true },
    options,
  );
  let accepted: AcceptedRequest = { format: "json_schema", without: [] };
  let hasLearnt = false;

  return {
    get accepted() {
      return accepted;
    },
    recall(earlier) {
      // What this process was refused is newer than what another one was granted.
      if (!hasLearnt) accepted = earlier;
    },
    async ask({ system, user, schema }, signal = new AbortController().signal) {
      for (;;) {
        const asked = accepted;
        const reply = await post(
          {
            model,
            messages: [
              { role: "system", content: system },
              { role: "user", content: user },
            ],
            ...Object.fromEntries(
              Object.entries(parameters).filter(([name]) => !asked.without.includes(name)),
            ),
            ...responseFormat(asked.format, schema),
          },
          // An answer that is on its way is paid.
          new AbortController().signal,
          signal,
        );
        if (reply.status >= 200 && reply.status < 300) return { ...answerOf(reply, names), accepted: asked };
        const less = isOfContent(reply) ? undefined : lessThan(asked, reply, Object.keys(parameters));
        if (less === undefined) {
          const text = textInstead(reply);
          if (text === undefined) throw refusalError(reply, names);
          return { text, isCutOff: false, model: undefined, tokens: undefined, accepted: asked };
        }
        // Another request may have found out the same in the meantime.
        if (accepted === asked) accepted = less;
        hasLearnt = true;
      }
    },
  };
}

function responseFormat(format: AnswerFormat, { name, schema }: ChatRequest["schema"]): object {
  if (format === "text") return {};
  return {
    response_format:
      format === "json_object"
        ? { type: "json_object" }
        : { type: "json_schema", json_schema: { name, strict: true, schema } },
  };
}

/** What to try after a request was refused as wrong; undefined where the refusal names nothing of it. */
function lessThan(
  { format, without }: AcceptedRequest,
  reply: Reply,
  parameters: readonly string[],
): AcceptedRequest | undefined {
  const { param, words } = complaintOf(reply);
  const sent = parameters.filter((name) => !without.includes(name));
  const meant = sent.find((name) => name === param);
  const isFormat = /response_format|json_schema|json_object|json schema|json mode/.test(
    `${param ?? ""} ${words}`,
  );
  const next = answerFormats[answerFormats.indexOf(format) + 1];
  if (meant === undefined && isFormat && next !== undefined) return { format: next, without };
  const named = meant ?? sent.find((name) => namesWord(words, name));
  return named === undefined ? undefined : { format, without: [...without, named].sort() };
}

/** Whether a text has a name in quotes; one that is only mentioned may be no reason. */
function namesWord(text: string, name: string): boolean {
  return ["'", '"', "`"].some((quote) => text.includes(`${quote}${name.toLowerCase()}${quote}`));
}

/** Groq's for what its model has written; another time it may be right. */
const BAD_ANSWER = "json_validate_failed";
/** Codes and types of a refusal for what is asked about: OpenAI's, llama.cpp's and Groq's. */
const OF_CONTENT: readonly string[] = [
  "content_filter",
  "context_length_exceeded",
  "string_above_max_length",
  "exceed_context_size_error",
  BAD_ANSWER,
];
/** The same in words, of services that have no code for it: vLLM, Mistral, Anthropic, Gemini. */
const TOO_LONG = /maximum context length|context (?:size|window)|prompt is too long|input token count/;
const [FORBIDDEN, TOO_LARGE] = [403, 413];

/** Whether it is plain that a request was refused for what is asked about, whatever else its words name. */
function isOfContent(reply: Reply): boolean {
  const { code = "", type = "" } = complaintOf(reply);
  return (
    reply.status === FORBIDDEN ||
    reply.status === TOO_LARGE ||
    [code, type].some((name) => OF_CONTENT.includes(name))
  );
}

/**
 * What comes of a request that was refused for what is asked about, so that another one may not be: null as
 * of a model that refuses, a text that is no answer and may be one another time. Undefined for any other
 * refusal.
 */
function textInstead(reply: Reply): "" | null | undefined {
  const { code, words, isFlagged } = complaintOf(reply);
  if (code === BAD_ANSWER) return "";
  const isRefused = reply.status === FORBIDDEN ? isFlagged : isOfContent(reply) || TOO_LONG.test(words);
  return isRefused ? null : undefined;
}

/** What is read of an answer, none of which needs to be there. */
interface Completion {
  readonly choices?: unknown;
  readonly model?: unknown;
  readonly usage?: { readonly prompt_tokens?: unknown; readonly completion_tokens?: unknown } | null;
}

interface Choice {
  readonly message?: { readonly content?: unknown; readonly refusal?: unknown } | null;
  readonly finish_reason?: unknown;
}

function answerOf(reply: JsonReply, names: EndpointNames): Omit<ChatAnswer, "accepted"> {
  const answer = reply.json as Completion | null | undefined;
  const choices: unknown = answer?.choices;
  const choice = Array.isArray(choices) ? (choices[0] as Choice | null | undefined) : undefined;
  // An answer of none is one, too, and is paid for: it is read as an empty text.
  const isEmpty = Array.isArray(choices) && (answer?.usage ?? answer?.model) != null;
  if (answer == null || (choice == null && !isEmpty)) throw answerError(reply, names);
  const { message, finish_reason } = choice ?? {};
  const { content, refusal } = message ?? {};
  // A server may repeat what it was sent.
  const key = (names.apiKey?.length ?? 0) < SHORTEST_KEY_SOUGHT ? undefined : names.apiKey;
  const clean = (text: string): string => withoutSecret(text, key);
  const isRefusal = (typeof refusal === "string" && refusal !== "") || finish_reason === "content_filter";
  const { prompt_tokens: input, completion_tokens: output } = answer.usage ?? {};
  return {
    text: isRefusal ? null : clean(textOf(content)),
    isCutOff: finish_reason === "length",
    model: typeof answer.model === "string" ? clean(answer.model) : undefined,
    tokens: isCount(input) && isCount(output) ? { input, output } : undefined,
  };
}

interface TextPart {
  readonly type?: unknown;
  readonly text?: unknown;
}

/** The text of a message, which may come in parts. */
function textOf(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === "string" ? content : "";
  return content.map((part: TextPart | null) => (part?.type === "text" ? textOf(part.text) : "")).join("");
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
