import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { constants, createGzip, gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { httpRetriever, openaiEmbedder } from "../../src/retrieve/index.js";
import { loopback } from "../support/loopback.js";

const KEY = "sk-swordfish-1234";
const MIB = 2 ** 20;

interface Client {
  readonly name: string;
  /** Asks once, without trying again. */
  readonly ask: (
    url: string,
    limits?: { timeoutMs?: number; maxAnswerBytes?: number; fetch?: typeof fetch },
  ) => Promise<unknown>;
  /** An answer that it takes. */
  readonly good: string;
  readonly codes: { readonly redirect: string; readonly unusable: string; readonly timeout: string };
}

/** Everything that talks to somebody else's service. */
const CLIENTS: readonly Client[] = [
  {
    name: "httpRetriever",
    ask: async (url, limits) =>
      httpRetriever(url, { headers: { authorization: `Bearer ${KEY}` }, ...limits }).search("wing", {
        limit: 3,
      }),
    good: '["a"]',
    codes: { redirect: "RETRIEVER_FAILED", unusable: "RETRIEVER_FAILED", timeout: "RETRIEVER_FAILED" },
  },
  {
    name: "openaiEmbedder",
    ask: async (url, limits) =>
      openaiEmbedder({ apiKey: KEY, baseUrl: url, retries: 0, ...limits }).embed(["wing"]),
    good: '{"data":[{"index":0,"embedding":[1,2]}]}',
    codes: { redirect: "EMBEDDING_REFUSED", unusable: "EMBEDDING_ANSWER", timeout: "EMBEDDING_UNAVAILABLE" },
  },
];

/** A server on a port of its own that counts what reaches it. */
async function elsewhere(answer: string): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.headers.authorization}`);
    response.end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/search`, requests };
}

describe.each(CLIENTS)("$name", ({ ask, good, codes }) => {
  describe.each([301, 302, 303, 307, 308])("a redirect of status %d", (status) => {
    it("to another host is not followed: no key reaches it, and no answer of it counts", async () => {
      const other = await elsewhere(good);
      const url = await loopback(
        (_, response) => void response.writeHead(status, { location: other.url }).end(),
      );
      await expect(ask(url)).rejects.toMatchObject({
        code: codes.redirect,
        message: expect.stringMatching(/redirects to `http:\/\/127\.0\.0\.1:\d+.*`, which is not followed/),
      });
      expect(other.requests).toEqual([]);
    });
    it(
      status === 307 || status === 308
        ? "to the same origin is followed with the same method, body and key"
        : "to the same origin is not followed, because it would turn the POST into a GET",
      async () => {
        const seen: string[] = [];
        const url = await loopback((body, response, request) => {
          if (request.url?.startsWith("/moved") !== true)
            return void response.writeHead(status, { location: "/moved" }).end();
          seen.push(`${request.method} ${request.headers.authorization} ${body.includes("wing")}`);
          response.end(good);
        });
        const attempt = ask(url);
        if (status === 307 || status === 308) await expect(attempt).resolves.toHaveLength(1);
        else await expect(attempt).rejects.toMatchObject({ code: codes.redirect });
        expect(seen).toEqual(status === 307 || status === 308 ? [`POST Bearer ${KEY} true`] : []);
      },
    );
  });
  it("redirects in a circle end", async () => {
    let requests = 0;
    const url = await loopback((_, response) => {
      requests++;
      response.writeHead(307, { location: "/search" }).end();
    });
    await expect(ask(url)).rejects.toMatchObject({ code: codes.redirect });
    expect(requests).toBe(6);
  });
  it("an answer that a fetch of somebody's own was redirected to does not count", async () => {
    const other = await elsewhere(good);
    const url = await loopback((_, response) => void response.writeHead(307, { location: other.url }).end());
    await expect(
      ask(url, { fetch: async (address, init) => fetch(address, { ...init, redirect: "follow" }) }),
    ).rejects.toMatchObject({ code: codes.redirect });
  });

  const endings: readonly [string, (response: ServerResponse) => void][] = [
    ["an answer without an end", (response) => void pour(response, Buffer.alloc(MIB, " "))],
    [
      "a megabyte of gzip that unpacks to a gibibyte",
      (response) => void response.writeHead(200, { "content-encoding": "gzip" }).end(bomb()),
    ],
    [
      "gzip without an end",
      (response) => {
        response.writeHead(200, { "content-encoding": "gzip" });
        const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
        gzip.pipe(response);
        pour(gzip, Buffer.alloc(MIB, " "));
      },
    ],
  ];
  it.each(endings)("%s is cut off at the limit, which the error names", async (_, answer) => {
    const url = await loopback((_body, response) => answer(response));
    const before = process.memoryUsage.rss();
    await expect(ask(url, { maxAnswerBytes: 4 * MIB })).rejects.toMatchObject({
      code: codes.unusable,
      message: expect.stringContaining(
        "answers with more than can be taken, or without an end; at most 4194304 bytes are read " +
          "(`maxAnswerBytes`)",
      ),
    });
    expect(process.memoryUsage.rss() - before).toBeLessThan(300 * MIB);
  });
  it("an answer that announces more than the limit is not read", async () => {
    const url = await loopback(
      (_, response) => void response.writeHead(200, { "content-length": 2 ** 40 }).write("["),
    );
    await expect(ask(url)).rejects.toMatchObject({
      code: codes.unusable,
      message: expect.stringContaining(
        "announces an answer of 1099511627776 bytes; at most 67108864 bytes are read (`maxAnswerBytes`)",
      ),
    });
  });
  it("an error without an end is an error", async () => {
    const url = await loopback((_, response) => void pour(response.writeHead(403), Buffer.alloc(MIB, "x")));
    await expect(ask(url)).rejects.toMatchObject({ message: expect.stringContaining("403") });
  });
  it("an answer that drips is given up when the time for all of it is over", async () => {
    const url = await loopback((_, response) => {
      const timer = setInterval(() => void response.write(" "), 5);
      response.on("close", () => clearInterval(timer));
    });
    await expect(ask(url, { timeoutMs: 80 })).rejects.toMatchObject({
      code: codes.timeout,
      message: expect.stringContaining("within 80 ms"),
    });
  });
  it("an answer that is not UTF-8 is an error", async () => {
    const url = await loopback((_, response) => void response.end(Buffer.from('["\xe9"]', "latin1")));
    await expect(ask(url)).rejects.toMatchObject({
      code: codes.unusable,
      message: expect.stringContaining("answers with something that is not UTF-8 text"),
    });
  });
});

it("an answer of exactly the limit is read, its letters whole wherever they were cut", async () => {
  const bytes = Buffer.from('["é中😀"]');
  const url = await loopback(async (_, response) => {
    for (const byte of bytes) {
      response.write(Uint8Array.of(byte));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    response.end();
  });
  const ask = async (maxAnswerBytes: number): Promise<unknown> =>
    httpRetriever(url, { maxAnswerBytes }).search("wing", { limit: 3 });
  expect(await ask(bytes.length)).toMatchObject([{ chunk_id: "é中😀" }]);
  await expect(ask(bytes.length - 1)).rejects.toMatchObject({ code: "RETRIEVER_FAILED" });
});

/** Writes until nobody reads any more. */
function pour(target: NodeJS.WritableStream, part: Buffer): void {
  let isOpen = true;
  target.on("close", () => (isOpen = false));
  target.on("error", () => (isOpen = false));
  const more = (): void => {
    while (isOpen && target.write(part));
    if (isOpen) target.once("drain", more);
  };
  more();
}

/** A gibibyte of spaces, as 64 members of 16 MiB. */
function bomb(): Buffer {
  return Buffer.concat(new Array<Buffer>(64).fill(gzipSync(Buffer.alloc(16 * MIB, " "))));
}
