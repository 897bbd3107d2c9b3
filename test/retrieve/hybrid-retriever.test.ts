import { describe, expect, it } from "vitest";
import { InputError } from "../../src/foundation/errors/errors.js";
import { defineNormalizer, fuse, minMaxNormalizer } from "../../src/fusion/index.js";
import { hybridRetriever, type Retriever, type SearchOptions } from "../../src/retrieve/index.js";
import type { SearchHit } from "../../src/records/index.js";

/** A channel that answers every question with the same hits. */
function channel(
  ids: string,
  scores: readonly (number | null)[] = [],
  seen: SearchOptions[] = [],
): Retriever {
  const hits = [...ids].map((id, index): SearchHit => ({
    rank: index + 1,
    chunk_id: id,
    doc_id: `doc ${id}`,
    score: scores[index] ?? (scores.length === 0 ? 9 - index : null),
  }));
  return { search: (_, options) => (seen.push(options), hits.slice(0, options.limit)) };
}
const found = async (retriever: Retriever, limit = 10): Promise<[string, number | null | undefined][]> =>
  (await retriever.search("any", { limit })).map(({ chunk_id, score }) => [chunk_id, score]);

describe("hybridRetriever", () => {
  it("rrf of abc and cad without asking: a = 1/61 + 1/62, c = 1/63 + 1/61, b = 1/62, d = 1/63", async () => {
    expect(await found(hybridRetriever({ lexical: channel("abc"), embedding: channel("cad") }))).toEqual([
      ["a", 1 / 61 + 1 / 62],
      ["c", 1 / 63 + 1 / 61],
      ["b", 1 / 62],
      ["d", 1 / 63],
    ]);
  });
  it("is what fuse makes of the lists, by any method and normalizer", async () => {
    const [left, right] = [
      [5, 3, 1],
      [0.9, 0.8, 0.1],
    ] as const;
    for (const options of [
      { method: "sum" },
      { method: "wsum(weights=0.3/0.7)", normalize: "max" },
      { method: "bordafuse" },
      { method: "condorcet" },
      { method: "mnz", normalize: "zmuv" },
    ]) {
      const fused = fuse(
        [
          new Map([["q", { ids: ["a", "b", "c"], scores: left }]]),
          new Map([["q", { ids: ["c", "a", "d"], scores: right }]]),
        ],
        options,
      ).get("q");
      const expected = fused?.ids.map((id, index) => [id, fused.scores[index]]);
      expect(
        await found(
          hybridRetriever({ lexical: channel("abc", left), embedding: channel("cad", right) }, options),
        ),
      ).toEqual(expected);
    }
  });
  it("says in features where each channel had a hit, keeps its document, and ranks anew", async () => {
    const [first, , third] = await hybridRetriever({
      lexical: channel("abc"),
      embedding: channel("cad"),
    }).search("any", { limit: 10 });
    expect(first).toMatchObject({
      rank: 1,
      chunk_id: "a",
      doc_id: "doc a",
      features: { lexical_rank: 1, embedding_rank: 2 },
    });
    expect(third).toMatchObject({ rank: 3, chunk_id: "b", features: { lexical_rank: 2 } });
  });
  it("keeps the features that its channels gave, so that hybrids can be channels", async () => {
    const inner = hybridRetriever({ lexical: channel("abc"), embedding: channel("cad") });
    const [first] = await hybridRetriever({ inner, other: channel("a") }).search("any", { limit: 1 });
    expect(first?.features).toEqual({ lexical_rank: 1, embedding_rank: 2, inner_rank: 1, other_rank: 1 });
  });
  it("asks for 100 hits, or for depth, or for limit where that is more, and passes the rest on", async () => {
    const seen: SearchOptions[] = [];
    const channels = { one: channel("a", [], seen), other: channel("b") };
    const { signal } = new AbortController();
    await hybridRetriever(channels).search("any", { limit: 10, queryId: "q7", signal });
    await hybridRetriever(channels, { depth: 2 }).search("any", { limit: 1 });
    await hybridRetriever(channels, { depth: 2 }).search("any", { limit: 250 });
    expect(seen).toEqual([{ limit: 100, queryId: "q7", signal }, { limit: 2 }, { limit: 250 }]);
  });
  it("depth 1 fuses the first hit of each: no other is found", async () => {
    expect(
      (await found(hybridRetriever({ a: channel("xyz"), b: channel("zyx") }, { depth: 1 }), 1)).map(
        ([id]) => id,
      ),
    ).toEqual(["z"]);
  });
  it("a channel without hits has no say, and none at all find nothing", async () => {
    expect((await found(hybridRetriever({ a: channel(""), b: channel("xy") }))).map(([id]) => id)).toEqual([
      "x",
      "y",
    ]);
    expect(await found(hybridRetriever({ a: channel(""), b: channel("") }))).toEqual([]);
  });
  it("takes hits without scores in their order", async () => {
    for (const method of ["rrf", "sum"])
      expect(
        (
          await found(hybridRetriever({ a: channel("xyz", [null, null, null]), b: channel("x") }, { method }))
        ).map(([id]) => id),
      ).toEqual(["x", "y", "z"]);
  });
  it("takes distances, which rise, in the order of the hits, or as the normalizer named says", async () => {
    const channels = { distance: channel("xyz", [0.1, 0.2, 0.9]), score: channel("x") };
    for (const options of [{}, { method: "sum" }, { method: "sum", normalize: "min-max-inverted" }])
      expect((await found(hybridRetriever(channels, options))).map(([id]) => id)).toEqual(["x", "y", "z"]);
  });
  it("finds out whether your normalizer reads distances, also where it takes none above 1", async () => {
    const near = defineNormalizer({
      ...minMaxNormalizer.definition,
      name: "near",
      normalize: (scores) => {
        if (Array.from(scores).some((score) => score > 1)) throw new RangeError("no cosine distance");
        return { scores: Float64Array.from(scores, (score) => 1 - score) };
      },
    });
    const channels = { a: channel("xyz", [0.1, 0.2, 0.9]), b: channel("xyz", [0.1, 0.3, 0.8]) };
    const hits = await found(hybridRetriever(channels, { method: "sum", normalize: near }));
    expect(hits.map(([id, score]) => [id, Number(score?.toFixed(6))])).toEqual([
      ["x", 1.8],
      ["y", 1.5],
      ["z", 0.3],
    ]);
  });
  it("names the channel that returns no list of hits, and takes a hit that stands twice once", async () => {
    const broken = (hits: unknown) =>
      hybridRetriever({ good: channel("xy"), broken: { search: () => Promise.resolve(hits as never) } });
    await expect(found(broken(null))).rejects.toThrow("channel `broken` must return a list of hits, got");
    await expect(found(broken([null]))).rejects.toThrow("channel `broken` must return hits with chunk_id");
    const twice = hybridRetriever({ one: channel("xyx"), two: channel("y") });
    expect((await found(twice)).map(([id]) => id).sort()).toEqual(["x", "y"]);
  });
  it("refuses one channel, a method that does not exist, and a depth of 0", () => {
    expect(() => hybridRetriever({ one: channel("a") })).toThrow(
      new InputError("ARGUMENT", "a hybrid needs two channels or more, got 1"),
    );
    expect(() => hybridRetriever({ a: channel("a"), b: channel("b") }, { method: "rrff" })).toThrow(
      "did you mean",
    );
    expect(() => hybridRetriever({ a: channel("a"), b: channel("b") }, { depth: 0 })).toThrow(
      "limit must be a whole number from 1",
    );
  });
  it("ends when it is told to, whatever its channels do", async () => {
    const stop = new AbortController();
    const endless: Retriever = { search: () => new Promise(() => undefined) };
    const asked = hybridRetriever({ a: channel("a"), endless }).search("any", {
      limit: 1,
      signal: stop.signal,
    });
    stop.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
  });
  it("fails as its channel fails", async () => {
    const broken: Retriever = { search: async () => Promise.reject(new Error("index is gone")) };
    await expect(hybridRetriever({ a: channel("a"), broken }).search("any", { limit: 1 })).rejects.toThrow(
      "index is gone",
    );
  });
});
