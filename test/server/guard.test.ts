import { createHash } from "node:crypto";
import type { Server } from "node:http";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Jobs } from "../../src/server/jobs.js";
import { serveWorkbench, workbench, type ServedWorkbench } from "../../src/server/index.js";
import { Project } from "../../src/server/project.js";
import { apiRoutes } from "../../src/server/routes.js";
import { aProject, PORT, shopProject, type MadeProject } from "./projects.js";
import { chunkedBody, rawRequest, sendRaw, type RawAnswer, type RawHeaders } from "./raw-requests.js";

let project: MadeProject;
let served: ServedWorkbench;
let token: string;
/** Other processes listen on other ports; nothing has to listen on this one. */
let otherPort: string;
let batch: string;
const internalErrors: unknown[] = [];

const tokenOf = ({ url }: ServedWorkbench): string => url.split("#token=")[1] ?? "";
/** `PORT`, `OTHER` and `TOKEN` stand for what is known when the server has started. */
const filled = (text: string): string =>
  text.replaceAll("PORT", String(served.port)).replaceAll("OTHER", otherPort).replaceAll("TOKEN", token);

/** What the page sends with each call of the interface. */
const API: RawHeaders = {
  host: "localhost:PORT",
  "x-rankproof-token": "TOKEN",
  "sec-fetch-site": "same-origin",
  "sec-fetch-mode": "cors",
  "sec-fetch-dest": "empty",
};
/** What a browser sends when an address is typed. */
const PAGE: RawHeaders = {
  host: "localhost:PORT",
  "sec-fetch-site": "none",
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "document",
};
const POST: RawHeaders = { ...API, origin: "http://localhost:PORT", "content-type": "application/json" };
const MARKS = '{"rater":"Ada","marks":[]}';

function send(line: string, headers: RawHeaders, body = ""): Promise<RawAnswer> {
  return sendRaw(served.port, filled(rawRequest(line, headers, body)));
}

/** The page's own question for its data, all in order but for what is given. */
const call = (headers: RawHeaders, line = "GET /api/session"): Promise<RawAnswer> =>
  send(line, { ...API, ...headers });

beforeAll(async () => {
  project = shopProject();
  served = await serveWorkbench({
    ...project.options(),
    port: 0,
    onError: (error) => void internalErrors.push(error),
  });
  token = tokenOf(served);
  otherPort = String(served.port === 65_535 ? 65_534 : served.port + 1);
  const started = await send("POST /api/c/shop/batch", POST, "{}");
  expect(started.status).toBe(200);
  const ended = await call({}, "GET /api/c/shop/jobs");
  batch = /"state":"done".*?"result":"(\d{8}T\d{6}Z-[0-9a-f]{4})"/.exec(ended.text)?.[1] ?? "";
  expect(batch).not.toBe("");
}, 60_000);
afterAll(async () => {
  await served.close();
  project.remove();
});

const SECURITY_HEADERS = {
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Nothing of the project, no token, no place in the code. */
function expectNoData({ text, headers }: RawAnswer): void {
  expect(text).not.toContain(token);
  expect(text).not.toContain(batch);
  expect(text).not.toContain(project.folder);
  for (const word of ['"collections"', '"queries"', '"hits"', '"project"', "root:"])
    expect(text).not.toContain(word);
  expect(text).not.toMatch(/\n? +at .+:\d+:\d+|node_modules|\.ts:\d+|\.js:\d+/);
  expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
}

function expectSafeHeaders({ headers }: RawAnswer): void {
  expect(headers).toMatchObject(SECURITY_HEADERS);
  expect(headers["content-security-policy"]).toMatch(/^default-src 'none'/);
  expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  expect(headers["set-cookie"]).toBeUndefined();
}

async function expectRefused(status: number, answered: Promise<RawAnswer>): Promise<void> {
  const answer = await answered;
  expect(answer.status).toBe(status);
  expectNoData(answer);
  expectSafeHeaders(answer);
}

describe("a name that leads here, but is not served here, is refused", () => {
  it.each([
    ["another site's name with our port, bound to this address anew", "evil.test:PORT"],
    ["another site's name without a port", "evil.test"],
    ["a name that begins like ours", "localhost.evil.test:PORT"],
    ["a number that begins like ours", "127.0.0.1.evil.test:PORT"],
    ["a name that ends like ours", "evil-localhost:PORT"],
    ["a name below ours", "evil.localhost:PORT"],
    ["our number with another port", "127.0.0.1:OTHER"],
    ["our name with another port", "localhost:OTHER"],
    ["our name without a port", "localhost"],
    ["our number without a port", "127.0.0.1"],
    ["our name with a dot at its end", "localhost.:PORT"],
    ["our number with a dot at its end", "127.0.0.1.:PORT"],
    ["our name in capitals with another port", "LOCALHOST:OTHER"],
    ["our IPv6 number with another port", "[::1]:OTHER"],
    ["our IPv6 number without a port", "[::1]"],
    ["the address of every interface", "0.0.0.0:PORT"],
    ["our number with parts left out", "127.1:PORT"],
    ["our number as one number", "2130706433:PORT"],
    ["our number in octal", "0177.0.0.1:PORT"],
    ["our number in hexadecimal", "0x7f.0.0.1:PORT"],
    ["another number of this machine", "127.0.0.2:PORT"],
    ["a port with a zero in front", "localhost:0PORT"],
  ])("%s: %s", async (_, host) => {
    await expectRefused(403, call({ host }));
    await expectRefused(403, send("GET /", { ...PAGE, host }));
  });
});

describe("a Host not in its shortest form, or none, is refused before anything is looked at", () => {
  it.each([
    ["an empty one", ""],
    ["a user before our name", "localhost@evil.test:PORT"],
    ["a user of our name", "evil@localhost:PORT"],
    ["a name behind our port", "localhost:PORT.evil.test"],
    ["a name behind our port and a user", "localhost:PORT@evil.test"],
    ["a path behind our port", "localhost:PORT/evil"],
    ["two names", "localhost:PORT, evil.test"],
    ["a blank within", "localhost :PORT"],
    ["a port that is no number", "localhost:http"],
    ["another IPv6 form of our number", "[0:0:0:0:0:0:0:1]:PORT"],
    ["our number as IPv4 within IPv6", "[::ffff:127.0.0.1]:PORT"],
  ])("%s: %s", async (_, host) => {
    const answer = await call({ host });
    expect([400, 403]).toContain(answer.status);
    expectNoData(answer);
  });

  it("none at all", async () => {
    const answer = await call({ host: null });
    expect(answer.status).toBe(400);
    expectNoData(answer);
  });

  it("two of them, of which the first is ours", async () => {
    const request = rawRequest("GET /api/session", API).replace("host:", "host: localhost:PORT\r\nhost:");
    const answer = await sendRaw(
      served.port,
      filled(request.replace(/(host: .*\r\n)host: .*\r\n/, "$1host: evil.test\r\n")),
    );
    expect([400, 403]).toContain(answer.status);
    expectNoData(answer);
  });

  it("one in the request's target does not stand in for it", async () => {
    await expectRefused(403, call({ host: "evil.test:PORT" }, "GET http://localhost:PORT/api/session"));
  });
});

describe("a page of another origin is refused, whatever it knows", () => {
  it.each([
    ["none, as sandboxed frames and local files have", "null"],
    ["another site", "https://evil.test"],
    ["another site on our port", "http://evil.test:PORT"],
    ["our name with https", "https://localhost:PORT"],
    ["our name on another port", "http://localhost:OTHER"],
    ["our number on another port", "http://127.0.0.1:OTHER"],
    ["our name without a port", "http://localhost"],
    ["a name that begins like ours", "http://localhost:PORT.evil.test"],
    ["a user of our name", "http://localhost:PORT@evil.test"],
    ["our name with a path", "http://localhost:PORT/"],
    ["a file", "file://"],
    ["an extension", "chrome-extension://aapbdbdomjkkjkaonfhkkikfgjllcleb"],
    ["an extension of another browser", "moz-extension://2c127fa4-62c7-7e4f-90e5-472b45eecfdc"],
    ["an empty one", ""],
    ["two of them", "http://localhost:PORT http://evil.test"],
  ])("%s: %s", async (_, origin) => {
    await expectRefused(403, call({ origin }));
    await expectRefused(403, send("POST /api/c/shop/marks", { ...POST, origin }, MARKS));
    await expectRefused(403, send("GET /", { ...PAGE, origin }));
  });
});

describe("a call of the interface from elsewhere is refused, token or not", () => {
  it.each([
    ["another port or name of this machine", "same-site"],
    ["another site", "cross-site"],
    ["the address line", "none"],
    ["something that is no site", "anything"],
    ["an empty value", ""],
  ])("from %s", async (_, site) => {
    await expectRefused(403, call({ "sec-fetch-site": site }));
    await expectRefused(403, send("POST /api/c/shop/marks", { ...POST, "sec-fetch-site": site }, MARKS));
  });

  it("from nowhere: every browser says it to this machine", async () => {
    for (const host of ["localhost:PORT", "LOCALHOST:PORT", "127.0.0.1:PORT", "[::1]:PORT"]) {
      await expectRefused(403, call({ host, "sec-fetch-site": null }));
      const headers = { ...POST, host, origin: null, "sec-fetch-site": null };
      await expectRefused(403, send("POST /api/c/shop/marks", headers, MARKS));
    }
  });

  it("as a top-level navigation", async () => {
    await expectRefused(403, send("GET /api/session", { ...PAGE, "x-rankproof-token": "TOKEN" }));
  });
});

describe("the page is opened, and not included", () => {
  it.each([
    ["a frame", "navigate", "iframe"],
    ["an old frame", "navigate", "frame"],
    ["a script", "no-cors", "script"],
    ["an image", "no-cors", "image"],
    ["a style", "no-cors", "style"],
    ["a prefetch", "no-cors", "empty"],
    ["a fetch", "cors", "empty"],
    ["an object", "navigate", "object"],
    ["an embed", "navigate", "embed"],
    ["a worker", "same-origin", "worker"],
    ["a shared worker", "same-origin", "sharedworker"],
    ["a service worker", "same-origin", "serviceworker"],
    ["a font", "cors", "font"],
    ["a sound", "no-cors", "audio"],
    ["a report", "no-cors", "report"],
    ["a socket", "websocket", "websocket"],
  ])("%s of another site", async (_, mode, dest) => {
    for (const site of ["cross-site", "same-site"])
      await expectRefused(
        403,
        send("GET /", { ...PAGE, "sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": dest }),
      );
  });
});

describe("a body that a form or a script of another site can send is refused", () => {
  const marks = (headers: RawHeaders, body = MARKS): Promise<RawAnswer> =>
    send("POST /api/c/shop/marks", { ...POST, ...headers }, body);

  it.each([
    ["a form", "application/x-www-form-urlencoded"],
    ["a form with files", "multipart/form-data; boundary=x"],
    ["plain text", "text/plain"],
    ["plain text that says it is JSON", "text/plain; application/json"],
    ["JSON in another encoding", "application/json; charset=utf-16"],
    ["JSON in Latin 1", "application/json;charset=iso-8859-1"],
    ["JSON of some kind", "application/problem+json"],
    ["JSON behind another type", "text/plain, application/json"],
    ["a type that begins like JSON", "application/jsonx"],
    ["JSON with a second parameter", "application/json; charset=utf-8; x=y"],
    ["XML", "application/xml"],
    ["an empty type", ""],
  ])("%s: %s", async (_, type) => {
    await expectRefused(415, marks({ "content-type": type }));
  });

  it("no type at all", async () => {
    await expectRefused(415, marks({ "content-type": null }));
  });

  it.each(["POST /api/c/shop/batch", "POST /api/jobs/job-1/stop"])("a form to %s", async (line) => {
    const form = { ...POST, "content-type": "application/x-www-form-urlencoded" };
    await expectRefused(415, send(line, form, "annotate=true"));
  });

  it("a form without a token, as a page of another site sends it", async () => {
    const headers = { ...PAGE, origin: "http://evil.test", "sec-fetch-site": "cross-site" };
    const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
    await expectRefused(403, send("POST /api/c/shop/batch", form, "annotate=true"));
    await expectRefused(403, send("POST /", form, "annotate=true"));
  });
});

describe("a method that is not answered", () => {
  it.each(["OPTIONS", "PUT", "DELETE", "PATCH", "HEAD", "TRACE", "PROPFIND", "SEARCH", "QUERY"])(
    "%s",
    async (method) => {
      await expectRefused(405, call({}, `${method} /api/session`));
      await expectRefused(405, call({}, `${method} /api/c/shop/marks`));
      await expectRefused(405, send(`${method} /`, PAGE));
    },
  );

  it("a preflight gets no permission, for our own origin neither", async () => {
    await expectRefused(
      405,
      call(
        {
          "x-rankproof-token": null,
          origin: "http://localhost:PORT",
          "access-control-request-method": "POST",
          "access-control-request-headers": "x-rankproof-token, content-type",
          "access-control-request-private-network": "true",
        },
        "OPTIONS /api/c/shop/marks",
      ),
    );
  });

  it("a method of another is not taken from a header", async () => {
    await expectRefused(405, call({ "x-http-method-override": "POST" }, "PUT /api/c/shop/marks"));
  });

  it("the page takes no POST", async () => {
    await expectRefused(405, send("POST /", { ...POST, "sec-fetch-mode": "navigate" }, "{}"));
  });

  it("a tunnel is closed without an answer", async () => {
    expect(await call({}, "CONNECT evil.test:443")).toMatchObject({ status: 0, text: "" });
  });

  it("a socket is not opened", async () => {
    const upgrade = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" };
    const wanted = { ...API, "x-rankproof-token": null, "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==" };
    const socket = await sendRaw(
      served.port,
      filled(rawRequest("GET /api/session", { ...wanted, ...upgrade, connection: "Upgrade, close" })),
    );
    expect(socket.status).not.toBe(101);
    expectNoData(socket);
  });
});

describe("a call without the token is refused", () => {
  it.each<[string, RawHeaders]>([
    ["none", { "x-rankproof-token": null }],
    ["an empty one", { "x-rankproof-token": "" }],
    ["a guessed one", { "x-rankproof-token": "A".repeat(43) }],
    ["a word", { "x-rankproof-token": "token" }],
    ["one of a name that every object has", { "x-rankproof-token": "__proto__" }],
    ["a longer one", { "x-rankproof-token": "TOKENA" }],
    ["one twice", { "x-rankproof-token": "TOKEN, TOKEN" }],
    ["one as it stands in the link", { "x-rankproof-token": "token=TOKEN" }],
    ["one in a cookie", { "x-rankproof-token": null, cookie: "x-rankproof-token=TOKEN; token=TOKEN" }],
    ["one as a bearer", { "x-rankproof-token": null, authorization: "Bearer TOKEN" }],
    ["one as a password", { "x-rankproof-token": null, authorization: `Basic ${btoa("token:TOKEN")}` }],
    ["one in the referrer", { "x-rankproof-token": null, referer: "http://localhost:PORT/#token=TOKEN" }],
    ["one under another name", { "x-rankproof-token": null, "x-token": "TOKEN" }],
  ])("%s", async (_, headers) => {
    await expectRefused(401, call(headers));
    await expectRefused(401, send("POST /api/c/shop/marks", { ...POST, ...headers }, MARKS));
  });

  it("a truncated one", async () => {
    await expectRefused(401, call({ "x-rankproof-token": token.slice(0, -1) }));
  });

  it("one in another case", async () => {
    const swapped = token.replace(/[a-z]/gi, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
    await expectRefused(401, call({ "x-rankproof-token": swapped }));
  });

  it.each(["?token=TOKEN", "?x-rankproof-token=TOKEN", "?TOKEN"])(
    "one in the address: %s",
    async (search) => {
      const answer = await call({ "x-rankproof-token": null }, `GET /api/session${search}`);
      expect(answer.status).toBe(401);
      expectNoData(answer);
    },
  );

  it("one of another start", async () => {
    const other = await serveWorkbench({ ...project.options(), port: 0 });
    try {
      await expectRefused(401, call({ "x-rankproof-token": tokenOf(other) }));
    } finally {
      await other.close();
    }
  });

  it.each([
    ["one letter escaped", "/%61pi/session"],
    ["every letter escaped", "/%61%70%69/session"],
    ["behind a folder that is left again", "/x/../%61pi/session"],
    ["of a collection", "/a%70i/c/shop/overview"],
    ["of its queries", "/ap%69/c/shop/queries"],
    ["of its jobs", "/%61pi/c/shop/jobs"],
  ])("the interface under an address with %s: %s", async (_, path) => {
    for (const headers of [
      { ...API, "x-rankproof-token": null },
      PAGE,
      { ...PAGE, "sec-fetch-site": "cross-site" },
    ]) {
      const answer = await send(`GET ${path}`, headers);
      expect([401, 403, 404]).toContain(answer.status);
      expectNoData(answer);
    }
  });
});

describe("a body that is too large is refused", () => {
  it("one that says so", async () => {
    const declared = { ...POST, "content-length": "1000001" };
    await expectRefused(413, send("POST /api/c/shop/marks", declared));
  });

  it("one that says nothing, as soon as it is", async () => {
    const text = JSON.stringify({ rater: "Ada", marks: ["x".repeat(1_100_000)] });
    const request = filled(rawRequest("POST /api/c/shop/marks", { ...POST, "transfer-encoding": "chunked" }));
    await expectRefused(413, sendRaw(served.port, request + chunkedBody(text)));
  });

  it("one of just so many bytes is read", async () => {
    const body = MARKS.padEnd(1_000_000, " ");
    const answer = await send("POST /api/c/shop/marks", POST, body);
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining("1 to 500")]);
  });

  it("one that says two lengths", async () => {
    const request = rawRequest("POST /api/c/shop/marks", { ...POST, "transfer-encoding": "chunked" }, MARKS);
    const answer = await sendRaw(served.port, filled(request));
    expect(answer.status).toBe(400);
    expectNoData(answer);
  });
});

it("a slow request is ended: 10 s for its head, 30 s for all; 64 connections, 75 s idle", () => {
  // The handles of the process are the only way to the servers that were opened.
  const handles = (process as unknown as { _getActiveHandles(): unknown[] })._getActiveHandles();
  const servers = handles.filter((handle): handle is Server => {
    const address = (handle as Partial<Server>).address?.();
    return (
      "headersTimeout" in (handle as object) && (address as { port?: number } | null)?.port === served.port
    );
  });
  expect(servers.length).toBeGreaterThan(0);
  for (const { headersTimeout, requestTimeout, maxConnections, keepAliveTimeout } of servers)
    expect([headersTimeout, requestTimeout, maxConnections, keepAliveTimeout]).toEqual([
      10_000, 30_000, 64, 75_000,
    ]);
});

describe("an address leads to no file and to nothing that is not there", () => {
  it.each([
    "/../../etc/passwd",
    "/../../../../../../../../etc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/..%2f..%2fetc%2fpasswd",
    "/%2e%2e%2f%2e%2e%2fetc/passwd",
    "/..%5c..%5cetc%5cpasswd",
    "/etc/passwd",
    "//etc/passwd",
    "/file:///etc/passwd",
    "/package.json",
    "/dist/web/workbench.js",
    "/workbench.js",
    "/index.html",
    "/labels.sqlite",
    "/favicon.ico",
    "/.env",
    "/api",
    "/api/",
    "/api/nothing",
    "/api/c",
    "/api/c/shop",
    "/api/c/shop/nothing",
    "/api/c/..%2f..%2f/overview",
    "/api/c/..%2f..%2fetc%2fpasswd/overview",
    "/api/c/%2e%2e/overview",
    "/api/c/shop%00/overview",
    "/api/c/%00/overview",
    "/api/c/shop%0a/overview",
    "/api/c/..%5c..%5c/overview",
    "/api/c/%/overview",
    "/api/c/%E0%A4%A/overview",
    "/api/c/nobody/overview",
    "/api/c/Shop/overview",
    "/api/c/__proto__/overview",
    "/api/c/constructor/overview",
    "/api/c/toString/queries",
    "/api/c/golden/overview",
    "/api/c/shop/query?id=nobody",
    "/api/c/shop/query?id=__proto__",
    "/api/c/shop/query?id=constructor",
    "/api/c/shop/query?id=..%2f..%2fetc%2fpasswd",
    "/api/c/shop/compare",
    "/api/c/shop/compare?a=__proto__&b=constructor",
    "/api/c/shop/compare?a=..%2f..%2f&b=%2fetc%2fpasswd",
    "/api/c/shop/pair?query=__proto__&item=constructor",
    "/api/c/shop/pair?query=1&item=..%2f..%2fetc%2fpasswd",
  ])("%s", async (path) => {
    await expectRefused(404, call({}, `GET ${path}`));
  });

  it("a comparison of a batch with itself", async () => {
    const answer = await call({}, `GET /api/c/shop/compare?a=${batch}&b=${batch}`);
    expect(answer.status).toBe(404);
  });

  it("no other batch stands for one that there is not", async () => {
    const answer = await call({}, "GET /api/c/shop/queries?run=..%2f..%2fetc%2fpasswd&baseline=__proto__");
    expect(answer.status).toBe(404);
    expect(answer.body).not.toContain(batch);
  });

  it.each(["/\0", "/api/\0/session", "*", "api/session", "/api/c/shop overview", "/..\\..\\etc\\passwd"])(
    "a target that HTTP does not have: %j",
    async (target) => {
      const answer = await call({}, `GET ${target}`);
      expect([400, 404]).toContain(answer.status);
      expectNoData(answer);
    },
  );

  it("a version of HTTP without names", async () => {
    const answer = await sendRaw(served.port, "GET /api/session HTTP/1.0\r\n\r\n");
    expect(answer.status).toBe(400);
    expectNoData(answer);
  });

  it("a head that never ends in its limits", async () => {
    const answer = await call({ "x-long": "x".repeat(100_000) });
    expect(answer.status).toBe(431);
    expectNoData(answer);
  });
});

it("nothing that was refused has started, stored or broken anything", async () => {
  const { body } = await call({}, "GET /api/session");
  expect(JSON.parse(body)).toMatchObject({ raters: [], problems: [] });
  const history = JSON.parse((await call({}, "GET /api/c/shop/batches")).body) as {
    batches: unknown[];
    jobs: unknown[];
  };
  expect([history.batches.length, history.jobs.length]).toEqual([1, 1]);
  expect(internalErrors).toEqual([]);
});

describe("what the page and its user do is answered", () => {
  it.each(["localhost:PORT", "LocalHost:PORT", "127.0.0.1:PORT", "[::1]:PORT"])("by %s", async (host) => {
    const page = await send("GET /", { ...PAGE, host });
    expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expectSafeHeaders(page);
    const answer = await call({ host, origin: `http://${host.replace("LocalHost", "localhost")}` });
    expect(answer.status).toBe(200);
    expectSafeHeaders(answer);
  });

  it("at the IPv6 number of this machine, where it has one", async () => {
    const hasIpv6 = Object.values(networkInterfaces()).some((list) =>
      list?.some(({ address }) => address === "::1"),
    );
    if (!hasIpv6) return;
    const request = filled(rawRequest("GET /api/session", { ...API, host: "[::1]:PORT" }));
    expect((await sendRaw(served.port, request, "::1")).status).toBe(200);
  });

  it.each(["none", "same-origin", "same-site", "cross-site"])("a link to the page, from %s", async (site) => {
    expect((await send("GET /", { ...PAGE, "sec-fetch-site": site })).status).toBe(200);
  });

  it("a browser that says nothing of where a request comes from", async () => {
    expect((await send("GET /", { host: "localhost:PORT" })).status).toBe(200);
  });

  it.each(["application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8"])(
    "a body of type %s",
    async (type) => {
      const answer = await send("POST /api/jobs/job-0/stop", { ...POST, "content-type": type }, "{}");
      // There is no such work; a body of another type is a 415 before anybody looks for it.
      expect(answer.status).toBe(404);
    },
  );

  it("a call with an empty search", async () => {
    expect((await call({}, "GET /api/session?")).status).toBe(200);
  });
});

describe("the page", () => {
  const page = async (headers: RawHeaders = {}): Promise<RawAnswer> => send("GET /", { ...PAGE, ...headers });

  it("has neither data nor token in it", async () => {
    const { text } = await page();
    for (const secret of [token, batch, project.folder, "red shoe"]) expect(text).not.toContain(secret);
  });

  it("runs the scripts and the style that its policy has the hashes of, and no others", async () => {
    const { body, headers } = await page();
    const policy = headers["content-security-policy"] ?? "";
    const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    for (const [name, count] of [
      ["script", 2],
      ["style", 1],
    ] as const) {
      const blocks = [...body.matchAll(new RegExp(`<${name}>([^]*?)</${name}>`, "g"))].map(
        ([, text]) => text,
      );
      expect(blocks.length).toBe(count);
      expect(policy).toContain(`${name}-src ${blocks.map((block = "") => hashOf(block)).join(" ")};`);
    }
    expect(policy).not.toMatch(/unsafe-|\*|https?:/);
    for (const part of ["connect-src 'self'", "base-uri 'none'", "form-action 'none'", "img-src data:;"])
      expect(policy).toContain(part);
    expect(body).not.toMatch(/<[^>]+ (?:on\w+|style)=/);
  });

  it("asks for pictures only where they were asked for", async () => {
    const made = workbench({ ...project.options({ showsImages: true }), port: () => PORT });
    const { headers } = await made.fetch(
      new Request(`http://localhost:${PORT}/`, { headers: { host: `localhost:${PORT}` } }),
    );
    expect(headers.get("content-security-policy")).toContain("img-src data: https: http:;");
  });

  it.each(["br", "gzip"])("is sent in at most 60,000 bytes when it is packed by %s", async (encoding) => {
    const made = workbench({ ...project.options(), port: () => PORT });
    const headers = { host: `localhost:${PORT}`, "accept-encoding": encoding };
    const answer = await made.fetch(new Request(`http://localhost:${PORT}/`, { headers }));
    const { byteLength } = await answer.arrayBuffer();
    expect([answer.headers.get("content-encoding"), byteLength < 60_000]).toEqual([encoding, true]);
  });

  it.each(["br", "gzip"])("is the same page when it is packed by %s", async (encoding) => {
    const fetched = await fetch(`http://localhost:${served.port}/`, {
      headers: { "accept-encoding": encoding },
    });
    expect(fetched.headers.get("content-encoding")).toBe(encoding);
    expect(await fetched.text()).toBe((await page()).body);
  });
});

describe("names that were allowed", () => {
  /** Browsers do not say `Sec-Fetch-Site` to a name of the network without encryption. */
  const allowed = async (
    names: readonly string[],
    host: string,
    site?: string,
    port = PORT,
  ): Promise<number> => {
    const made = workbench({ ...project.options({ allowedHosts: names }), port: () => port });
    const asked = new Request(`http://localhost:${port}/api/session`, {
      headers: {
        host,
        origin: `http://${host}`,
        "x-rankproof-token": made.token,
        ...(site !== undefined && { "sec-fetch-site": site }),
      },
    });
    return (await made.fetch(asked)).status;
  };

  it("are answered with our port", async () => {
    expect(await allowed(["search.example"], `search.example:${PORT}`)).toBe(200);
  });

  it("are answered without the port that browsers leave out", async () => {
    expect(await allowed(["search.example"], "search.example", undefined, 80)).toBe(200);
    expect(await allowed([], "localhost", "same-origin", 80)).toBe(200);
    expect(await allowed([], "localhost:80", "same-origin", 80)).toBe(200);
    expect(await allowed(["search.example"], "search.example")).toBe(403);
  });

  it("are answered in whatever case they were given, since browsers send them in small letters", async () => {
    expect(await allowed(["Search.Example"], `search.example:${PORT}`)).toBe(200);
  });

  it.each([`search.example:${PORT + 1}`, `x.search.example:${PORT}`, `search.example.evil.test:${PORT}`])(
    "are not answered as %s",
    async (host) => {
      expect(await allowed(["search.example"], host)).toBe(403);
    },
  );

  it("do not keep this machine's own names out", async () => {
    expect(await allowed(["search.example"], `127.0.0.1:${PORT}`, "same-origin")).toBe(200);
    expect(await allowed(["search.example"], `127.0.0.1:${PORT}`)).toBe(403);
  });

  it("are answered to their own page alone where the browser says whose a request is", async () => {
    expect(await allowed(["search.example"], `search.example:${PORT}`, "same-origin")).toBe(200);
    expect(await allowed(["search.example"], `search.example:${PORT}`, "same-site")).toBe(403);
  });

  it("are asked for where others reach the server", async () => {
    await expect(serveWorkbench({ ...project.options(), port: 0, host: "0.0.0.0" })).rejects.toMatchObject({
      code: "ARGUMENT",
      message: expect.stringContaining("--allow-host") as string,
    });
  });
});

describe("every route of the interface", () => {
  const made = aProject();
  const { config, store, golden } = made.options();
  const opening = new Project({ config, store, labels: undefined, showsImages: false }, golden);
  const routes = apiRoutes({
    project: () => opening,
    reopen: undefined,
    configProblem: () => null,
    jobs: new Jobs(),
    version: "0.0.0",
    rater: null,
    isReadOnly: false,
    commandFolder: undefined,
    onError: () => undefined,
  }).routes.filter(({ path }) => path !== "/*" && path !== "*");
  const paths = routes.map(
    ({ method, path }) => [method, path.replace(":collection", "shop").replace(":job", "job-1")] as const,
  );
  afterAll(() => made.remove());

  it("is below /api/", () => {
    expect(paths.length).toBeGreaterThan(8);
    expect(paths.filter(([, path]) => !path.startsWith("/api/"))).toEqual([]);
  });

  const opened = made.open();

  it.each(paths)("%s %s wants the token", async (method, path) => {
    const headers = { "x-rankproof-token": "" };
    const body = method === "POST" ? "{}" : null;
    expect((await opened.request(path, { method, body, headers })).status).toBe(401);
  });

  const posts = paths.filter(([method]) => method === "POST");
  const readOnly = made.open({ isReadOnly: true });

  it.each(posts)("%s %s does nothing when read-only", async (_, path) => {
    const { status, body } = await readOnly.post(path, {});
    expect([status, body]).toEqual([403, { message: "the workbench was started read-only" }]);
  });

  it.each(posts.filter(([, path]) => !path.endsWith("/stop")))(
    "%s %s takes an object alone",
    async (_, path) => {
      for (const body of ["[]", "null", '"text"', "1", "{", "{}{}", "{]"]) {
        const answer = await opened.ask<{ code: string }>(path, { method: "POST", body });
        expect([body, answer.status, answer.body.code]).toEqual([body, 400, "ARGUMENT"]);
      }
    },
  );
});

it("an error of the project's files is told without a place in the code", async () => {
  const made = aProject({ "items.jsonl": "{broken\n" });
  try {
    const { status, text } = await made.open().ask("/api/c/shop/overview");
    expect(status).toBe(400);
    expect(text).not.toMatch(/ at .+:\d+:\d+|node_modules/);
    expect(text).not.toContain("stack");
  } finally {
    made.remove();
  }
});

it("an error of the code is told to the terminal, and to the page only that there was one", async () => {
  const errors: unknown[] = [];
  const made = aProject();
  Object.defineProperty(made.config.datasets?.["shop"], "queries", {
    get: () => {
      throw new TypeError("secret of the code");
    },
  });
  try {
    const opened = made.open({ onError: (error) => void errors.push(error) });
    const { status, body } = await opened.ask("/api/c/shop/overview");
    expect([status, body]).toEqual([500, { message: "an internal error; the terminal says more" }]);
    expect(errors.map(String)).toEqual(["TypeError: secret of the code"]);
  } finally {
    made.remove();
  }
});
