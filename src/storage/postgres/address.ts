import { InputError, quote } from "../../foundation/errors/index.js";
import { isSlip } from "../../foundation/ids/index.js";

/** Shorter passwords stand in many words. */
const SHORTEST_PASSWORD = 4;
const MASK = "***";
/** The schema of a store where the address names none. */
const DEFAULT_SCHEMA = "rankproof";
/** PostgreSQL cuts off what is longer, in bytes. */
const LONGEST_NAME = 63;

/** Whether a store is named by the address of a PostgreSQL database, and not by a file. */
export function isPostgresUrl(name: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(name);
}

/** Whether a password goes on where the host is looked for: it has a `/`, `#` or `?` that stands as it is. */
function isMisread(url: string): boolean {
  if (!URL.canParse(url)) {
    // What follows the user would be a port.
    const [, host = "", rest = ""] = /^\w+:\/\/([^/?#]*)([^]*)$/.exec(url) ?? [];
    return !host.includes("@") && /^[^=&]*@/.test(rest);
  }
  const { pathname, search, hash } = new URL(url);
  return pathname.includes("@") || hash !== "" || /^[^=&]*@/.test(search);
}

/** An address as messages name it: without user, password and settings. */
export function placeOf(url: string): string {
  if (!URL.canParse(url) || isMisread(url)) return "PostgreSQL";
  const { host, pathname, searchParams } = new URL(url);
  const schema = searchParams.get("schema");
  return `postgresql://${host}${pathname}${schema === null ? "" : `?schema=${encodeURIComponent(schema)}`}`;
}

/** A text without the password of an address, as it stands there and as it is meant. */
export function withoutPassword(text: string, url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const written = parsed?.password ?? url;
  let password = written;
  try {
    password = decodeURIComponent(written);
  } catch {
    // A per cent sign that stands for itself.
  }
  return [written, password, parsed?.searchParams.get("password") ?? ""]
    .filter((word) => word.length >= SHORTEST_PASSWORD)
    .reduce((clean, word) => clean.replaceAll(word, MASK), text);
}

const isMisspelt = (name: string): boolean => isSlip(name, "schema") || isSlip("schema", name);

/** @throws InputError `ARGUMENT` for what PostgreSQL cannot name a schema, or an address that is misread. */
export function schemaOf(url: string, given: string | undefined): string {
  if (isMisread(url))
    throw new InputError(
      "ARGUMENT",
      "PostgreSQL: the address cannot be read as it is; in a password write `/` as %2F, `#` as %23, `?` as " +
        "%3F and `@` as %40",
    );
  const slip = URL.canParse(url) ? [...new URL(url).searchParams.keys()].find(isMisspelt) : undefined;
  if (slip !== undefined)
    throw new InputError(
      "ARGUMENT",
      `${placeOf(url)}: ${quote(slip)} is no setting; did you mean \`schema\`?`,
    );
  const schema =
    given ?? (URL.canParse(url) ? new URL(url).searchParams.get("schema") : null) ?? DEFAULT_SCHEMA;
  const isName = schema !== "" && !schema.includes("\0") && schema.isWellFormed();
  if (!isName || new TextEncoder().encode(schema).length > LONGEST_NAME || schema.startsWith("pg_"))
    throw new InputError(
      "ARGUMENT",
      `${placeOf(url)}: a schema has a name of 1 to ${LONGEST_NAME} bytes that does not begin with pg_`,
    );
  return schema;
}
