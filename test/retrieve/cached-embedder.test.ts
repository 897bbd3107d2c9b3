import { describe, expect, it } from "vitest";
import {
  cachedEmbedder,
  functionEmbedder,
  hashEmbedder,
  memoryEmbeddingCache,
  type EmbeddingProvider,
  type EmbedOptions,
} from "../../src/retrieve/index.js";
import { embeddingProviderContract } from "../support/embedding-provider-contract.js";
import { vectorOf } from "../support/embedding-server.js";
import { present } from "../support/present.js";

embeddingProviderContract("cachedEmbedder of an empty cache", () =>
  cachedEmbedder(hashEmbedder(), memoryEmbeddingCache(), { saveEvery: 2 }),
);
embeddingProviderContract("cachedEmbedder of a full cache", async () => {
  const provider = cachedEmbedder(hashEmbedder(), memoryEmbeddingCache());
  await provider.embed(["how are runs compared", "x"]);
  return provider;
});

/** A provider that notes what it is asked. */
function noted(
  model = "m",
  embed: (texts: readonly string[], options: EmbedOptions) => number[][] = (texts) => texts.map(vectorOf),
) {
  const asked: (readonly string[])[] = [];
  const provider = functionEmbedder((texts, options) => (asked.push(texts), embed(texts, options)), {
    model,
  });
  return { asked, provider };
}

const floats = (texts: readonly string[]) => texts.map((text) => Float32Array.from(vectorOf(text)));

describe("cachedEmbedder", () => {
  it("asks only for what is missing, each distinct text once", async () => {
    const { asked, provider } = noted();
    const cached = cachedEmbedder(provider, memoryEmbeddingCache());
    expect(await cached.embed(["a", "b", "a"])).toEqual(floats(["a", "b", "a"]));
    expect(await cached.embed(["b", "c", "a", "c"])).toEqual(floats(["b", "c", "a", "c"]));
    expect(await cached.embed(["a", "c"])).toEqual(floats(["a", "c"]));
    expect(asked).toEqual([["a", "b"], ["c"]]);
  });
  it("keeps questions and passages, and providers, apart", async () => {
    const cache = memoryEmbeddingCache();
    const { asked, provider } = noted("m", (texts, { kind }) => texts.map(() => [kind === "query" ? 1 : 2]));
    const other = noted("other", (texts) => texts.map(() => [3]));
    expect(await cachedEmbedder(provider, cache).embed(["a"])).toEqual([Float32Array.of(2)]);
    expect(await cachedEmbedder(provider, cache).embed(["a"], { kind: "query" })).toEqual([
      Float32Array.of(1),
    ]);
    expect(await cachedEmbedder(provider, cache).embed(["a"], { kind: "document" })).toEqual([
      Float32Array.of(2),
    ]);
    expect(await cachedEmbedder(other.provider, cache).embed(["a"])).toEqual([Float32Array.of(3)]);
    expect([asked.length, other.asked.length]).toEqual([2, 1]);
  });
  it("has kept what came in before an error, and goes on from there", async () => {
    const cache = memoryEmbeddingCache();
    let isDown = true;
    const { asked, provider } = noted("m", (texts) => {
      if (isDown && texts.includes("e")) throw new Error("down");
      return texts.map(vectorOf);
    });
    const texts = ["a", "b", "c", "d", "e"];
    await expect(cachedEmbedder(provider, cache, { saveEvery: 2 }).embed(texts)).rejects.toThrow("down");
    isDown = false;
    expect(await cachedEmbedder(provider, cache, { saveEvery: 2 }).embed(texts)).toEqual(floats(texts));
    expect(asked).toEqual([["a", "b"], ["c", "d"], ["e"], ["e"]]);
  });
  it("has kept what the provider told of before it failed", async () => {
    const cache = memoryEmbeddingCache();
    const asked: (readonly string[])[] = [];
    let isDown = true;
    const provider: EmbeddingProvider = {
      model: "m",
      identity: "m",
      async embed(texts, { onVectors } = {}) {
        asked.push(texts);
        const [last = ""] = texts.slice(-1);
        onVectors?.(floats([last]), [texts.length - 1]);
        if (isDown) throw new Error("down");
        return floats(texts);
      },
    };
    const texts = ["a", "b", "c"];
    await expect(cachedEmbedder(provider, cache).embed(texts)).rejects.toThrow("down");
    isDown = false;
    const said: number[][] = [];
    const onProgress = (...progress: number[]) => said.push(progress);
    expect(await cachedEmbedder(provider, cache).embed(texts, { onProgress })).toEqual(floats(texts));
    expect(asked).toEqual([texts, ["a", "b"]]);
    expect(said.map(([done]) => done)).toEqual([1, 2, 3]);
  });
  it("refuses what it is told that are no vectors, and a cache that fails", async () => {
    const telling = (told: unknown): EmbeddingProvider => ({
      model: "m",
      identity: "m",
      async embed(texts, { onVectors } = {}) {
        onVectors?.(told as Float32Array[], [0]);
        await new Promise((resolve) => setTimeout(resolve, 5));
        return floats(texts);
      },
    });
    await expect(cachedEmbedder(telling(["x"]), memoryEmbeddingCache()).embed(["a"])).rejects.toThrow(
      "m: vector 1 must be a list of numbers, got a string",
    );
    const full = { ...memoryEmbeddingCache(), set: () => Promise.reject(new Error("full")) };
    await expect(cachedEmbedder(telling(floats(["a"])), full).embed(["a"])).rejects.toThrow("full");
  });
  it("keeps what it was told, though the provider uses its memory again, and in its order", async () => {
    const sets: number[] = [];
    const kept = memoryEmbeddingCache();
    const cache: typeof kept = {
      ...kept,
      async set(identity, entries) {
        sets.push(entries.length);
        await new Promise((resolve) => setTimeout(resolve, 5));
        expect(sets.splice(0)).toEqual([entries.length]);
        await kept.set(identity, entries);
      },
    };
    const reusing: EmbeddingProvider = {
      model: "m",
      identity: "m",
      async embed(texts, { onVectors } = {}) {
        const memory = new Float32Array(1);
        texts.forEach((_, at) => onVectors?.([memory.fill(at + 1)], [at]));
        return texts.map((_, at) => Float32Array.of(at + 1));
      },
    };
    const expected = [1, 2, 3].map((value) => Float32Array.of(value));
    expect(await cachedEmbedder(reusing, cache).embed(["a", "b", "c"])).toEqual(expected);
    expect(await cachedEmbedder(reusing, cache).embed(["a", "b", "c"])).toEqual(expected);
  });
  it("ends by why the provider ended, whatever became of what it told", async () => {
    const full = { ...memoryEmbeddingCache(), set: () => Promise.reject(new Error("disk full")) };
    const failing: EmbeddingProvider = {
      model: "m",
      identity: "m",
      async embed(_, { onVectors } = {}) {
        onVectors?.(floats(["a"]), [0]);
        throw new Error("stopped");
      },
    };
    await expect(cachedEmbedder(failing, full).embed(["a", "b"])).rejects.toThrow("stopped");
    const placeless: EmbeddingProvider = {
      ...failing,
      async embed(texts, { onVectors } = {}) {
        (onVectors as ((vectors: unknown) => void) | undefined)?.(floats(["a"]));
        return floats(texts);
      },
    };
    await expect(cachedEmbedder(placeless, memoryEmbeddingCache()).embed(["a", "b"])).rejects.toMatchObject({
      code: "EMBEDDING_ANSWER",
    });
  });
  it("has kept what came in before an abort", async () => {
    const cache = memoryEmbeddingCache();
    const controller = new AbortController();
    const { asked, provider } = noted();
    const reason = new Error("enough");
    await expect(
      cachedEmbedder(provider, cache, { saveEvery: 1 }).embed(["a", "b"], {
        signal: controller.signal,
        onProgress: () => controller.abort(reason),
      }),
    ).rejects.toBe(reason);
    await cachedEmbedder(provider, cache).embed(["a", "b"]);
    expect(asked).toEqual([["a"], ["b"]]);
  });
  it("tells what is kept, from the start", async () => {
    const cached = cachedEmbedder(noted().provider, memoryEmbeddingCache(), { saveEvery: 2 });
    await cached.embed(["a", "b"]);
    const said: number[][] = [];
    await cached.embed(["a", "b", "b", "c", "d", "e"], { onProgress: (...progress) => said.push(progress) });
    expect(said).toEqual([
      [2, 5],
      [4, 5],
      [5, 5],
    ]);
  });
  it("is not changed by who scales a vector in place", async () => {
    const cached = cachedEmbedder(noted().provider, memoryEmbeddingCache());
    for (const vector of await cached.embed(["a"])) vector.fill(0);
    for (const vector of await cached.embed(["a"])) vector.fill(0);
    expect(await cached.embed(["a"])).toEqual(floats(["a"]));
  });
  it(
    "gives a text without anything to embed a zero vector of the others' length, though the " +
      "provider knew none",
    async () => {
      const unknowing: EmbeddingProvider = {
        model: "m",
        identity: "m",
        embed: async (texts) => texts.map((text) => new Float32Array(text === "" ? 0 : 2)),
      };
      const cached = cachedEmbedder(unknowing, memoryEmbeddingCache());
      await cached.embed(["a"]);
      expect(await cached.embed(["", "a"])).toEqual([new Float32Array(2), new Float32Array(2)]);
      expect(await cached.embed([""])).toEqual([new Float32Array(0)]);
    },
  );
  it("refuses to mix vectors of two lengths, when a model has changed behind its name", async () => {
    let length = 2;
    const changing: EmbeddingProvider = {
      model: "m",
      identity: "m",
      embed: async (texts) => texts.map(() => new Float32Array(length).fill(1)),
    };
    const cached = cachedEmbedder(changing, memoryEmbeddingCache());
    await cached.embed(["a"]);
    length = 3;
    await expect(cached.embed(["a", "b"])).rejects.toMatchObject({
      code: "EMBEDDING_ANSWER",
      message: expect.stringContaining("embedding cache: vectors of model `m` have 2 numbers, newer ones 3"),
    });
  });
  it("gives the cache hashes, not texts", async () => {
    const keys: string[] = [];
    const cache = {
      get: async (_: string, asked: readonly string[]) => (keys.push(...asked), asked.map(() => undefined)),
      set: async () => undefined,
    };
    await cachedEmbedder(hashEmbedder(), cache).embed(["a"]);
    await cachedEmbedder(hashEmbedder(), cache).embed(["a"], { kind: "query" });
    // printf '%s' '["hash-128/1","document","a"]' | sha256sum
    expect(keys[0]).toBe("fdc482870ff7b04d5bb5c55ca344048587854dae8ef0713eff96fa1c84268678");
    expect(present(keys[1])).not.toBe(keys[0]);
  });
  it("refuses to keep never", () => {
    expect(() => cachedEmbedder(hashEmbedder(), memoryEmbeddingCache(), { saveEvery: 0 })).toThrow(
      "saveEvery must be a whole number from 1, got `0`",
    );
  });
});
