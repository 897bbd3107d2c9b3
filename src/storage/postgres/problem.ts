import { AdapterError, InputError, isRankproofError, messageOf } from "../../foundation/errors/index.js";
import { placeOf, withoutPassword } from "./address.js";

/** Of PostgreSQL's own list, appendix A of its manual. */
const CONNECTION_FAILURE = "08006";
const PROTOCOL_VIOLATION = "08P01";
const INVALID_PASSWORD = "28P01";
const INVALID_CATALOG_NAME = "3D000";
/** PgBouncer gives one code to all that it refuses. */
const POOLER_REFUSALS: readonly (readonly [said: RegExp, code: string])[] = [
  [/^no such database|^database ".*" does not exist/, INVALID_CATALOG_NAME],
  [/password|no such user|^SASL|login rejected/, INVALID_PASSWORD],
];

/** The code of an error: five letters and digits where PostgreSQL has one, else that of the system. */
export function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  const refusal =
    error.code === PROTOCOL_VIOLATION && POOLER_REFUSALS.find(([said]) => said.test(messageOf(error)));
  return refusal ? refusal[1] : String(error.code);
}

const NETWORK = /^E(?:CONN|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOST|NET)/;
const NO_CONNECTION =
  /^Connection terminated|not queryable|timeout exceeded when trying to connect|^Query read timeout/;
/** What `pg` says where it was given none. */
const NO_PASSWORD = /client password must be/;

/** Whether the connection has ended, or the server takes none at the moment: another try may succeed. */
export function isLost(error: unknown): boolean {
  if (isRankproofError(error)) return false;
  const code = codeOf(error);
  return (
    NETWORK.test(code) ||
    isWithoutSocket(error) ||
    /^08...$|^57P0[123]$|^53300$/.test(code) ||
    NO_CONNECTION.test(messageOf(error))
  );
}

/** Whether the socket of a server is not there; a certificate that is not may never come. */
function isWithoutSocket(error: unknown): boolean {
  return codeOf(error) === "ENOENT" && (error as NodeJS.ErrnoException).syscall === "connect";
}

/** Whether PostgreSQL took a transaction back because of others at the same time. */
export function isInTheWay(error: unknown): boolean {
  return /^40/.test(codeOf(error));
}

/** Whether there is no schema, or no table in it. */
export function isMissing(error: unknown): boolean {
  return ["42P01", "3F000"].includes(codeOf(error));
}

/** What a pooler that gives away connections within a session makes of it. */
const POOLED = /prepared statement "[^"]*" (?:already exists|does not exist)|statement pooling mode/;
const OF_POOLERS = "name the server itself, or a pooler that is in session mode";

const HINTS: readonly (readonly [code: RegExp, hint: string])[] = [
  [/^28/, "look at user and password, which may also stand in PGPASSWORD or ~/.pgpass"],
  [/^3D000/, "create the database first, with createdb"],
  [/^42501/, "the role needs the rights that docs/storage.md names"],
  [/^25006/, "the server or the role only reads"],
  [/^57014/, "a time limit of the server or of the role ended it"],
  [/^53300/, "try again, or allow more connections"],
];

/** What PostgreSQL, or the way to it, would not do, as an error without the password. */
export function postgresProblem(error: unknown, url: string): unknown {
  if (isRankproofError(error) || !(error instanceof Error)) return error;
  // What `pg` says of a connection by itself has no code: that of a connection failure tells who asks again.
  const isRefused = codeOf(error) === "" && /^SASL/.test(messageOf(error));
  const code = isRefused ? INVALID_PASSWORD : codeOf(error) || (isLost(error) ? CONNECTION_FAILURE : "");
  const said = NO_PASSWORD.test(messageOf(error)) ? "the server asks for a password" : messageOf(error);
  const own = withoutPassword(said || code, url);
  const where = placeOf(url);
  // No cause: what `pg` throws may hold the connection with its settings.
  if (code === "55P03")
    return new AdapterError(
      "STORE_LOCKED",
      `${where}: another process is in the way (${own}); try again later`,
    );
  if (/^(?:53[124]|54|58|XX)/.test(code))
    return new AdapterError("STORE_WRITE", `${where}: ${own}; nothing was changed`);
  if (/^42P0[67]|^42[78]/.test(code))
    return new InputError(
      "STORE_SCHEMA",
      `${where}: ${own}; the schema is of another kind, name one of its own with ?schema=`,
    );
  const known = POOLED.test(own) ? OF_POOLERS : HINTS.find(([pattern]) => pattern.test(code))?.[1];
  const hint = known ?? (isLost(error) ? "is the server up?" : "");
  return new AdapterError("STORE_DATABASE", `${where}: ${own}${hint === "" ? "" : `; ${hint}`}`, { code });
}
