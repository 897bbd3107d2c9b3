import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hashEmbedder } from "../../src/retrieve/index.js";
import { present } from "../support/present.js";

interface OracleCase {
  readonly text: string;
  readonly tokens: readonly string[];
  readonly "128": Readonly<Record<string, number>>;
  readonly "7": Readonly<Record<string, number>>;
}

const oracle = JSON.parse(
  readFileSync(new URL("../../fixtures/oracles/hash-embedding/vectors.json", import.meta.url), "utf8"),
) as readonly OracleCase[];

describe("hashEmbedder", () => {
  it.each(oracle)("agrees with Python on $text", async (expected) => {
    for (const dimensions of [128, 7] as const) {
      const [vector] = await hashEmbedder({ dimensions }).embed([expected.text]);
      expect(vector).toHaveLength(dimensions);
      present(vector).forEach((value, place) =>
        expect(Math.abs(value - (expected[dimensions][place] ?? 0))).toBeLessThan(1e-7),
      );
    }
  });
  it("takes no notice of the order of words, of case and of what is between them", async () => {
    const [a, b] = await hashEmbedder().embed(["the red door", "Door, RED... (the)"]);
    expect(a).toEqual(b);
  });
  it("has vectors of unit length, and the zero vector for a text without tokens", async () => {
    const [words, nothing] = await hashEmbedder().embed(["to be or not to be", "?!"]);
    expect(Math.hypot(...present(words))).toBeCloseTo(1, 6);
    expect(nothing).toEqual(new Float32Array(128));
  });
  it("has the zero vector, not NaN, where all tokens cancel out", async () => {
    // In one dimension every token is +1 or -1; some letter goes against `a`.
    const one = hashEmbedder({ dimensions: 1 });
    const signs = (await one.embed(["a", "b", "c", "d", "e", "f"])).map(([sign]) => sign);
    const against = "abcdef"[signs.findIndex((sign) => sign !== signs[0])];
    expect(await one.embed([`a ${against}`])).toEqual([Float32Array.of(0)]);
  });
  it("forgets tokens without changing vectors, when there are very many", async () => {
    const many = Array.from({ length: 70_000 }, (_, index) => `t${index}`);
    const provider = hashEmbedder();
    const before = await provider.embed(["t0 t1 t69999"]);
    await provider.embed([many.join(" ")]);
    expect(await provider.embed(["t0 t1 t69999"])).toEqual(before);
  });
  it("stops in the middle of a large corpus", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const texts = Array.from({ length: 5000 }, (_, index) => `text ${index}`);
    const embedding = hashEmbedder().embed(texts, {
      signal: controller.signal,
      onProgress: () => controller.abort(reason),
    });
    await expect(embedding).rejects.toBe(reason);
  });
  it("is called by its dimensions", () => {
    expect(hashEmbedder().model).toBe("hash-128");
    expect(hashEmbedder({ dimensions: 256 }).model).toBe("hash-256");
    expect(hashEmbedder({ dimensions: 256 }).identity).not.toBe(hashEmbedder().identity);
  });
  it.each([0, -1, 1.5, Number.NaN])("refuses %d dimensions", (dimensions) => {
    expect(() => hashEmbedder({ dimensions })).toThrow(
      `dimensions must be a whole number from 1, got \`${dimensions}\``,
    );
  });
});
