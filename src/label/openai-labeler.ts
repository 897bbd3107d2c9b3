import { bytesToHex, randomBytes } from "@noble/hashes/utils.js";
import { wholeNumber } from "../foundation/checks/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { answerFormats, chatEndpoint, type AcceptedRequest, type ChatOptions } from "../services/index.js";
import { redactSecrets } from "../foundation/text/index.js";
import { isLabelGrade, raterId, type Rater, type TokenPrice } from "../records/index.js";
import {
  GRADES_SCHEMA,
  gradesRequest,
  jsonOfAnswer,
  PROFILE_SCHEMA,
  profileRequest,
  describeItem,
  type QueryProfile,
} from "./chat-prompt.js";
import { wrongGrade } from "./answers.js";
import { addCosts } from "./costs.js";
import type { Cost, ItemVerdict, Labeler, LabelReply, LabelRequest } from "./labeler.js";
import { labelPrompts, type LabelPrompt } from "./prompts/index.js";

/** A model as a labeler. The settings of `chatSettingsFrom` can be given as they are. */
export interface OpenaiLabelerOptions extends ChatOptions {
  /** Its name as a rater. Default `openai`. */
  readonly name?: string | undefined;
  /** One of `labelPrompts`, by id, or one of your own. Default `product`. */
  readonly prompt?: string | LabelPrompt | undefined;
  /**
   * `simple` asks for grades; `complex` first for the intent, type and attributes of the query, once for each
   * query and build. Default `simple`.
   */
  readonly mode?: "simple" | "complex" | undefined;
  /** Most characters of an item that are sent. Default 2,000. */
  readonly maxItemCharacters?: number | undefined;
  /** Without it no money is counted. */
  readonly price?: TokenPrice | undefined;
}

const MAX_ITEM_CHARACTERS = 2000;
/** Bytes of UTF-8 to a token, about. */
const BYTES_PER_TOKEN = 3;
/** What a grade takes of an answer, about: `{"item": 12, "grade": 2},`. */
const TOKENS_PER_GRADE = 12;
const TOKENS_OF_PROFILE = 150;

/**
 * A model behind an OpenAI-compatible chat endpoint as a labeler: OpenAI, Azure, Mistral, vLLM, Ollama,
 * llama.cpp and many more. Item text is data of others: it is fenced by a mark that is random for each
 * request, cut, and shown with every character that cannot be seen made visible; and no answer is guessed
 * at.
 *
 * How the endpoint can be made to answer in JSON, and which parameters it refuses, is found out with the
 * first answer and is part of the rater, which a later build recalls from the store.
 *
 * @throws InputError `CHAT_CONFIG`, `ARGUMENT` for impossible settings; when asked, as `chatEndpoint` does.
 */
// eslint-disable-next-line max-lines-per-function -- its methods share what it closes over
export function openaiLabeler(options: OpenaiLabelerOptions): Labeler {
  const { name = "openai", model, mode = "simple", parameters = {}, price } = options;
  const prompt = promptOf(options.prompt ?? "product");
  const most = wholeNumber("maxItemCharacters", options.maxItemCharacters ?? MAX_ITEM_CHARACTERS);
  if (mode !== "simple" && mode !== "complex")
    throw new InputError("ARGUMENT", `mode must be simple or complex, got ${quote(mode)}`);
  const chat = chatEndpoint(options);
  const raterWith = ({ format, without }: AcceptedRequest): Rater => ({
    kind: "model",
    name,
    model,
    prompt: prompt.id,
    prompt_version: prompt.version,
    parameters: {
      ...Object.fromEntries(
        Object.entries(redactSecrets(parameters).config).filter(([key]) => !without.includes(key)),
      ),
      mode,
      max_item_characters: most,
      response_format: format,
      ...(without.length > 0 && { without }),
    },
  });

  const costOf = (tokens: Cost["tokens"]): Cost => ({
    ...(tokens && { tokens }),
    ...(tokens && price && { price: priceOf(tokens, price) }),
  });

  /** What is kept of the query, else asked for now; undefined where the model said nothing of use. */
  const profileOf = async ({ query, signal, profile: kept }: LabelRequest): Promise<AskedProfile> => {
    const before = await kept?.read();
    if (before !== undefined) return { profile: profileFrom(before), cost: unbookedOf(before), requests: 0 };
    const request = { ...profileRequest(prompt, query, newMark()), schema: PROFILE_SCHEMA };
    const answer = await chat.ask(request, signal);
    const profile = profileFrom(answer.text === null ? undefined : jsonOfAnswer(answer.text));
    const cost = costOf(answer.tokens);
    // Also that there is none: it would be asked for with every batch.
    await kept?.keep(isUntold(cost) ? (profile ?? null) : { ...profile, unbooked: cost });
    return { profile, cost, requests: 1 };
  };

  return {
    get rater() {
      return raterWith(chat.accepted);
    },
    recall(raters) {
      // The last of them: what the endpoint took most recently.
      for (const rater of [...raters].reverse()) {
        const accepted = findAcceptedRequest(rater);
        if (accepted === undefined || raterId(raterWith(accepted)) !== raterId(rater)) continue;
        chat.recall(accepted);
        return;
      }
    },
    estimate({ query, items }) {
      const { system, user } = gradesRequest(
        prompt,
        query,
        items.map((item) => describeItem(item, most)),
        undefined,
        "0".repeat(16),
      );
      const bytes = new TextEncoder().encode(system + user).length;
      const profile = mode === "complex" ? TOKENS_OF_PROFILE : 0;
      const cost = costOf({
        input: Math.ceil(bytes / BYTES_PER_TOKEN) + 2 * profile,
        output: TOKENS_PER_GRADE * items.length + profile,
      });
      return { ...cost, requests: mode === "complex" ? 2 : 1 };
    },
    async label(request) {
      const { query, items, signal } = request;
      const known = mode === "complex" ? await profileOf(request) : undefined;
      const shownItems = items.map((item) => describeItem(item, most));
      const answer = await chat.ask(
        { ...gradesRequest(prompt, query, shownItems, known?.profile, newMark()), schema: GRADES_SCHEMA },
        signal,
      );
      // From now on the labels have what the profile took.
      if (known !== undefined && !isUntold(known.cost)) await request.profile?.keep(known.profile ?? null);
      const verdicts =
        answer.text === null
          ? items.map(({ id }): ItemVerdict => ({ id, outcome: "refused", grade: null }))
          : verdictsFrom(
              jsonOfAnswer(answer.text),
              items.map(({ id }) => id),
              answer.isCutOff,
            );
      return {
        verdicts: verdicts.map((verdict) => ({
          ...verdict,
          sent: shownItems[items.findIndex(({ id }) => id === verdict.id)]?.sent,
        })),
        rater: raterWith(answer.accepted),
        requests: 1 + (known?.requests ?? 0),
        answeredModel: answer.model,
        ...addCosts(costOf(answer.tokens), known?.cost ?? {}),
      } satisfies LabelReply;
    },
  };
}

/** What is known of a query, and what it took to find out, as long as no label has that. */
interface AskedProfile {
  readonly profile: QueryProfile | undefined;
  readonly cost: Cost;
  readonly requests: number;
}

function promptOf(given: string | LabelPrompt): LabelPrompt {
  if (typeof given !== "string") return given;
  const prompt = labelPrompts.find(({ id }) => id === given);
  if (prompt === undefined)
    throw new InputError(
      "ARGUMENT",
      `there is no prompt ${quote(given)}; those that ship are ` +
        labelPrompts.map(({ id }) => id).join(" and "),
    );
  return prompt;
}

/** Text of others cannot know it. */
function newMark(): string {
  return bytesToHex(randomBytes(8));
}

function priceOf(
  tokens: NonNullable<Cost["tokens"]>,
  { input, output, currency }: TokenPrice,
): Cost["price"] {
  return { amount: (tokens.input * input + tokens.output * output) / 1e6, currency };
}

/** What a rater of an earlier build says of its endpoint; undefined for others. */
function findAcceptedRequest({ parameters }: Rater): AcceptedRequest | undefined {
  const { response_format: given, without = [] } = parameters ?? {};
  const format = answerFormats.find((each) => each === given);
  return format === undefined || !Array.isArray(without)
    ? undefined
    : { format, without: without as string[] };
}

/** One verdict for each entry of the answer; what has no usable number names no item. */
function verdictsFrom(answer: unknown, ids: readonly string[], isCutOff: boolean): ItemVerdict[] {
  const entries: unknown = Array.isArray(answer)
    ? answer
    : (answer as { grades?: unknown } | null | undefined)?.grades;
  if (!Array.isArray(entries))
    return ids.map((id) => ({
      id,
      outcome: "invalid",
      grade: null,
      reason: isCutOff
        ? "the answer is cut off at the model's limit of tokens; raise it, or ask for fewer items at once"
        : "the answer is not the JSON that was asked for",
    }));
  const named = entries.map((entry: unknown) => (entry as { item?: unknown } | null | undefined)?.item);
  const other = named.find((item) => Number.isInteger(item) && ids[(item as number) - 1] === undefined);
  // Who counts from 0 or 2 grades every item by its neighbour's number, and leaves one out.
  if (other !== undefined && ids.some((_, at) => !named.includes(at + 1)))
    return ids.map((id) => ({
      id,
      outcome: "invalid",
      grade: null,
      reason: `the answer grades an item ${other as number}, and there were 1 to ${ids.length}`,
    }));
  return entries.flatMap((entry, at): ItemVerdict[] => {
    const { grade } = (entry ?? {}) as { readonly grade?: unknown };
    const item = named[at];
    const id = Number.isInteger(item) ? ids[(item as number) - 1] : undefined;
    if (id === undefined) return [];
    if (grade === null) return [{ id, outcome: "cannot_tell", grade: null }];
    return [
      isLabelGrade(grade)
        ? { id, outcome: "graded", grade }
        : { id, outcome: "invalid", grade: null, reason: wrongGrade(grade) },
    ];
  });
}

/** What a kept profile took, where the request for grades never got an answer. */
function unbookedOf(kept: unknown): Cost {
  return ((kept ?? {}) as { readonly unbooked?: Cost }).unbooked ?? {};
}

function isUntold({ tokens, price }: Cost): boolean {
  return tokens === undefined && price === undefined;
}

function profileFrom(value: unknown): QueryProfile | undefined {
  const { intent, type, required, optional } = (value ?? {}) as Partial<Record<keyof QueryProfile, unknown>>;
  const texts = (list: unknown): list is string[] =>
    Array.isArray(list) && list.every((one) => typeof one === "string");
  return typeof intent === "string" && typeof type === "string" && texts(required) && texts(optional)
    ? { intent, type, required, optional }
    : undefined;
}
