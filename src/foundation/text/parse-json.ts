/** The last escape of a key, up to the colon. */
const ESCAPED_KEY = /\\.[^"\\]*"\s*:/s;
const STRING = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?/gs;

/**
 * Parses JSON as `JSON.parse` should. V8 since 12.8 (Node 24, Chrome 128) mistakes a key with escapes for
 * one that it has read before, if that is written without quotes and escapes as this one begins: after a key
 * of backslash and n, a line break is read as that (https://github.com/nodejs/node/issues/63785). What is
 * mistaken has a backslash in its key.
 *
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return ESCAPED_KEY.test(text) && hasBackslashKey(value) ? parseWithPlainKeys(text) : value;
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
  const marked = text.replace(STRING, (whole, written: string, colon?: string) => {
    if (colon === undefined || !written.includes("\\")) return whole;
    const key = JSON.parse(`"${written}"`) as string;
    if (!names.has(key)) names.set(key, mark + String(names.size));
    return `"${names.get(key) ?? ""}"${colon}`;
  });
  const keys = new Map([...names].map(([key, name]) => [name, key]));
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value !== "object" || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).map(([name, part]) => [keys.get(name) ?? name, part])),
  );
}
