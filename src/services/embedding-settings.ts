import { InputError } from "../foundation/errors/index.js";
import { checkApiKey, checkBaseUrl, DEFAULT_BASE_URL } from "./endpoint-address.js";
import { endpointSource, variablesOf } from "./endpoint-variables.js";

/** Which pair of variables says where the endpoint is; they are called `…_API_KEY` and `…_BASE_URL`. */
export type EmbeddingSource = "RANKPROOF_EMBEDDING" | "OPENAI";

/** Where and with what to embed. {@link openaiEmbedder} takes it as it is. */
export interface EmbeddingSettings {
  readonly source: EmbeddingSource;
  /**
   * A function, so that the key is not in what is printed or stored of the settings. Absent where no key is
   * set: none is sent then.
   */
  readonly apiKey?: (() => string) | undefined;
  readonly baseUrl: string;
  readonly model: string;
}

/** The model where none is named. */
export const DEFAULT_MODEL = "text-embedding-3-small";

/**
 * The embedding settings of environment variables; empty ones count as not set.
 *
 * Key and base URL are one pair: `RANKPROOF_EMBEDDING_API_KEY` and `RANKPROOF_EMBEDDING_BASE_URL`; only where
 * neither is set, `OPENAI_API_KEY` and `OPENAI_BASE_URL`. What is missing of a pair is never taken from the
 * other, so that no key reaches another party's host. The model is `RANKPROOF_EMBEDDING_MODEL`, or
 * `OPENAI_EMBEDDING_MODEL`, or `text-embedding-3-small`.
 *
 * @param env for example `process.env`.
 * @throws InputError `EMBEDDING_CONFIG` when no pair is set, or a value is not possible.
 */
export function embeddingSettingsFrom(env: Readonly<Record<string, string | undefined>>): EmbeddingSettings {
  const set = variablesOf(env);
  const source = endpointSource(set, ["RANKPROOF_EMBEDDING", "OPENAI"]);
  if (source === undefined) {
    throw new InputError(
      "EMBEDDING_CONFIG",
      "no embedding endpoint is set up; set `RANKPROOF_EMBEDDING_API_KEY` for OpenAI's, and " +
        "`RANKPROOF_EMBEDDING_BASE_URL` too for any other (or `OPENAI_API_KEY` and `OPENAI_BASE_URL`)",
    );
  }
  const key = checkApiKey(set(`${source}_API_KEY`), `${source}_API_KEY`);
  return {
    source,
    ...(key === undefined ? {} : { apiKey: () => key }),
    baseUrl: checkBaseUrl(set(`${source}_BASE_URL`) ?? DEFAULT_BASE_URL, key, `${source}_BASE_URL`),
    model: set("RANKPROOF_EMBEDDING_MODEL") ?? set("OPENAI_EMBEDDING_MODEL") ?? DEFAULT_MODEL,
  };
}
