import { isEscaped } from "./is-escaped.js";

/** The last escape of a key, up to the colon. */
const ESCAPED_KEY = /\\.[^"\\]*"\s*:/s;

/**
 * Whether this engine mistakes keys. V8 since 12.8 (Node 24, Chrome 128) takes a key with escapes for one
 * that it has read before, if that is what this one begins with as it is written
 * (https://github.com/nodejs/node/issues/63785).
 */
const isMistaking = /*#__PURE__*/ ((): boolean => {
  JSON.parse(String.raw`{"h":0,"\\":0}`);
  return !Object.hasOwn(JSON.parse(String.raw`{"h":0,"\"":0}`) as object, '"');
})();

/**
 * Parses JSON as `JSON.parse` should: where the engine may have mistaken a key, which then has a backslash in
 * it, again.
 *
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return isMistaking && ESCAPED_KEY.test(text) && hasBackslashKey(value) ? parseWithPlainKeys(text) : value;
}

function hasBackslashKey(value: unknown): boolean {
  for (const left = [value]; left.length > 0;) {
    const part = left.pop();
    if (typeof part !== "object" || part === null) continue;
    if (!Array.isArray(part) && Object.keys(part).some((key) => key.includes("\\"))) return true;
    for (const each of Object.values(part)) left.push(each);
  }
  return false;
}

/** Gives keys with escapes names without, which are read right, and takes them back. */
function parseWithPlainKeys(text: string): unknown {
  let mark = "~";
  while (text.includes(mark)) mark += "~";
  const names = new Map<string, string>();
  const parts: string[] = [];
  let from = 0;
  for (let start = text.indexOf('"'); start !== -1;) {
    let end = text.indexOf('"', start + 1);
    while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
    const written = isKeyEnd(text, end) ? text.slice(start, end + 1) : "";
    if (written.includes("\\")) {
      const key = JSON.parse(written) as string;
      const name = names.get(key) ?? mark + String(names.size);
      names.set(key, name);
      parts.push(text.slice(from, start), `"${name}"`);
      from = end + 1;
    }
    start = text.indexOf('"', end + 1);
  }
  const keys = new Map([...names].map(([key, name]) => [name, key]));
  return JSON.parse(parts.join("") + text.slice(from), (_, value: unknown) =>
    typeof value !== "object" || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).map(([name, part]) => [keys.get(name) ?? name, part])),
  );
}

/** Whether a colon follows a quote. */
function isKeyEnd(text: string, quote: number): boolean {
  let at = quote + 1;
  while (text.charCodeAt(at) <= 0x20) at++;
  return text.charCodeAt(at) === 0x3a;
}
