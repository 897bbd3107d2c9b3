/** What stands in place of a secret. */
export const REDACTED = "[redacted]";

/** Parts of keys that name a secret, also inside a word: `PGPASSWORD`, `clientsecret`. */
const SECRET_PARTS =
  /pass(?:word|wd|phrase|code)|secret|credential|authorization|cookie|bearer|api ?key|webhook|openai ?key/;
/** Whole words that do, in the languages that programs are configured in. */
const SECRET_WORDS = new Set(
  (
    "pwd dsn jwt auth accesskey privatekey authtoken accesstoken hmac otp totp " +
    ("clé clef cle motdepasse jeton passwort kennwort schlüssel geheimnis contraseña clave senha " +
      "chave parola wachtwoord sleutel hasło klucz lösenord пароль ключ токен ") +
    "密码 密碼 密钥 金鑰 令牌 パスワード 비밀번호"
  ).split(" "),
);
/**
 * Words that name a secret as the last one of a key, numbers apart, or before `value`, `header` and the like.
 */
const SECRET_ENDS = new RegExp(
  "(?:^| )(?:pass|signature|sig|session|salt|nonce|keys?|tokens?)" +
    "(?: (?:value|header|string|text|raw|b64|base64|hex|pem|file|id|secret))*$",
);
/** Keys of these kinds are what sorting, tokenizing and joining use, and counts of tokens. */
const NO_SECRET_ENDS = new RegExp(
  "(?:^| )(?:" +
    "(?:sort|group|primary|foreign|partition|cache|unique|max|min|num|total) (?:keys?|tokens?)|" +
    "(?:pad|eos|bos|unk|sep|cls|mask|stop|special) tokens?" +
    ")$",
);
const SECRET_PAIRS = new RegExp(
  "(?:^| )(?:" +
    "(?:api|access|private|signing|encryption|client|openai) keys?|" +
    "(?:access|auth|api|refresh|session|hf|bot) tokens?|" +
    "connection string|mot de passe" +
    ")(?: |$)",
);

/**
 * Values that are secret whatever their key: keys of known makes, tokens, addresses with a password or a key
 * in them.
 */
const SECRET_FORMS = new RegExp(
  [
    String.raw`\b(?:sk|pk|rk)[-_][\w-]{8,}`,
    String.raw`\b(?:glpat|glptt|xox[a-z]|xapp|xai|sq0[a-z]{3})-[\w-]{8,}`,
    String.raw`\b(?:pa-[\w-]{20,}|key-[0-9a-f]{32})`,
    String.raw`\b(?:gh[oprsu]|hf|github_pat|npm|dop_v1|shp(?:at|ss|ca|pa)|lin_api|gsk|r8)_\w{10,}`,
    String.raw`\b(?:pcsk|ntn|secret|whsec|tvly|nvapi|lsv2_[ps]t|sgp|rpa|figd|pat)_\w{10,}`,
    String.raw`\bpypi-[\w-]{16,}`,
    String.raw`\bSG\.[\w-]{10,}`,
    String.raw`\bhv[sb]\.[\w-]{10,}`,
    String.raw`\bdapi[0-9a-f]{16,}`,
    String.raw`\b(?:AC|SK)[0-9a-f]{32}\b`,
    String.raw`\b(?:AKIA|ASIA)[0-9A-Z]{12,}`,
    String.raw`\bAIza[\w-]{10,}`,
    String.raw`\bya29\.[\w-]{10,}`,
    String.raw`\b\d{6,12}:[\w-]{30,}`,
    String.raw`\bBearer\s+\S{8,}`,
    String.raw`\bBasic\s+(?=\S*[\d=])[\w+/=]{8,}`,
    String.raw`\beyJ[\w-]{10,}\.`,
    String.raw`hooks\.slack\.com|discord(?:app)?\.com/api/webhooks`,
    String.raw`://[^\s/@]+@`,
    String.raw`(?:key|token|secret|password|pwd|sig|signature|session)=[^\s&;]+`,
    "-----BEGIN",
  ].join("|"),
  "i",
);

/** Keys whose values look as random as secrets, and are none. */
const NAMES = new Set(["commit", "hash", "version", "digest", "sha", "uuid", "id", "model"]);
const SHORTEST_RANDOM = 20;
/** Bits for each character: words and paths have fewer, random letters and digits more. */
const RANDOM_ENTROPY = 4;

/** Whether a key names a secret, in any of the spellings `apiKey`, `api_key`, `API-KEY`, `APIKEY2`. */
export function isSecretKey(key: string): boolean {
  const words = wordsOf(key);
  const text = words.join(" ");
  return (
    words.some((word) => SECRET_WORDS.has(word)) ||
    SECRET_PARTS.test(text) ||
    SECRET_PAIRS.test(text) ||
    (SECRET_ENDS.test(text) && !NO_SECRET_ENDS.test(text))
  );
}

/**
 * Whether a text is a secret by its own form: a key of a known make, or as random as one.
 *
 * @param key what the text stands under; those of hashes, versions, ids and models may be random.
 */
export function isSecretText(text: string, key: string): boolean {
  if (SECRET_FORMS.test(text)) return true;
  if (
    wordsOf(key).some(
      (word, index, words) =>
        NAMES.has(word) && (word === "commit" || word === "model" || index === words.length - 1),
    )
  )
    return false;
  // What is random in an address is one part of it; the whole of any address is varied enough.
  return (/^[a-z][\w+.-]*:\/\//i.test(text) ? text.split(/[/?&=#:@]+/) : [text]).some(isRandom);
}

function isRandom(text: string): boolean {
  if (text.length < SHORTEST_RANDOM || /\s/.test(text)) return false;
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let entropy = 0;
  for (const count of counts.values()) entropy -= (count / text.length) * Math.log2(count / text.length);
  return entropy >= RANDOM_ENTROPY;
}

/** The words of a key in lower case, without numbers. */
function wordsOf(key: string): string[] {
  const spaced = key
    .normalize("NFC")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2");
  return spaced.toLowerCase().match(/\p{L}+/gu) ?? [];
}

/** A configuration without its secrets, and where they stood. */
export interface RedactedConfig {
  readonly config: Record<string, unknown>;
  readonly paths: readonly string[];
}

/** A copy of a JSON record with {@link REDACTED} in place of every secret. */
export function redactSecrets(config: Readonly<Record<string, unknown>>): RedactedConfig {
  const paths: string[] = [];
  const copy = (value: unknown, path: string, key: string, isSecret: boolean): unknown => {
    if (typeof value !== "object" || value === null) {
      const hidden =
        value !== null &&
        (isSecret || (typeof value === "string" && isSecretText(value, key))) &&
        value !== REDACTED;
      if (hidden) paths.push(path);
      return hidden ? REDACTED : value;
    }
    if (Array.isArray(value))
      return value.map((item, index) => copy(item, configPath(path, String(index), true), key, isSecret));
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        copy(member, configPath(path, name, false), name, isSecret || isSecretKey(name)),
      ]),
    );
  };
  return { config: copy(config, "", "", false) as Record<string, unknown>, paths };
}

/** The path of a member of a configuration: `embedding.model`, `stages[0]`, `["a b"]`. */
export function configPath(path: string, key: string, isIndex: boolean): string {
  if (isIndex) return `${path}[${key}]`;
  if (!/^[\w-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}
