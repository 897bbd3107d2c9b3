import { InputError, quote } from "../foundation/errors/index.js";
import { withoutSecret } from "./without-secret.js";

/** Whose setting is wrong. */
type ConfigCode = "EMBEDDING_CONFIG" | "CHAT_CONFIG" | "RERANK_CONFIG";

/** Where a key without a base URL belongs. */
export const DEFAULT_BASE_URL = "https://api.openai.com/v1";
/** Shorter keys are placeholders such as `none`, which may well be a part of an address. */
export const SHORTEST_KEY_SOUGHT = 8;

/**
 * The base URL of an endpoint, without a slash at its end.
 *
 * Refused are, without being printed: credentials, a query or a fragment in it (an address is shown in
 * messages and reports), and a key that would travel unencrypted to another machine.
 *
 * @param name what messages call it: an option or a variable.
 * @throws InputError `…_CONFIG`
 */
export function checkBaseUrl(
  text: string,
  apiKey: string | undefined,
  name: string,
  code: ConfigCode = "EMBEDDING_CONFIG",
): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const refuse = (message: string): InputError => new InputError(code, `${name}: ${message}`);
  // Not shown: what is no address may be a key in the wrong place.
  if (url === undefined)
    throw refuse("must be an address such as `https://api.openai.com/v1`, got something that is none");
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw refuse(`must begin with \`https://\` or \`http://\`, got ${quote(url.protocol)}`);
  if (url.username !== "" || url.password !== "")
    throw refuse("must not have a user or password in it; give the key by itself");
  if (url.search !== "" || url.hash !== "")
    throw refuse("must not have `?` or `#` in it; leave off what follows, and give the key by itself");
  if (apiKey !== undefined && apiKey.length >= SHORTEST_KEY_SOUGHT && withoutSecret(text, apiKey) !== text)
    throw refuse("must not have the key in it; addresses are shown in messages");
  if (apiKey !== undefined && url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw refuse(
      `would send the key unencrypted to ${quote(url.host)}; use \`https://\`, or leave the key out ` +
        "where none is needed",
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** As `URL` writes a host: `127.1` has become `127.0.0.1`. */
function isLoopback(host: string): boolean {
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "[::1]" ||
    /^127\.\d+\.\d+\.\d+$/.test(host)
  );
}

/**
 * A key that can stand in a header; undefined for an empty one.
 *
 * `fetch` would refuse others, with the key in its message.
 *
 * @throws InputError `…_CONFIG`, without the key.
 */
export function checkApiKey(
  text: string | undefined,
  name: string,
  code: ConfigCode = "EMBEDDING_CONFIG",
): string | undefined {
  const key = text?.trim() ?? "";
  if (key === "") return undefined;
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new InputError(
      code,
      `${name}: must be one word of plain characters, got something with others in it; copy the key again`,
    );
  return key;
}
