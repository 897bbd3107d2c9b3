import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { rerankBatchOf } from "../../src/node/datasets/rerankers.js";
import { httpReranker, rerankSettingsFrom, type RerankForm } from "../../src/services/index.js";
import { loopback } from "../support/loopback.js";

const KEY = "rr-0123456789abcdefghijklmnop";
const documents = ["red shoe", " ", "hat"].map((text, at) => ({ id: `d${at}`, text }));
const base = (url: string): string => url.replace("/search", "/v1/");

/** Answers each request with JSON, and keeps what was asked. */
async function answering(answer: unknown, status = 200) {
  const asked: unknown[] = [];
  const url = await loopback((body, response, { url: path, headers }) => {
    asked.push([path, JSON.parse(body), headers["authorization"]]);
    response.writeHead(status).end(typeof answer === "string" ? answer : JSON.stringify(answer));
  });
  return { asked, baseUrl: base(url) };
}

describe("a reranker behind HTTP", () => {
  it("is asked with documents and reads relevance scores, in whatever order", async () => {
    const { asked, baseUrl } = await answering({
      results: [
        { index: 1, relevance_score: 0.25, document: { text: "hat" } },
        { index: 0, relevance_score: 0.5 },
      ],
    });
    const reranker = httpReranker({ baseUrl, apiKey: KEY, model: "m-1" });
    expect(await reranker.score("shoe", documents)).toEqual([0.5, 0, 0.25]);
    const body = { model: "m-1", query: "shoe", documents: ["red shoe", "hat"], top_n: 2 };
    expect(asked).toEqual([["/v1/rerank", body, `Bearer ${KEY}`]]);
    expect(reranker.identity).toBe(
      `{"address":"${baseUrl}rerank","form":"documents","kind":"http","model":"m-1"}`,
    );
    expect(inspect(reranker, { depth: 9 })).not.toContain(KEY);
  });

  it("is asked with texts where that is its way", async () => {
    const { asked, baseUrl } = await answering([
      { index: 1, score: -2 },
      { index: 0, score: 7 },
    ]);
    const reranker = httpReranker({ baseUrl, form: "texts" });
    expect(await reranker.score("shoe", documents)).toEqual([7, 0, -2]);
    expect(asked).toEqual([["/v1/rerank", { query: "shoe", texts: ["red shoe", "hat"] }, undefined]]);
    expect(await reranker.score("shoe", [])).toEqual([]);
    expect(await reranker.score("shoe", [{ id: "d", text: "\n" }])).toEqual([0]);
    expect(asked).toHaveLength(1);
  });

  it.each([
    ["too few", { results: [{ index: 0, relevance_score: 1 }] }],
    ["twice the same", { results: [0, 0].map((index) => ({ index, relevance_score: 1 })) }],
    ["one too many", { results: [0, 1, 2].map((index) => ({ index, relevance_score: 1 })) }],
    ["no number", { results: [0, 1].map((index) => ({ index, relevance_score: "1" })) }],
    ["the other way", [0, 1].map((index) => ({ index, score: 1 }))],
    ["nothing", null],
    ["no JSON", "<html>"],
  ])("fails with %s", async (_, answer) => {
    const { baseUrl } = await answering(answer);
    await expect(Promise.resolve(httpReranker({ baseUrl }).score("shoe", documents))).rejects.toMatchObject({
      code: "RERANK_ANSWER",
    });
  });

  it("says what is wrong without the key, which the server repeats", async () => {
    const { baseUrl } = await answering({ error: { message: `bad key ${KEY}` } }, 401);
    const error: unknown = await Promise.resolve(
      httpReranker({ baseUrl, apiKey: KEY, model: "m" }).score("shoe", documents),
    ).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: "RERANK_REFUSED" });
    expect((error as Error).message).toContain("RANKPROOF_RERANK_API_KEY");
    expect(inspect(error, { depth: 9 })).not.toContain(KEY);
  });

  it.each([
    [413, { error: "Payload too large" }],
    [422, { error: "batch size 80 > maximum allowed batch size 32", error_type: "Validation" }],
  ])("says what to do where a request has too many: %i", async (status, body) => {
    const { baseUrl } = await answering(body, status);
    await expect(httpReranker({ baseUrl, form: "texts" }).score("shoe", documents)).rejects.toThrow(
      /answered 4\d\d \(.*; send fewer in a request \(`batchSize`\)$/,
    );
  });

  it("sends as many at once as Text Embeddings Inference takes, unless it is told", () => {
    expect(rerankBatchOf({ kind: "http", form: "texts" })).toBe(32);
    expect(rerankBatchOf({ kind: "http", form: "texts", batchSize: 100 })).toBe(100);
    expect(rerankBatchOf({ kind: "http" })).toBe(80);
  });

  it("is set up by the environment, its address first", () => {
    expect(() => rerankSettingsFrom({ RANKPROOF_RERANK_API_KEY: KEY })).toThrow(/RANKPROOF_RERANK_BASE_URL/);
    const settings = rerankSettingsFrom({
      RANKPROOF_RERANK_API_KEY: KEY,
      RANKPROOF_RERANK_BASE_URL: "https://rerank.example.org/v1/",
      RANKPROOF_RERANK_MODEL: " m ",
    });
    expect({ ...settings, apiKey: settings.apiKey?.() }).toEqual({
      apiKey: KEY,
      baseUrl: "https://rerank.example.org/v1",
      model: "m",
    });
    expect(() => httpReranker({ baseUrl: "https://x.org", form: "pairs" as RerankForm })).toThrow(
      /form must be/,
    );
    expect(() => httpReranker({ baseUrl: "http://x.org", apiKey: KEY })).toThrow(/unencrypted/);
  });
});
