import { InputError } from "../foundation/errors/index.js";
import { checkApiKey, checkBaseUrl } from "./endpoint-address.js";
import { variablesOf } from "./endpoint-variables.js";

/** Where and whom to ask. {@link httpReranker} takes it as it is. */
export interface RerankSettings {
  /** A function, so that the key is not in what is printed or stored of the settings. */
  readonly apiKey?: (() => string) | undefined;
  readonly baseUrl: string;
  readonly model?: string | undefined;
}

/**
 * The reranker of environment variables: `RANKPROOF_RERANK_BASE_URL`, and `_API_KEY` and `_MODEL` where it
 * needs them.
 *
 * @param env for example `process.env`.
 * @throws InputError `RERANK_CONFIG` when no address is set, or a value is not possible.
 */
export function rerankSettingsFrom(env: Readonly<Record<string, string | undefined>>): RerankSettings {
  const set = variablesOf(env);
  const address = set("RANKPROOF_RERANK_BASE_URL");
  if (address === undefined)
    throw new InputError(
      "RERANK_CONFIG",
      "no reranker is set up; set `RANKPROOF_RERANK_BASE_URL` to what `/rerank` is appended to, and " +
        "`RANKPROOF_RERANK_API_KEY` where it needs a key",
    );
  const key = checkApiKey(set("RANKPROOF_RERANK_API_KEY"), "RANKPROOF_RERANK_API_KEY", "RERANK_CONFIG");
  return {
    ...(key !== undefined && { apiKey: () => key }),
    baseUrl: checkBaseUrl(address, key, "RANKPROOF_RERANK_BASE_URL", "RERANK_CONFIG"),
    model: set("RANKPROOF_RERANK_MODEL"),
  };
}
