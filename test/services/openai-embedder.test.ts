import { afterEach, describe, expect, it } from "vitest";
import { openaiEmbedder, type OpenaiEmbedderOptions } from "../../src/retrieve/index.js";
import { embeddingProviderContract } from "../support/embedding-provider-contract.js";
import {
  embeddingServer,
  sendEmbeddings,
  sendError,
  sendJson,
  sendVectors,
  vectorOf,
  type EmbeddingServer,
  type ServerBehaviour,
} from "../support/embedding-server.js";
import { present } from "../support/present.js";
import { pattern } from "../support/pattern.js";

const KEY = "sk-test-0123456789abcdef";

const servers: EmbeddingServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function started(behaviour?: ServerBehaviour): Promise<EmbeddingServer> {
  const server = await embeddingServer(behaviour);
  servers.push(server);
  return server;
}

/** A provider whose waits take no time and are noted. */
async function connected(behaviour: ServerBehaviour | undefined, options: OpenaiEmbedderOptions = {}) {
  const server = await started(behaviour);
  const waits: number[] = [];
  let time = Date.UTC(2026, 0, 1);
  const provider = openaiEmbedder({
    apiKey: KEY,
    baseUrl: server.baseUrl,
    model: "m",
    now: () => time,
    sleep: async (milliseconds) => {
      waits.push(milliseconds);
      time += milliseconds;
    },
    ...options,
  });
  return { server, provider, waits };
}

const floats = (texts: readonly string[]) => texts.map((text) => Float32Array.from(vectorOf(text)));

embeddingProviderContract("openaiEmbedder", async () =>
  openaiEmbedder({ baseUrl: (await started()).baseUrl, batchSize: 2 }),
);

describe("openaiEmbedder", () => {
  it("posts what OpenAI's API documents, with the key", async () => {
    const { server, provider } = await connected(undefined);
    expect(await provider.embed(["one", "three"])).toEqual(floats(["one", "three"]));
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      method: "POST",
      path: "/v1/embeddings",
      headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
    });
    expect(server.requests[0]?.body).toEqual({
      model: "m",
      input: ["one", "three"],
      encoding_format: "float",
    });
  });
  it("sends no header of authorization without a key", async () => {
    const { server, provider } = await connected(undefined, { apiKey: " " });
    await provider.embed(["one"]);
    expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
  });
  it("asks for the model's dimensions where they are named", async () => {
    const { server, provider } = await connected(undefined, { dimensions: 4 });
    await provider.embed(["one"]);
    expect(server.requests[0]?.body).toMatchObject({ dimensions: 4 });
  });
  it("speaks to OpenAI's small model unless told otherwise", async () => {
    const asked: unknown[] = [];
    const provider = openaiEmbedder({
      apiKey: KEY,
      fetch: async (...request) => (
        asked.push(request),
        Response.json({ data: [{ index: 0, embedding: [1] }] })
      ),
    });
    await provider.embed(["one"]);
    expect(provider.model).toBe("text-embedding-3-small");
    expect(asked).toMatchObject([["https://api.openai.com/v1/embeddings", { redirect: "manual" }]]);
  });
  it("puts the prefixes of the model before questions and passages", async () => {
    const { server, provider } = await connected(undefined, {
      queryPrefix: "query: ",
      documentPrefix: "passage: ",
    });
    await provider.embed(["a"], { kind: "query" });
    await provider.embed(["a"]);
    expect(server.requests.map(({ body }) => body.input)).toEqual([["query: a"], ["passage: a"]]);
  });
  it("has another identity for whatever changes vectors, and the same for what does not", () => {
    const identity = (options: OpenaiEmbedderOptions) => openaiEmbedder(options).identity;
    const all = [
      {},
      { model: "m" },
      { dimensions: 8 },
      { queryPrefix: "q" },
      { documentPrefix: "q" },
      { baseUrl: "https://other.example/v1" },
    ].map(identity);
    expect(new Set(all).size).toBe(all.length);
    expect(identity({ apiKey: KEY, batchSize: 3, retries: 0, baseUrl: "https://api.openai.com/v1/" })).toBe(
      identity({}),
    );
  });

  describe("batches", () => {
    it("cuts by number and by characters, in order; a long text goes by itself", async () => {
      const { server, provider } = await connected(undefined, {
        batchSize: 3,
        maxBatchCharacters: 10,
        concurrency: 1,
      });
      const texts = ["a", "b", "c", "d", "123456789", "x", "longer than ten characters", "y"];
      expect(await provider.embed(texts)).toEqual(floats(texts));
      expect(server.requests.map(({ body }) => body.input)).toEqual([
        ["a", "b", "c"],
        ["d", "123456789"],
        ["x"],
        ["longer than ten characters"],
        ["y"],
      ]);
    });
    it("keeps the order of the texts when later batches are answered first", async () => {
      let held: (() => void) | undefined;
      const { provider } = await connected(
        (request, response, count) => {
          if (count === 1) held = () => sendEmbeddings(request, response);
          else sendEmbeddings(request, response);
          if (count === 4) held?.();
        },
        { batchSize: 1 },
      );
      expect(await provider.embed(["a", "bb", "ccc", "dddd"])).toEqual(floats(["a", "bb", "ccc", "dddd"]));
    });
    it("has no more requests on their way than allowed", async () => {
      let open = 0;
      let most = 0;
      const { provider } = await connected(
        (request, response) => {
          most = Math.max(most, ++open);
          setTimeout(() => {
            open--;
            sendEmbeddings(request, response);
          }, 5);
        },
        { batchSize: 1, concurrency: 3 },
      );
      await provider.embed(Array.from({ length: 12 }, (_, index) => `text ${index}`));
      expect(most).toBe(3);
    });
    it("goes by the index of each vector, not by their order", async () => {
      const { provider } = await connected(({ body }, response) =>
        sendJson(response, 200, {
          data: body.input.map((text, index) => ({ index, embedding: vectorOf(text) })).reverse(),
        }),
      );
      expect(await provider.embed(["one", "three", "five"])).toEqual(floats(["one", "three", "five"]));
    });
    it("goes by their order where there is no index", async () => {
      const { provider } = await connected(({ body }, response) =>
        sendJson(response, 200, { data: body.input.map((text) => ({ embedding: vectorOf(text) })) }),
      );
      expect(await provider.embed(["one", "three"])).toEqual(floats(["one", "three"]));
    });
    it("does not send blank texts; they have the zero vector", async () => {
      const { server, provider } = await connected(undefined, { documentPrefix: "passage: " });
      expect(await provider.embed(["", "one", " \n"])).toEqual([
        new Float32Array(4),
        ...floats(["passage: one"]),
        new Float32Array(4),
      ]);
      expect(await provider.embed([""])).toEqual([new Float32Array(4)]);
      expect(server.requests.map(({ body }) => body.input)).toEqual([["passage: one"]]);
    });
    it("has vectors without numbers for blank texts while nobody knows their length", async () => {
      const { server, provider } = await connected(undefined);
      expect(await provider.embed([" ", ""])).toEqual([new Float32Array(0), new Float32Array(0)]);
      expect(await openaiEmbedder({ dimensions: 3 }).embed([""])).toEqual([new Float32Array(3)]);
      expect(server.requests).toEqual([]);
    });
    it("tells of what was answered beside a request that is refused", async () => {
      const { provider } = await connected(
        (request, response) =>
          request.body.input.includes("bad")
            ? sendError(response, 400, "too long")
            : setTimeout(() => sendEmbeddings(request, response), 30),
        { batchSize: 1, concurrency: 3 },
      );
      const told: [Float32Array[], number[]][] = [];
      const onVectors = (...[vectors, places]: [readonly Float32Array[], readonly number[]]) =>
        told.push([[...vectors], [...places]]);
      await expect(provider.embed(["a", "", "bad", "c", "d"], { onVectors })).rejects.toThrow("too long");
      expect(told.sort(([, [x = 0]], [, [y = 0]]) => x - y)).toEqual([
        [floats(["a"]), [0]],
        [floats(["c"]), [3]],
      ]);
    });
    it("ends where a request is refused, whatever another one would wait for", async () => {
      const waited: number[] = [];
      const { provider, server } = await connected(
        (request, response) =>
          request.body.input.includes("bad")
            ? setTimeout(() => sendError(response, 401, "no key"), 30)
            : sendError(response, 429, "slow down", { "retry-after": "60" }),
        {
          batchSize: 1,
          concurrency: 2,
          sleep: (milliseconds, signal) => {
            waited.push(milliseconds);
            return new Promise((_, reject) =>
              signal?.addEventListener("abort", () => reject(new Error("ended"))),
            );
          },
        },
      );
      await expect(provider.embed(["a", "bad"])).rejects.toMatchObject({ code: "EMBEDDING_REFUSED" });
      expect([waited.length, server.requests.length]).toEqual([1, 2]);
    });
    it("asks again for an error in place of vectors, and not for one that stays", async () => {
      const asking = async (error: unknown, data?: unknown) => {
        const { provider, server } = await connected((request, response, count) =>
          count === 2 ? sendJson(response, 200, { error, data }) : sendEmbeddings(request, response),
        );
        await provider.embed(["first"]);
        const ended = await provider.embed(["one"]).then(
          () => "answered",
          (problem: unknown) => (problem as { code: string }).code,
        );
        return [ended, server.requests.length];
      };
      expect(await asking({ message: "overloaded" })).toEqual(["answered", 3]);
      expect(await asking({ code: 503, message: "overloaded" }, [])).toEqual(["answered", 3]);
      for (const code of ["rate_limit_exceeded", "too_many_requests", "bad_gateway", ""])
        expect(await asking({ code, message: "later" })).toEqual(["answered", 3]);
      expect(await asking({ type: "api_error", code: null })).toEqual(["answered", 3]);
      expect(await asking({ code: "invalid_api_key" })).toEqual(["EMBEDDING_REFUSED", 2]);
      expect(await asking({ code: 401, message: "no key" })).toEqual(["EMBEDDING_REFUSED", 2]);
      expect(await asking({ code: "model_not_found" })).toEqual(["EMBEDDING_REFUSED", 2]);
    });
    it("tells of progress batch by batch", async () => {
      const { provider } = await connected(undefined, { batchSize: 2, concurrency: 1 });
      const said: number[][] = [];
      await provider.embed(["a", "", "b", "c"], { onProgress: (...progress) => said.push(progress) });
      expect(said).toEqual([
        [3, 4],
        [4, 4],
      ]);
    });
  });

  describe("tries again", () => {
    it("after 429, not before the seconds that it asks for", async () => {
      const { server, provider, waits } = await connected((request, response, count) =>
        count === 1
          ? sendError(response, 429, "slow down", { "retry-after": "7" })
          : sendEmbeddings(request, response),
      );
      expect(await provider.embed(["one"])).toEqual(floats(["one"]));
      expect(server.requests).toHaveLength(2);
      expect(waits).toEqual([7000]);
    });
    it("after 429, not before the date that it asks for", async () => {
      const { provider, waits } = await connected((request, response, count) =>
        count === 1
          ? sendError(response, 429, "slow down", { "retry-after": "Thu, 01 Jan 2026 00:00:12 GMT" })
          : sendEmbeddings(request, response),
      );
      await provider.embed(["one"]);
      expect(waits).toEqual([12_000]);
    });
    it("a minute later at most, however long it is told to wait", async () => {
      const { provider, waits } = await connected((request, response, count) =>
        count === 1
          ? sendError(response, 503, "maintenance", { "retry-after": "86400" })
          : sendEmbeddings(request, response),
      );
      await provider.embed(["one"]);
      expect(waits).toEqual([60_000]);
    });
    it.each(["soon", "-5", "0", "Thu, 01 Jan 1970 00:00:00 GMT"])(
      "by its own back-off when the header says %s",
      async (retryAfter) => {
        const { provider, waits } = await connected((request, response, count) =>
          count === 1
            ? sendError(response, 429, "slow down", { "retry-after": retryAfter })
            : sendEmbeddings(request, response),
        );
        await provider.embed(["one"]);
        expect(present(waits[0])).toBeGreaterThan(250);
        expect(present(waits[0])).toBeLessThanOrEqual(500);
      },
    );
    it("after ever longer waits, half of them by chance but the same chance for the same clock", async () => {
      const waitsOf = async () => {
        const { server, provider, waits } = await connected(
          (_, response) => sendError(response, 429, "slow down"),
          { retries: 4 },
        );
        await expect(provider.embed(["one"])).rejects.toThrow();
        expect(server.requests).toHaveLength(5);
        return waits;
      };
      const waits = await waitsOf();
      for (const [index, longest] of [500, 1000, 2000, 4000].entries()) {
        expect(present(waits[index])).toBeGreaterThan(longest / 2);
        expect(present(waits[index])).toBeLessThanOrEqual(longest);
      }
      expect(await waitsOf()).toEqual(waits);
    });
    it.each([408, 500, 502, 503, 529])("after status %d", async (status) => {
      const { provider } = await connected((request, response, count) =>
        count === 1 ? sendError(response, status, "not now") : sendEmbeddings(request, response),
      );
      expect(await provider.embed(["one"])).toEqual(floats(["one"]));
    });
    it("and says before each why and when", async () => {
      const retries: string[] = [];
      const { server, provider, waits } = await connected(
        (request, response, count) => {
          if (count === 1) sendError(response, 503, "not now");
          else if (count === 2) response.destroy();
          else sendEmbeddings(request, response);
        },
        { retries: 4, onRetry: (message) => retries.push(message) },
      );
      await provider.embed(["one"]);
      const [first = 0, second = 0] = waits.map((wait) => (wait / 1000).toFixed(1));
      expect(retries).toEqual([
        `${server.baseUrl}/embeddings: answered 503; asked again in ${first} s, 1 of 4`,
        expect.stringMatching(`/embeddings: no answer: \`.+\`; asked again in ${second} s, 2 of 4$`),
      ]);
    });
    it("when the connection breaks, also in the middle of an answer", async () => {
      const { server, provider } = await connected((request, response, count) => {
        if (count === 1) response.destroy();
        else if (count === 2)
          response.writeHead(200, { "content-length": "1000" }).write('{"data": [', () => response.destroy());
        else sendEmbeddings(request, response);
      });
      expect(await provider.embed(["one"])).toEqual(floats(["one"]));
      expect(server.requests).toHaveLength(3);
    });
    it("when an answer is cut, twice, and only of an address that has answered well", async () => {
      const right = [2, 4];
      const { server, provider } = await connected((request, response, count) => {
        if (right.includes(count)) sendEmbeddings(request, response);
        else response.end('{"data":[{"ind');
      });
      await expect(provider.embed(["one"])).rejects.toThrow("something that is not JSON");
      expect(server.requests).toHaveLength(1);
      expect(await provider.embed(["one"])).toEqual(floats(["one"]));
      expect(await provider.embed(["two"])).toEqual(floats(["two"]));
      expect(server.requests).toHaveLength(4);
      await expect(provider.embed(["two"])).rejects.toThrow("something that is not JSON");
      expect(server.requests).toHaveLength(7);
    });
    it("when nothing comes in time", async () => {
      const { provider } = await connected(
        (request, response, count) => {
          if (count > 1) sendEmbeddings(request, response);
        },
        { timeoutMs: 100 },
      );
      expect(await provider.embed(["one"])).toEqual(floats(["one"]));
    });
  });

  describe("gives up", () => {
    it("when the server fails for ever, and says how often it was asked", async () => {
      const { server, provider } = await connected(
        (_, response) => sendError(response, 500, "database is down"),
        { retries: 2 },
      );
      await expect(provider.embed(["one"])).rejects.toMatchObject({
        name: "AdapterError",
        code: "EMBEDDING_UNAVAILABLE",
        message:
          `${server.baseUrl}/embeddings: still answered 500 after 3 tries (\`database is down\`); try ` +
          "again later",
        details: { tries: 3, status: 500 },
      });
      expect(server.requests).toHaveLength(3);
    });
    it("when it is slowed down for ever, and names the setting", async () => {
      const { provider } = await connected((_, response) => sendError(response, 429, "slow down"), {
        retries: 0,
      });
      await expect(provider.embed(["one"])).rejects.toThrow(
        /still answered 429 after one try \(`slow down`\); set `requestsPerMinute`/,
      );
    });
    it("when a server hangs", async () => {
      const { provider } = await connected(() => undefined, { timeoutMs: 30, retries: 1 });
      await expect(provider.embed(["one"])).rejects.toMatchObject({
        code: "EMBEDDING_UNAVAILABLE",
        message: expect.stringMatching(
          pattern(
            /no answer after 2 tries: `nothing came within 30 ms`; check that the address in /,
            /`RANKPROOF_EMBEDDING_BASE_URL` \(`baseUrl`\) is right and the server is running$/,
          ),
        ),
      });
    });
    it("when a server begins an answer and hangs", async () => {
      const { provider } = await connected((_, response) => response.writeHead(200).write("{"), {
        timeoutMs: 30,
        retries: 0,
      });
      await expect(provider.embed(["one"])).rejects.toThrow("nothing came within 30 ms");
    });
    it("when nobody listens", async () => {
      const { server, provider } = await connected(undefined, { retries: 1 });
      await server.close();
      await expect(provider.embed(["one"])).rejects.toMatchObject({
        name: "AdapterError",
        code: "EMBEDDING_UNAVAILABLE",
        message: expect.stringContaining("no answer after 2 tries: `ECONNREFUSED`"),
      });
    });
    it("at once when the account has no credit, which is no matter of waiting", async () => {
      const { server, provider } = await connected((_, response) =>
        sendJson(response, 429, {
          error: { message: "You exceeded your current quota", code: "insufficient_quota" },
        }),
      );
      await expect(provider.embed(["one"])).rejects.toMatchObject({
        code: "EMBEDDING_REFUSED",
        message: expect.stringContaining("`You exceeded your current quota`"),
      });
      expect(server.requests).toHaveLength(1);
    });
    it("and sends no further batch", async () => {
      const { server, provider } = await connected(
        (request, response) =>
          request.body.input[0] === "b"
            ? sendError(response, 400, "bad text")
            : sendEmbeddings(request, response),
        { batchSize: 1, concurrency: 1 },
      );
      await expect(provider.embed(["a", "b", "c"])).rejects.toThrow("bad text");
      expect(server.requests).toHaveLength(2);
    });
  });

  describe("says what is wrong when it is refused", () => {
    const refusal = async (behaviour: ServerBehaviour, options: OpenaiEmbedderOptions = {}) => {
      const { server, provider } = await connected(behaviour, options);
      const error = await provider.embed(["one"]).then(
        () => expect.fail("not refused"),
        (reason: unknown) => reason as Error,
      );
      expect(error).toMatchObject({ name: "InputError", code: "EMBEDDING_REFUSED" });
      expect(server.requests).toHaveLength(1);
      return error.message.replace(server.baseUrl, "BASE");
    };
    it.each([401, 403])("status %d: which variable has the key", async (status) => {
      expect(await refusal((_, response) => sendError(response, status, "invalid key"))).toBe(
        `BASE/embeddings: answered ${status} (\`invalid key\`); check the key in ` +
          "`RANKPROOF_EMBEDDING_API_KEY` (`apiKey`), and that it may use model `m`",
      );
    });
    it("status 401: the variable that the key came from, and that none was sent", async () => {
      const behaviour: ServerBehaviour = (_, response) => sendError(response, 401, "invalid key");
      expect(await refusal(behaviour, { source: "OPENAI" })).toContain("`OPENAI_API_KEY`");
      expect(await refusal(behaviour, { apiKey: undefined })).toContain(
        "no key was sent; set `RANKPROOF_EMBEDDING_API_KEY`, or `apiKey` where the configuration has",
      );
    });
    it.each([404, 405])("status %d: there is no `/embeddings` at this address", async (status) => {
      expect(
        await refusal((_, response) =>
          response.writeHead(status, { "content-type": "text/html" }).end("<html>Not Found</html>"),
        ),
      ).toBe(
        `BASE/embeddings: answered ${status}; either there is no \`/embeddings\` here, as at many ` +
          "chat relays: set `RANKPROOF_EMBEDDING_BASE_URL` (`baseUrl`), with its own " +
          "`RANKPROOF_EMBEDDING_API_KEY`, to an endpoint that has one; or it does not know model `m`",
      );
    });
    it("status 404 of a server that names the model", async () => {
      expect(
        await refusal((_, response) =>
          sendJson(response, 404, {
            error: { message: "The model `m` does not exist", code: "model_not_found" },
          }),
        ),
      ).toContain("name another model than `m` in `RANKPROOF_EMBEDDING_MODEL` (`model`)");
    });
    it.each([
      ["OpenAI's error", { error: { message: "maximum context length is 8192 tokens" } }],
      ["an error that is a text", { error: "maximum context length is 8192 tokens" }],
      ["a message", { message: "maximum context length is 8192 tokens" }],
      ["a detail", { detail: "maximum context length is 8192 tokens" }],
      ["a list of details", { detail: [{ msg: "maximum context length is 8192 tokens" }] }],
    ])("status 400: in the words of the server, given as %s", async (_, body) => {
      const message = await refusal((_, response) => sendJson(response, 400, body));
      expect(message).toContain("BASE/embeddings: answered 400 (`");
      expect(message).toContain("maximum context length is 8192 tokens");
    });
    it("status 422: in plain words, on one line, and not too long", async () => {
      const message = await refusal((_, response) =>
        response.writeHead(422).end(`bad\n\u001b[31m${"text ".repeat(200)}`),
      );
      expect(message).toContain("answered 422 (`bad\\u000a\\u001b[31mtext ");
      expect(message.length).toBeLessThan(500);
    });
    it("a redirect is not followed", async () => {
      const elsewhere = await started();
      const message = await refusal((_, response) =>
        response.writeHead(307, { location: `${elsewhere.baseUrl}/embeddings?token=abc` }).end(),
      );
      expect(message).toContain(`redirects to \`${elsewhere.baseUrl}/embeddings\`, which is not followed`);
      expect(elsewhere.requests).toEqual([]);
    });
  });

  it("refuses a redirect whose target a browser hides", async () => {
    // Such an answer has status 0, as this one has.
    const provider = openaiEmbedder({ apiKey: KEY, fetch: async () => Response.error() });
    await expect(provider.embed(["one"])).rejects.toMatchObject({
      code: "EMBEDDING_REFUSED",
      message: expect.stringContaining("/embeddings: redirects, which is not followed"),
    });
  });

  describe("does not take answers that cannot be used", () => {
    it.each<[string, (response: Parameters<ServerBehaviour>[1]) => void, string]>([
      [
        "an HTML page",
        (response) => response.writeHead(200).end("<!doctype html><title>Welcome</title>"),
        "answered with an HTML page, not with embeddings; check that this is the address of an " +
          "OpenAI-compatible API, which often ends in `/v1`",
      ],
      [
        "something else than JSON",
        (response) => response.writeHead(200).end("{ data: oops"),
        "answered with something that is not JSON, not with embeddings",
      ],
      ["no body", (response) => response.writeHead(204).end(), "answered with something that is not JSON"],
      [
        "JSON without data",
        (response) => sendJson(response, 200, { error: { message: "no such channel" } }),
        "answered with no `data` (`no such channel`), not with embeddings",
      ],
      ["null", (response) => sendJson(response, 200, null), "answered with no `data`, not"],
      [
        "too few vectors",
        (response) => sendVectors(response, [[1, 2]]),
        "one vector for each text is needed, got 1 for 2",
      ],
      [
        "too many vectors",
        (response) => sendVectors(response, [[1], [2], [3]]),
        "one vector for each text is needed, got 3 for 2",
      ],
      [
        "no vectors",
        (response) => sendVectors(response, []),
        "one vector for each text is needed, got 0 for 2",
      ],
      [
        "vectors of two lengths",
        (response) =>
          sendVectors(response, [
            [1, 2],
            [1, 2, 3],
          ]),
        "all vectors must have one length, vector 2 has 3 numbers and 2 are expected",
      ],
      [
        "base64",
        (response) => sendVectors(response, ["AACAPw==", "AACAPw=="]),
        "vector 1 must be a list of numbers, got a string",
      ],
      [
        "null in a vector",
        (response) =>
          sendVectors(response, [
            [1, 2],
            [1, null],
          ]),
        "vector 2 must be a list of numbers, got a list with null in it",
      ],
      [
        "a number that is too large",
        (response) =>
          response.end('{"data": [{"index": 0, "embedding": [1e999]}, {"index": 1, "embedding": [1]}]}'),
        "vector 1 must have finite numbers, number 1 is `Infinity`",
      ],
      [
        "no embedding",
        (response) => sendJson(response, 200, { data: [{ index: 0 }, null] }),
        "the `index` of each vector must be its text's place, from 0 to 1, each once",
      ],
      [
        "one index twice",
        (response) =>
          sendJson(response, 200, {
            data: [
              { index: 1, embedding: [1] },
              { index: 1, embedding: [2] },
            ],
          }),
        "the `index` of each vector must be",
      ],
      [
        "an index from 1",
        (response) =>
          sendJson(response, 200, {
            data: [
              { index: 1, embedding: [1] },
              { index: 2, embedding: [2] },
            ],
          }),
        "the `index` of each vector must be",
      ],
    ])("%s", async (_, respond, message) => {
      const { server, provider } = await connected((_, response) => respond(response));
      await expect(provider.embed(["one", "two"])).rejects.toMatchObject({
        name: "AdapterError",
        code: "EMBEDDING_ANSWER",
        message: expect.stringContaining(`${server.baseUrl}/embeddings: ${message}`),
      });
      expect(server.requests).toHaveLength(1);
    });
    it("other dimensions than were asked for", async () => {
      const { provider } = await connected(undefined, { dimensions: 256 });
      await expect(provider.embed(["one"])).rejects.toThrow(
        "vector 1 has 4 numbers and 256 are expected; name a model and `dimensions` that it has",
      );
    });
    it("other dimensions than before", async () => {
      const { provider } = await connected((_, response, count) =>
        sendVectors(response, [Array.from({ length: count }, () => 1)]),
      );
      await provider.embed(["one"]);
      await expect(provider.embed(["two"])).rejects.toThrow("vector 1 has 2 numbers and 1 are expected");
    });
  });

  describe("keeps to a rate", () => {
    it("that all calls share, in any minute", async () => {
      const starts: number[] = [];
      let time = 0;
      const { provider } = await connected(
        (request, response) => {
          starts.push(time);
          sendEmbeddings(request, response);
        },
        {
          requestsPerMinute: 3,
          batchSize: 1,
          concurrency: 1,
          now: () => time,
          sleep: async (milliseconds) => {
            time += milliseconds;
          },
        },
      );
      await provider.embed(["a", "b"]);
      time = 10_000;
      await provider.embed(["c", "d", "e", "f"]);
      expect(starts).toEqual([0, 0, 10_000, 60_000, 60_000, 70_000]);
    });
    it("that tries again count for", async () => {
      const { provider, waits } = await connected(
        (request, response, count) =>
          count === 1 ? sendError(response, 500, "not now") : sendEmbeddings(request, response),
        { requestsPerMinute: 1 },
      );
      await provider.embed(["a"]);
      expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeCloseTo(60_000, 3);
    });
  });

  describe("stops at an abort", () => {
    const reason = new Error("enough");
    it("while a request is on its way", async () => {
      const controller = new AbortController();
      const { server, provider } = await connected(() => controller.abort(reason));
      await expect(provider.embed(["one"], { signal: controller.signal })).rejects.toBe(reason);
      expect(server.requests).toHaveLength(1);
    });
    it("while it waits to try again", async () => {
      const controller = new AbortController();
      const { baseUrl } = await started((_, response) =>
        sendError(response, 429, "slow down", { "retry-after": "50" }),
      );
      const provider = openaiEmbedder({ baseUrl });
      const begin = performance.now();
      setTimeout(() => controller.abort(reason), 100);
      await expect(provider.embed(["one"], { signal: controller.signal })).rejects.toBe(reason);
      expect(performance.now() - begin).toBeLessThan(30_000);
    });
    it("while it waits for its turn", async () => {
      const controller = new AbortController();
      const { baseUrl, requests } = await started();
      const provider = openaiEmbedder({ baseUrl, requestsPerMinute: 1 });
      await provider.embed(["one"]);
      setTimeout(() => controller.abort(reason), 20);
      await expect(provider.embed(["two"], { signal: controller.signal })).rejects.toBe(reason);
      expect(requests).toHaveLength(1);
    });
    it("though a `fetch` does not heed it", async () => {
      const controller = new AbortController();
      const embedding = openaiEmbedder({ fetch: () => new Promise(() => undefined) }).embed(["one"], {
        signal: controller.signal,
      });
      setTimeout(() => controller.abort(reason), 5);
      await expect(embedding).rejects.toBe(reason);
    });
  });

  it.each<[OpenaiEmbedderOptions, string]>([
    [{ batchSize: 0 }, "batchSize must be a whole number from 1, got `0`"],
    [{ maxBatchCharacters: 1.5 }, "maxBatchCharacters must be"],
    [{ concurrency: 0 }, "concurrency must be"],
    [{ timeoutMs: 2 ** 31 }, "timeoutMs must be a whole number from 1 to 2147483647, got `2147483648`"],
    [{ retries: -1 }, "retries must be a whole number from 0"],
    [{ requestsPerMinute: 0 }, "requestsPerMinute must be"],
    [{ dimensions: 0 }, "dimensions must be"],
    [{ baseUrl: "api.openai.com" }, "baseUrl: must be an address such as"],
  ])("refuses %o", (options, message) => {
    expect(() => openaiEmbedder(options)).toThrow(message);
  });
});
