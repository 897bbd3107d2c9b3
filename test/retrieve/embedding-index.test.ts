import { describe, expect, it } from "vitest";
import {
  cachedEmbedder,
  embeddingIndex,
  loadEmbeddingIndex,
  storedVectors,
  type EmbeddingProvider,
  type EmbedOptions,
} from "../../src/retrieve/index.js";
import { tableEmbedder, wordEmbedder } from "../support/word-embedder.js";

const chunk = (
  text: string,
  title?: string,
): { chunk_id: string; doc_id: string; text: string; title?: string } => ({
  chunk_id: text,
  doc_id: "d",
  text,
  ...(title !== undefined && { title }),
});
const CHUNKS = ["east", "north", "northeast", "nowhere", "west"].map((text) => chunk(text));
const TABLE = {
  east: [2, 0],
  north: [0, 5],
  northeast: [1, 1],
  nowhere: [0, 0],
  west: [-1, 0],
  mostlyEast: [4, 3],
  lost: [0, 0],
};

describe("cosine by hand", () => {
  it("is that of any length, however large or small the numbers", async () => {
    const vectors = { tiny: [1e-170, 1e-170], huge: [1e200, 0], none: [0, 0] };
    const chunks = Object.keys(vectors).map((text) => chunk(text));
    const stored = storedVectors(chunks, new Map(Object.entries(vectors)), new Map([["q", [1, 1]]]));
    const hits = await stored.search("", { limit: 10, queryId: "q" });
    expect(hits.map(({ chunk_id }) => chunk_id)).toEqual(["tiny", "huge"]);
    expect(hits[0]?.score).toBeCloseTo(1, 6);
    expect(hits[1]?.score).toBeCloseTo(Math.SQRT1_2, 6);
  });
  it(
    "(4, 3) has 0.8 with (2, 0), 0.6 with (0, 5), 7 / 5 / sqrt 2 with (1, 1) and -0.8 with (-1, " +
      "0), whatever their lengths; (0, 0) is not found",
    async () => {
      const hits = await (
        await embeddingIndex(CHUNKS, tableEmbedder(TABLE))
      ).search("mostlyEast", { limit: 10 });
      expect(hits.map(({ chunk_id }) => chunk_id)).toEqual(["northeast", "east", "north", "west"]);
      hits.forEach(({ score }, index) =>
        expect(score).toBeCloseTo([7 / 5 / Math.SQRT2, 0.8, 0.6, -0.8][index] as number, 6),
      );
    },
  );
  it("a question without a direction finds nothing", async () => {
    expect(await (await embeddingIndex(CHUNKS, tableEmbedder(TABLE))).search("lost", { limit: 10 })).toEqual(
      [],
    );
  });
  it("equal scores stand in the order of the chunks", async () => {
    const same = ["c", "a", "b"].map((text) => chunk(text));
    const hits = await (
      await embeddingIndex(same, tableEmbedder({ a: [1, 2], b: [1, 2], c: [1, 2], q: [3, 1] }))
    ).search("q", { limit: 2 });
    expect(hits.map(({ chunk_id }) => chunk_id)).toEqual(["c", "a"]);
  });
  it("the title is embedded before the text, on a line of its own", async () => {
    const asked: [readonly string[], EmbedOptions["kind"]][] = [];
    const provider: EmbeddingProvider = {
      model: "m",
      identity: "m",
      embed: async (texts, options) => (
        asked.push([texts, options?.kind]),
        texts.map(() => Float32Array.of(1))
      ),
    };
    await (
      await embeddingIndex([chunk("text", "Title"), chunk("alone")], provider)
    ).search("question", { limit: 1 });
    expect(asked).toEqual([
      [["Title\ntext", "alone"], "document"],
      [["question"], "query"],
    ]);
  });
});

describe("what a provider must not return", () => {
  const returning = (vectors: readonly (readonly number[])[]): EmbeddingProvider => ({
    model: "odd-1",
    identity: "odd-1",
    embed: async () => vectors.map((vector) => Float32Array.from(vector)),
  });
  it.each([
    ["too few vectors", [[1, 2]], "odd-1: one vector for each text is needed, got 1 for 2"],
    ["too many vectors", [[1], [2], [3]], "odd-1: one vector for each text is needed, got 3 for 2"],
    [
      "vectors of two lengths",
      [[1, 2], [1]],
      "odd-1: all vectors must have one length, vector 2 has 1 numbers",
    ],
    ["vectors without numbers", [[], []], "odd-1: vector 1 is empty"],
    ["numbers that are none", [[1], [NaN]], "odd-1: vector 2 must have finite numbers, number 1 is `NaN`"],
  ])("%s", async (_, vectors, message) => {
    await expect(embeddingIndex([chunk("a"), chunk("b")], returning(vectors))).rejects.toMatchObject({
      code: "EMBEDDING_ANSWER",
      message: expect.stringContaining(message),
    });
    const kept: unknown[] = [];
    const cached = cachedEmbedder(returning(vectors), {
      get: async () => [],
      set: async (_model, entries) => void kept.push(...entries),
    });
    await expect(cached.embed(["a", "b"])).rejects.toThrow(message);
    expect(kept).toEqual([]);
  });
  it("a question whose vector has a number that is none", async () => {
    const index = await embeddingIndex([chunk("a")], tableEmbedder({ a: [1, 2], q: [NaN, 2] }));
    await expect(index.search("q", { limit: 1 })).rejects.toThrow("vector 1 must have finite numbers");
  });
  it("a question in other dimensions than the chunks", async () => {
    const index = await embeddingIndex([chunk("a")], tableEmbedder({ a: [1, 2, 3], q: [1, 2] }));
    await expect(index.search("q", { limit: 1 })).rejects.toMatchObject({
      code: "EMBEDDING_ANSWER",
      message:
        "table must embed questions as it embedded the chunks, in 3 numbers, got 2; build the " +
        "index again with this model",
    });
  });
  it("no vector for a question", async () => {
    const provider: EmbeddingProvider = {
      model: "m",
      identity: "m",
      embed: async (texts, options) => (options?.kind === "query" ? [] : texts.map(() => Float32Array.of(1))),
    };
    await expect(
      (await embeddingIndex([chunk("a")], provider)).search("q", { limit: 1 }),
    ).rejects.toMatchObject({ code: "EMBEDDING_ANSWER" });
  });
});

describe("a stored index", () => {
  it("gives the same hits and the same bytes again, also from a part of a Buffer", async () => {
    const index = await embeddingIndex(CHUNKS, tableEmbedder(TABLE));
    const file = Buffer.concat([Buffer.from("x"), index.toBytes()]);
    const loaded = loadEmbeddingIndex(file.subarray(1), tableEmbedder(TABLE));
    expect(await loaded.search("mostlyEast", { limit: 9 })).toEqual(
      await index.search("mostlyEast", { limit: 9 }),
    );
    expect(loaded.toBytes()).toEqual(index.toBytes());
  });
  it("of another provider, damaged or of another kind is refused", async () => {
    const bytes = (await embeddingIndex(CHUNKS, tableEmbedder(TABLE))).toBytes();
    expect(() => loadEmbeddingIndex(bytes, wordEmbedder())).toThrow(
      "the index was made with `table`, got the provider `words-64`; give the same one",
    );
    const damaged = bytes.slice();
    (damaged[60] as number) ^= 4;
    for (const bad of [
      damaged,
      bytes.subarray(0, 100),
      new TextEncoder().encode("RPLX1 and more than a header of something else entirely"),
    ])
      expect(() => loadEmbeddingIndex(bad, tableEmbedder(TABLE))).toThrow(
        expect.objectContaining({ code: "INDEX_SHAPE" }),
      );
  });
});

it("passes the signal on to the provider, with the question", async () => {
  const signals: unknown[] = [];
  const provider: EmbeddingProvider = {
    model: "m",
    identity: "m",
    embed: async (texts, options) => (signals.push(options?.signal), texts.map(() => Float32Array.of(1))),
  };
  const { signal } = new AbortController();
  await (await embeddingIndex([chunk("a")], provider)).search("q", { limit: 1, signal });
  expect(signals).toEqual([undefined, signal]);
});
