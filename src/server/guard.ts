import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** The header that carries the token. */
const TOKEN_HEADER = "x-rankproof-token";
/** Most bytes of what a page sends at once. */
export const MOST_BODY_BYTES = 1_000_000;

/** A random 256-bit token, as text for a fragment of an address. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Whom the server answers. */
export interface GuardOptions {
  readonly token: string;
  /**
   * The port that browsers ask: the one that it listens on, or that of what stands before a server of one's
   * own. Asked late, since a free one is found while it starts.
   */
  readonly port: () => number;
  /** Names besides those of this machine by which it may be called. */
  readonly allowedHosts?: readonly string[] | undefined;
}

/** Why a request is refused. */
export interface Refusal {
  readonly status: 401 | 403 | 405 | 413 | 415;
  readonly message: string;
}

const OWN_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

/**
 * What is wrong with a request, before anything looks at where it leads; null for nothing.
 *
 * A page on another origin reaches this machine from the browser of its user. A name that is bound to this
 * address anew names itself in `Host`; a script names its page in `Origin`, and the browser says in
 * `Sec-Fetch-Site` where a request comes from; and the token is known to the page alone.
 */
export function refusalOf(
  request: Request,
  { token, port, allowedHosts = [] }: GuardOptions,
): Refusal | null {
  const allowed = allowedHosts.map((name) => name.toLowerCase());
  const names = [...OWN_HOSTS, ...allowed];
  // Browsers leave the usual port of a scheme out.
  const formsOf = (name: string, usual: number): string[] =>
    (port() === usual ? [name] : []).concat(`${name}:${port()}`);
  const hosts = names.flatMap((name) => [...formsOf(name, 80), ...formsOf(name, 443)]);
  // A request of a program's own making has no such header.
  const host = request.headers.get("host") ?? new URL(request.url).host;
  if (!hosts.includes(host.toLowerCase()))
    return forbidden("this name is not served here; see --allow-host, or `allowedHosts` in code");
  const origin = request.headers.get("origin");
  // What stands before it under another name may speak https.
  const origins = [
    ...names.flatMap((name) => formsOf(name, 80)).map((own) => `http://${own}`),
    ...allowed.flatMap((name) => formsOf(name, 443)).map((own) => `https://${own}`),
  ];
  if (origin !== null && !origins.includes(origin)) return forbidden("a page of another origin may not ask");
  if (request.method !== "GET" && request.method !== "POST")
    return { status: 405, message: "only GET and POST are answered" };
  // All but the page itself needs the token, however its path is written.
  return new URL(request.url).pathname === "/" ? pageRefusal(request) : apiRefusal(request, token);
}

/** The page holds no data and no token, so that a link may lead to it from anywhere. */
function pageRefusal(request: Request): Refusal | null {
  const site = request.headers.get("sec-fetch-site");
  const isNavigation =
    request.headers.get("sec-fetch-mode") === "navigate" &&
    request.headers.get("sec-fetch-dest") === "document";
  if (request.method !== "GET") return { status: 405, message: "only GET is answered here" };
  if (site === null || site === "same-origin" || site === "none" || isNavigation) return null;
  return forbidden("the page is opened, and not embedded");
}

function apiRefusal(request: Request, token: string): Refusal | null {
  const { headers, method } = request;
  const site = headers.get("sec-fetch-site");
  // Browsers say it to this machine, and to https; to another name without encryption they say nothing.
  const isSaid = OWN_HOSTS.includes(hostNameOf(headers));
  if (site !== "same-origin" && (site !== null || isSaid))
    return forbidden("only the page itself may ask, in a browser that says so (Sec-Fetch-Site)");
  if (!isEqual(headers.get(TOKEN_HEADER) ?? "", token))
    return {
      status: 401,
      message: "the token is missing or of an earlier start; open the link that the terminal printed",
    };
  if (method === "GET") return null;
  if (!/^application\/json(?:;\s*charset=utf-8)?$/i.test(headers.get("content-type") ?? ""))
    return { status: 415, message: "a body must be application/json" };
  if (Number(headers.get("content-length") ?? 0) > MOST_BODY_BYTES) return TOO_LARGE;
  return null;
}

/** The name that is asked for, without the port. */
function hostNameOf(headers: Headers): string {
  return (headers.get("host") ?? "").toLowerCase().replace(/:\d+$/, "");
}

/** What a body that turns out too large is answered with. */
export const TOO_LARGE: Refusal = { status: 413, message: `a body has at most ${MOST_BODY_BYTES} bytes` };

function forbidden(message: string): Refusal {
  return { status: 403, message };
}

/** Takes the same time for every wrong token. */
function isEqual(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

/** Headers of every answer. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};
