import { InputError } from "../foundation/errors/index.js";
import { checkApiKey, checkBaseUrl, DEFAULT_BASE_URL } from "./endpoint-address.js";
import { endpointSource, variablesOf } from "./endpoint-variables.js";

/** Where and whom to ask. `openaiLabeler` of `rankproof/label` takes it as it is. */
export interface ChatSettings {
  /** Prefix of the variables that say where the endpoint is. */
  readonly source: "RANKPROOF_CHAT" | "OPENAI";
  /** A function, so that the key is not in what is printed or stored of the settings. */
  readonly apiKey?: (() => string) | undefined;
  readonly baseUrl: string;
  readonly model?: string | undefined;
}

/**
 * The chat settings of environment variables: `RANKPROOF_CHAT_API_KEY`, `_BASE_URL` and `_MODEL`; only where
 * neither key nor base URL is set, `OPENAI_API_KEY`, `OPENAI_BASE_URL` and `OPENAI_MODEL`, as a whole.
 *
 * @param env for example `process.env`.
 * @throws InputError `CHAT_CONFIG` when no pair is set, or a value is not possible.
 */
export function chatSettingsFrom(env: Readonly<Record<string, string | undefined>>): ChatSettings {
  const set = variablesOf(env);
  const source = endpointSource(set, ["RANKPROOF_CHAT", "OPENAI"]);
  if (source === undefined)
    throw new InputError(
      "CHAT_CONFIG",
      "no chat endpoint is set up; set `RANKPROOF_CHAT_API_KEY` for OpenAI's, and " +
        "`RANKPROOF_CHAT_BASE_URL` too for any other (or `OPENAI_API_KEY` and `OPENAI_BASE_URL`)",
    );
  const key = checkApiKey(set(`${source}_API_KEY`), `${source}_API_KEY`, "CHAT_CONFIG");
  const baseUrl = set(`${source}_BASE_URL`) ?? DEFAULT_BASE_URL;
  return {
    source,
    ...(key !== undefined && { apiKey: () => key }),
    baseUrl: checkBaseUrl(baseUrl, key, `${source}_BASE_URL`, "CHAT_CONFIG"),
    model: set(`${source}_MODEL`),
  };
}
