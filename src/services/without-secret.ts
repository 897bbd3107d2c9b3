/**
 * Servers may truncate an echoed key: prefixes from this length on are redacted, too; shorter ones reveal
 * nothing.
 */
const SHORTEST_BEGINNING = 8;
const MASK = "***";

/**
 * Foreign text without the key: plain, as URLs and JSON write it, whole or cut off. Of a longer
 * key the beginning is looked for, and what follows up to a space is masked with it.
 */
export function withoutSecret(text: string, secret: string | undefined): string {
  if (secret === undefined) return text;
  const beginning = [...secret.slice(0, SHORTEST_BEGINNING)].map(inAnyForm).join("");
  return text.replace(
    new RegExp(secret.length > SHORTEST_BEGINNING ? String.raw`${beginning}\S*` : beginning, "gi"),
    MASK,
  );
}

/** A pattern for a character as it is, behind backslashes, or by its number, in JSON or in a URL. */
function inAnyForm(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(2, "0");
  return String.raw`(?:\\*(?:\x${code}|u00${code})|%(?:25)*${code})`;
}
