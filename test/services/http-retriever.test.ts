import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { AdapterError } from "../../src/foundation/errors/errors.js";
import { httpBackend, httpRetriever } from "../../src/retrieve/index.js";
import { loopback } from "../support/loopback.js";

const ask = { limit: 3 };
const answering = async (text: string, status = 200): Promise<string> =>
  loopback((_, response) => void response.writeHead(status).end(text));
/** As messages have it, without the port. */
const at = (error: unknown): string => (error as Error).message.replace(/127\.0\.0\.1:\d+/, "HOST");
const failureOf = async (
  retriever: ReturnType<typeof httpRetriever>,
  signal?: AbortSignal,
): Promise<unknown> =>
  Promise.resolve(retriever.search("wing", { ...ask, signal })).then(
    () => expect.fail("should have failed"),
    (error: unknown) => error,
  );

describe("what is sent", () => {
  it("a POST of query, limit and id as JSON, with the headers", async () => {
    const seen: unknown[] = [];
    const url = await loopback((body, response, { method, url: path, headers }) => {
      seen.push(method, path, JSON.parse(body), headers["content-type"], headers["x-tenant"]);
      response.end("[]");
    });
    await httpRetriever(`${url}?index=a`, { headers: { "x-tenant": "blue" } }).search("wing “lift”\0", {
      limit: 3,
      queryId: "q1",
    });
    expect(seen).toEqual([
      "POST",
      "/search?index=a",
      { query: "wing “lift”\0", limit: 3, query_id: "q1" },
      "application/json",
      "blue",
    ]);
  });
});

describe("what is read", () => {
  it.each([
    [
      "a list of hits",
      '[{"chunk_id":"c","doc_id":"d","score":0.5}]',
      [{ rank: 1, chunk_id: "c", doc_id: "d", score: 0.5 }],
    ],
    ["hits", '{"took":3,"hits":[{"id":"x"}]}', [{ rank: 1, chunk_id: "x", doc_id: "x", score: null }]],
    [
      "results",
      '{"results":[{"doc_id":7,"score":null}]}',
      [{ rank: 1, chunk_id: "7", doc_id: "7", score: null }],
    ],
    [
      "bare ids",
      '["a","__proto__"]',
      [
        { rank: 1, chunk_id: "a", doc_id: "a", score: null },
        { rank: 2, chunk_id: "__proto__", doc_id: "__proto__", score: null },
      ],
    ],
    [
      "at most limit hits",
      '["a","b","c","d"]',
      ["a", "b", "c"].map((id, index) => ({ rank: index + 1, chunk_id: id, doc_id: id, score: null })),
    ],
    [
      "passages of one document: the document at its best rank, the next one moves up",
      '[{"doc_id":"d"},{"doc_id":"d"},{"doc_id":"e"}]',
      ["d", "e"].map((id, index) => ({ rank: index + 1, chunk_id: id, doc_id: id, score: null })),
    ],
    ["nothing", '{"hits":[]}', []],
  ])("%s", async (_, text, hits) => {
    expect(await httpRetriever(await answering(text)).search("wing", ask)).toEqual(hits);
  });
});

describe("what fails", () => {
  it.each([
    ["a status of 500", "oops", 500, "http://HOST/search answered with status 500; see its log"],
    ["a status of 404", "", 404, "http://HOST/search answered with status 404; see its log"],
    ["no JSON", "<html>busy</html>", 200, "http://HOST/search answered with something that is not JSON"],
    ["no text at all", "", 200, "http://HOST/search answered with something that is not JSON"],
    [
      "no list",
      '{"error":"x","took":1}',
      200,
      "http://HOST/search must answer with a list of hits, or an object with one under `hits`, got " +
        "an object with the keys `error`, `took`",
    ],
    [
      "null",
      "null",
      200,
      "http://HOST/search must answer with a list of hits, or an object with one under `hits`, got null",
    ],
    [
      "a hit without id",
      '[{"id":"a"},{"score":1}]',
      200,
      "http://HOST/search: hit 2 must have a chunk_id, doc_id or id, got an object with the key `score`",
    ],
    [
      "an id that JSON has rounded",
      '[{"id":12345678901234567890},{"id":12345678901234567891}]',
      200,
      "http://HOST/search: hit 1: id is a number that is too large to be read exactly; ids of such a size " +
        "must be text",
    ],
    [
      "a score in quotes",
      '[{"id":"a","score":"1"}]',
      200,
      "http://HOST/search: hit 1: score must be a finite number or null, got a string",
    ],
    [
      "a score that is too large",
      '[{"id":"a"},{"id":"b","score":1e400}]',
      200,
      "http://HOST/search: hit 2: score must be a finite number or null, got one that is too large",
    ],
    [
      "a hit that is a number",
      "[7]",
      200,
      "http://HOST/search: hit 1 must have a chunk_id, doc_id or id, got a number",
    ],
  ])("%s", async (_, text, status, message) => {
    const error = await failureOf(httpRetriever(await answering(text, status)));
    expect(error).toBeInstanceOf(AdapterError);
    expect(error).toMatchObject({ code: "RETRIEVER_FAILED" });
    expect(at(error)).toBe(message);
  });
  it("a service that says nothing, or stops in the middle, within the time", async () => {
    const silent = await loopback(() => undefined);
    const halting = await loopback((_, response) => void response.write("["));
    for (const url of [silent, halting])
      expect(at(await failureOf(httpRetriever(url, { timeoutMs: 60 })))).toBe(
        "http://HOST/search did not answer within 60 ms",
      );
  });
  it("a service that hangs up, and one that is not there", async () => {
    const closing = await loopback((_, response) => void response.socket?.destroy());
    expect(at(await failureOf(httpRetriever(closing)))).toBe("http://HOST/search cannot be reached");
    expect(at(await failureOf(httpRetriever("http://127.0.0.1:1/search?key=hidden")))).toBe(
      "http://HOST/search cannot be reached",
    );
  });
  it("an aborted request with the reason of whoever aborted it", async () => {
    const controller = new AbortController();
    const url = await loopback(() => controller.abort(new Error("nobody waits")));
    expect(await failureOf(httpRetriever(url), controller.signal)).toBe(controller.signal.reason);
    expect(await failureOf(httpRetriever(url), AbortSignal.abort("before"))).toBe("before");
  });
  it("addresses that are none", () => {
    for (const url of ["localhost:9200", "ftp://host/x", ""])
      expect(() => httpRetriever(url)).toThrow(
        "the address of a search service must begin with http:// or https://",
      );
  });
});

describe("a secret", () => {
  const SECRET = "sk-swordfish-1234";
  const headers = { authorization: `Bearer ${SECRET}` };
  const tellsAll = (error: unknown): string => inspect(error, { depth: 10, showHidden: true });

  it("stands in no error, even where the service repeats its headers", async () => {
    const echo = (wrap: (text: string) => string, status = 200): Promise<string> =>
      loopback(
        (_, response, request) =>
          void response.writeHead(status).end(wrap(request.headers.authorization ?? "")),
      );
    const urls = [
      await echo((text) => text),
      await echo((text) => text, 401),
      await echo((text) => JSON.stringify(text)),
      await echo((text) => JSON.stringify({ authorization: text })),
      await echo((text) => JSON.stringify([{ authorization: text }])),
      await echo((text) => `{"hits": "${text}"`),
      "http://127.0.0.1:1/",
    ];
    for (const url of urls)
      expect(tellsAll(await failureOf(httpRetriever(url, { headers })))).not.toContain("swordfish");
  });
  it("stands in no reason, wherever in a header it was", async () => {
    for (const given of [`sid=${SECRET}`, `a=1; token=${SECRET}`, `Token token="${SECRET}"`, `x:${SECRET}`]) {
      const url = await loopback(
        (_, response, request) =>
          void response.writeHead(400).end(
            JSON.stringify({
              message: `unknown session ${/[\w-]+-1234/.exec(request.headers["x-key"] as string)?.[0] ?? ""}`,
            }),
          ),
      );
      const backend = httpBackend({ url, headers: { "x-key": given }, search: { error: "/message" } });
      const failure = await Promise.resolve(backend.search("q", { limit: 1 })).catch(
        (error: unknown) => error,
      );
      expect(tellsAll(failure)).toContain("unknown session ***");
      expect(tellsAll(failure)).not.toContain("swordfish");
    }
  });
  it("that no header may have is refused by the header's name", () => {
    const refusal = (given: Record<string, string>): unknown => {
      try {
        return httpRetriever("http://host/", { headers: given });
      } catch (error) {
        return error;
      }
    };
    const error = refusal({ authorization: `Bearer ${SECRET}\nx` });
    expect(error).toMatchObject({
      code: "ARGUMENT",
      message:
        "the header `authorization` cannot be sent; its name or its value has characters that no " +
        "header may have, such as a line break",
    });
    expect(tellsAll(error)).not.toContain("swordfish");
  });
  it("in the address is refused without being shown", () => {
    expect(() => httpRetriever(`https://user:${SECRET}@host/search`)).toThrow(
      /^(?!.*swordfish)https:\/\/host\/search: a name and a password cannot stand in the address/,
    );
  });
  it("in the query of the address is not shown", async () => {
    expect(
      tellsAll(await failureOf(httpRetriever(`${await answering("", 500)}?key=${SECRET}`))),
    ).not.toContain("swordfish");
  });
});
