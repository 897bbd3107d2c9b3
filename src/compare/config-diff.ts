import { compareIds } from "../ids.js";
import type { ConfigDifference } from "../schema/index.js";

const REDACTED = "[redacted]";

/**
 * Keys that name a secret, as lower-case words: `openai_api_key`, `authToken`, `PGPASSWORD`, `key`. Keys of sorting and special
 * tokens (`sort_key`, `pad_token`), `max_tokens` and `tokenizer` do not.
 */
const SECRET_KEYS =
  /pass(?:word|wd|phrase|code)|secret|credential|authorization|cookie|bearer|\b(?:pwd|dsn|jwt|auth)\b|(?:api|access|private|signing|encryption|client|openai) ?keys?\b|(?:access|auth|api|refresh|session|hf|bot) ?tokens?\b|^(?:keys|tokens)$|(?<!(?:sort|group|primary|foreign|partition|cache|unique) )\bkey$|(?<!(?:pad|eos|bos|unk|sep|cls|mask|stop|special) )\btoken$/;
/** Values that are secret whatever their key: keys of known makes, tokens, and addresses with a password or key in them. */
const SECRET_VALUES =
  /\b(?:sk|pk|rk)[-_][\w-]{8,}|\b(?:glpat|xox[a-z])-[\w-]{8,}|\b(?:gh[opsu]|hf|github_pat)_\w{10,}|\bAKIA[0-9A-Z]{12,}|\bAIza[\w-]{10,}|\bBearer\s+\S{8,}|\bBasic\s+(?=\S*[\d=])[\w+/=]{8,}|\beyJ[\w-]{10,}\.|hooks\.slack\.com|:\/\/[^\s/@]+@|(?:key|token|secret|password|pwd|sig)=[^\s&;]+|-----BEGIN/i;

/** A text, unless it is a secret. */
export function redactedText(text: string): string {
  return SECRET_VALUES.test(text) ? REDACTED : text;
}

/**
 * Every leaf in which two configurations differ, sorted by path, with secrets redacted. A leaf that is absent equals one that
 * is null: programs differ in which they write.
 */
export function configDiff(a: unknown, b: unknown): ConfigDifference[] {
  const ours = leaves(a);
  const theirs = leaves(b);
  const paths = [...new Set([...ours.keys(), ...theirs.keys()])].sort(compareIds);
  return paths.flatMap((path) => {
    const x = ours.get(path) ?? { value: null, secret: false };
    const y = theirs.get(path) ?? { value: null, secret: false };
    if (JSON.stringify(x.value) === JSON.stringify(y.value)) return [];
    const secret = x.secret || y.secret;
    return [{ path, a: shownLeaf(x.value, secret), b: shownLeaf(y.value, secret) }];
  });
}

function shownLeaf(value: unknown, secret: boolean): unknown {
  if (value === null) return null;
  if (secret) return REDACTED;
  return typeof value === "string" ? redactedText(value) : value;
}

interface Leaf {
  readonly value: unknown;
  readonly secret: boolean;
}

function leaves(root: unknown): Map<string, Leaf> {
  const found = new Map<string, Leaf>();
  // A list of pending nodes instead of recursion: a hostile snapshot may be nested deeper than the call stack.
  const pending: { value: unknown; path: string; secret: boolean }[] = [{ value: root, path: "", secret: false }];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const { value, path, secret } = node;
    if (typeof value !== "object" || value === null || (Object.keys(value).length === 0 && path !== "")) {
      if (value !== null && value !== undefined) found.set(path, { value, secret });
      continue;
    }
    for (const [key, child] of Object.entries(value)) {
      pending.push({ value: child, path: joined(path, key, Array.isArray(value)), secret: secret || (!Array.isArray(value) && isSecretKey(key)) });
    }
  }
  return found;
}

function joined(path: string, key: string, isIndex: boolean): string {
  if (isIndex) return `${path}[${key}]`;
  if (!/^[\w-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}

/** Whether a key names a secret, in any of the spellings `apiKey`, `api_key`, `API-KEY`. */
function isSecretKey(key: string): boolean {
  const words = key.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/([A-Z])([A-Z][a-z])/g, "$1 $2").toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return SECRET_KEYS.test(words.join(" "));
}
