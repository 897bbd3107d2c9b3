import { semaphore } from "../foundation/async/index.js";
import { wholeNumber } from "../foundation/checks/index.js";
import { AdapterError, InputError, quote } from "../foundation/errors/index.js";
import { canonicalJson } from "../foundation/text/index.js";
import type { Reranker } from "../records/index.js";
import { serviceEndpoint, type EndpointOptions, type JsonReply } from "./endpoint.js";
import { answerError, type EndpointNames, type ServiceWords } from "./endpoint-errors.js";

/** How rerank services are asked, each in one of two common ways. */
export const rerankForms = ["documents", "texts"] as const;
/** How a rerank service is asked. */
export type RerankForm = (typeof rerankForms)[number];

/** A service that scores documents for a question, and how it is asked. */
export interface HttpRerankerOptions extends EndpointOptions {
  /** What `/rerank` is appended to. */
  readonly baseUrl: string;
  /** Sent where it is given; some services serve one model only. */
  readonly model?: string | undefined;
  /**
   * `documents` (Cohere, Jina, vLLM): `{query, documents, top_n}`, and `results` of `{index,
   * relevance_score}`. `texts` (Text Embeddings Inference): `{query, texts}`, and a list of `{index, score}`.
   * Default `documents`.
   */
  readonly form?: RerankForm | undefined;
  /** Most requests at once, of all calls together. No limit by default. */
  readonly concurrency?: number | undefined;
}

const RERANK: ServiceWords = {
  codes: {
    config: "RERANK_CONFIG",
    refused: "RERANK_REFUSED",
    unavailable: "RERANK_UNAVAILABLE",
    answer: "RERANK_ANSWER",
  },
  path: "/rerank",
  missing: "",
  api: "a rerank service",
  answer: "scores",
  field: "results",
  variables: "RANKPROOF_RERANK",
  rate: " of the reranker",
};
const TIMEOUT_MS = 60_000;

/**
 * A reranker behind HTTP. A document without any text is not sent, since services refuse it; its score is 0.
 * The key is in no message, no error and no property; a redirect to another host is not followed.
 *
 * @throws InputError `RERANK_CONFIG`, `ARGUMENT` for impossible settings; when asked, `RERANK_REFUSED`
 * @throws AdapterError when asked: `RERANK_UNAVAILABLE` after the last try, `RERANK_ANSWER` for answers that
 * are not one finite score for each document. An abort rejects with its own reason.
 */
export function httpReranker({
  model,
  form = "documents",
  concurrency,
  ...options
}: HttpRerankerOptions): Reranker {
  if (concurrency !== undefined) wholeNumber("concurrency", concurrency);
  const atOnce = semaphore(concurrency);
  if (!rerankForms.includes(form))
    throw new InputError("ARGUMENT", `form must be ${rerankForms.join(" or ")}, got ${quote(form)}`);
  const { names, post } = serviceEndpoint(
    { service: RERANK, model: model ?? "its own", source: "RANKPROOF_RERANK", timeoutMs: TIMEOUT_MS },
    options,
  );
  return {
    identity: canonicalJson({ kind: "http", address: names.address, model: model ?? null, form }),
    async score(query, documents, { signal = new AbortController().signal } = {}) {
      const places = documents.flatMap(({ text }, place) => (text.trim() === "" ? [] : [place]));
      const scores = new Array<number>(documents.length).fill(0);
      if (places.length === 0) return scores;
      const texts = places.map((place) => documents[place]?.text);
      const request = {
        ...(model !== undefined && { model }),
        query,
        ...(form === "texts" ? { texts } : { documents: texts, top_n: texts.length }),
      };
      const reply = await atOnce(() => post(request, signal));
      scoresIn(reply, names, form, texts.length).forEach((score, at) => {
        scores[places[at] as number] = score;
      });
      return scores;
    },
  };
}

/** Services answer in the order of the scores. */
function scoresIn(reply: JsonReply, names: EndpointNames, form: RerankForm, count: number): number[] {
  const answer = reply.json;
  const list = form === "texts" ? answer : (answer as { results?: unknown } | null | undefined)?.results;
  if (!Array.isArray(list)) throw answerError(reply, names);
  const scores = new Map<unknown, unknown>();
  for (const one of list as readonly ({
    index?: unknown;
    score?: unknown;
    relevance_score?: unknown;
  } | null)[])
    scores.set(one?.index, form === "texts" ? one?.score : one?.relevance_score);
  const inOrder = Array.from({ length: count }, (_, index) => scores.get(index));
  if (list.length !== count || !inOrder.every((score) => Number.isFinite(score)))
    throw new AdapterError(
      "RERANK_ANSWER",
      `${names.address}: must answer with a finite score for each \`index\` from 0 to ${count - 1}, ` +
        "each once",
    );
  return inOrder as number[];
}
