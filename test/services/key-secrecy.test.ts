import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { fileEmbeddingCache } from "../../src/node/index.js";
import {
  cachedEmbedder,
  embeddingSettingsFrom,
  openaiEmbedder,
  type OpenaiEmbedderOptions,
} from "../../src/retrieve/index.js";
import {
  embeddingServer,
  sendEmbeddings,
  sendError,
  sendJson,
  sendVectors,
  type EmbeddingServer,
  type ReceivedRequest,
  type ServerBehaviour,
} from "../support/embedding-server.js";
import { KEY, TRACES } from "../support/secret-key.js";

const servers: EmbeddingServer[] = [];
const folder = mkdtempSync(join(tmpdir(), "rankproof-secrecy-"));
afterAll(async () => {
  for (const server of servers) await server.close();
  rmSync(folder, { recursive: true });
});

async function started(behaviour?: ServerBehaviour): Promise<EmbeddingServer> {
  const server = await embeddingServer(behaviour);
  servers.push(server);
  return server;
}

/** All that a program could print of a value: errors with their causes, hidden properties, JSON. */
function everythingOf(value: unknown, seen = new Set<unknown>()): string {
  if (typeof value !== "object" || value === null || seen.has(value)) return String(value);
  seen.add(value);
  const texts = [
    inspect(value, { depth: Infinity, showHidden: true, getters: true }),
    JSON.stringify(value),
    value instanceof Error ? `${value.message}\n${value.stack}` : "",
  ];
  return [...texts, ...Reflect.ownKeys(value).map((key) => everythingOf(Reflect.get(value, key), seen))].join(
    "\n",
  );
}

function expectNoTrace(text: string): void {
  for (const trace of TRACES) expect(text).not.toContain(trace);
}

const echo = ({ headers }: ReceivedRequest): string => headers.authorization ?? "";

/** Servers that fail, each telling as much of the request as it can. */
const telling: readonly (readonly [string, ServerBehaviour])[] = [
  ...[301, 307, 400, 401, 403, 404, 405, 408, 413, 418, 422, 429, 500, 503].map(
    (status) =>
      [
        `${status} with the header in its message`,
        (request, response) =>
          sendError(response, status, `bad request, headers: ${echo(request)}!`, {
            location: "/elsewhere",
            "x-echo": "1",
          }),
      ] as readonly [string, ServerBehaviour],
  ),
  ["400 in plain text", (request, response) => response.writeHead(400).end(`you sent ${echo(request)}`)],
  [
    "400 with all headers as JSON in text",
    (request, response) => response.writeHead(400).end(`sent: ${JSON.stringify(request.headers)}`),
  ],
  [
    "400 with a detail that is a list",
    (request, response) => sendJson(response, 400, { detail: [{ input: request.headers }] }),
  ],
  [
    "400 with a key that is cut off",
    (request, response) => sendError(response, 400, `wrong key ${echo(request).slice(0, 30)}...`),
  ],
  [
    "400 with the key in an address",
    (request, response) =>
      sendError(response, 400, `see https://help.example/?key=${encodeURIComponent(echo(request))}`),
  ],
  [
    "400 with the key beyond what is shown",
    (request, response) => sendError(response, 400, `${"x".repeat(280)}${echo(request)}`),
  ],
  [
    "401 as an HTML page",
    (request, response) => response.writeHead(401).end(`<html>${echo(request)}</html>`),
  ],
  [
    "a page with status 200",
    (request, response) => response.writeHead(200).end(`<html>${echo(request)}</html>`),
  ],
  ["text with status 200", (request, response) => response.writeHead(200).end(`${echo(request)} {`)],
  ["an error with status 200", (request, response) => sendError(response, 200, echo(request))],
  ["no data, but the request", (request, response) => sendJson(response, 200, { request: request.headers })],
  ["vectors of text", (request, response) => sendVectors(response, [echo(request)])],
  ["numbers of text", (request, response) => sendVectors(response, [[1, echo(request)]])],
  [
    "indexes of text",
    (request, response) => sendJson(response, 200, { data: [{ index: echo(request), embedding: [1] }] }),
  ],
  ["too many vectors, with text", (request, response) => sendVectors(response, [[1], echo(request)])],
  [
    "a redirect with the key in it",
    (request, response) => {
      const key = encodeURIComponent(echo(request));
      return response.writeHead(302, { location: `https://elsewhere.example/${key}?${key}` }).end();
    },
  ],
  ["a broken connection", (_, response) => response.destroy()],
  [
    "a broken answer",
    (request, response) =>
      response.writeHead(200, { "content-length": "9999" }).write(echo(request), () => response.destroy()),
  ],
  ["no answer", () => undefined],
  ["garbage instead of HTTP", (request, response) => response.socket?.end(`${echo(request)}\r\n\r\n`)],
];

describe("the key", () => {
  const failure = async (options: OpenaiEmbedderOptions): Promise<string> => {
    const retries: string[] = [];
    const provider = cachedEmbedder(
      openaiEmbedder({
        apiKey: KEY,
        retries: 1,
        timeoutMs: 500,
        sleep: async () => undefined,
        onRetry: (message) => retries.push(message),
        ...options,
      }),
      fileEmbeddingCache(folder),
    );
    const error = await provider.embed(["a text"]).then(
      () => expect.fail("did not fail"),
      (reason: unknown) => reason,
    );
    return `${everythingOf(error)}\n${everythingOf(provider)}\n${retries.join("\n")}`;
  };

  it.each(telling)("is in nothing that is thrown after %s", async (_, behaviour) => {
    const server = await started(behaviour);
    expectNoTrace(await failure({ baseUrl: server.baseUrl }));
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });
  it("goes to no other host for a slip in the name of the address", () => {
    for (const slip of ["baseURL", "base_url", "baseUrls"])
      expect(() => openaiEmbedder({ apiKey: KEY, [slip]: "http://127.0.0.1:1/v1" })).toThrow(
        `there is no option \`${slip}\`; did you mean \`baseUrl\`?`,
      );
  });
  it("is in nothing that is thrown when nobody listens", async () => {
    const server = await started();
    await server.close();
    expectNoTrace(await failure({ baseUrl: server.baseUrl }));
  });
  it("is in nothing that is thrown when `fetch` throws the whole request", async () => {
    const angry: typeof fetch = async (_, init) => {
      const inner = Object.assign(new Error(`cannot send ${JSON.stringify(init?.headers)}`), {
        request: init,
        code: `E_${KEY}`,
      });
      throw Object.assign(new TypeError("fetch failed", { cause: inner }), { init });
    };
    expectNoTrace(await failure({ fetch: angry }));
    expectNoTrace(
      await failure({
        fetch: async (_, init) =>
          Promise.reject(new Error(String(new Headers(init?.headers).get("authorization")))),
      }),
    );
    expectNoTrace(await failure({ fetch: async (_, init) => Promise.reject(JSON.stringify(init)) }));
  });
  it.each<[string, OpenaiEmbedderOptions]>([
    ["has a line break", { apiKey: `${KEY}\nx` }],
    ["is in the base URL", { apiKey: KEY, baseUrl: `https://x.example/${encodeURIComponent(KEY)}` }],
    ["is the base URL", { baseUrl: KEY }],
    ["is a user in the base URL", { baseUrl: `https://${encodeURIComponent(KEY)}@x.example` }],
    ["is in the query of the base URL", { baseUrl: `https://x.example/?${encodeURIComponent(KEY)}` }],
    ["would travel unencrypted", { apiKey: KEY, baseUrl: "http://x.example/v1" }],
  ])("is in nothing that is thrown when it %s", (_, options) => {
    let thrown: unknown;
    try {
      openaiEmbedder(options);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: "EMBEDDING_CONFIG" });
    expectNoTrace(everythingOf(thrown));
  });
  it.each([301, 302, 303, 307, 308])(
    "does not reach the host that a redirect (%d) leads to",
    async (status) => {
      const elsewhere = await started();
      const server = await started((_, response) =>
        response.writeHead(status, { location: elsewhere.baseUrl.replace("127.0.0.1", "localhost") }).end(),
      );
      expectNoTrace(await failure({ baseUrl: server.baseUrl }));
      expect(elsewhere.requests).toEqual([]);
    },
  );
  it("is in nothing that can be printed of settings and providers, nor in the identity", () => {
    const settings = embeddingSettingsFrom({ RANKPROOF_EMBEDDING_API_KEY: KEY });
    const provider = openaiEmbedder(settings);
    expect(settings.apiKey?.()).toBe(KEY);
    expectNoTrace(
      everythingOf(settings) + everythingOf({ ...settings }) + everythingOf(provider) + provider.identity,
    );
  });
  it("is in no name and no byte of the cache", async () => {
    const { baseUrl } = await started(sendEmbeddings);
    await cachedEmbedder(openaiEmbedder({ apiKey: KEY, baseUrl }), fileEmbeddingCache(folder)).embed([
      "a text",
      "another",
    ]);
    const names = readdirSync(folder);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expectNoTrace(name + readFileSync(join(folder, name), "latin1"));
  });
});
