import { describe, expect, it } from "vitest";
import type { EmbeddingProvider } from "../../src/retrieve/index.js";

const TEXTS = [
  "how are runs compared",
  "检索 评估",
  "how are runs compared",
  "x",
  "a longer text with more words in it than the others have",
];

/** What holds for every embedding provider. */
export function embeddingProviderContract(
  name: string,
  create: () => EmbeddingProvider | Promise<EmbeddingProvider>,
): void {
  describe(`${name} keeps the contract of embedding providers`, () => {
    it("has a model and an identity", async () => {
      const provider = await create();
      expect(provider.model).not.toBe("");
      expect(provider.identity).not.toBe("");
    });
    it("gives one vector for each text, all of one length and finite", async () => {
      const vectors = await (await create()).embed(TEXTS);
      expect(vectors).toHaveLength(TEXTS.length);
      for (const vector of vectors) {
        expect(vector).toBeInstanceOf(Float32Array);
        expect(vector.length).toBe(vectors[0]?.length);
        expect(vector.every(Number.isFinite)).toBe(true);
      }
      expect(vectors[0]?.length).toBeGreaterThan(0);
    });
    it("gives them in the order of the texts", async () => {
      const provider = await create();
      const together = await provider.embed(TEXTS);
      for (const [index, text] of TEXTS.entries())
        expect(await provider.embed([text])).toEqual([together[index]]);
    });
    it("gives the same text the same vector, and other texts other ones", async () => {
      const provider = await create();
      const [first, other, again] = await provider.embed(TEXTS);
      expect(again).toEqual(first);
      expect(other).not.toEqual(first);
      expect(await provider.embed(TEXTS)).toEqual(await provider.embed(TEXTS));
    });
    it("embeds questions, too, in vectors of the same length", async () => {
      const provider = await create();
      const [[document], [question]] = await Promise.all([
        provider.embed(["x y"]),
        provider.embed(["x y"], { kind: "query" }),
      ]);
      expect(question?.length).toBe(document?.length);
    });
    it("gives no vectors for no texts", async () => {
      expect(await (await create()).embed([])).toEqual([]);
    });
    it("gives an empty text among others a vector of the same length", async () => {
      const vectors = await (await create()).embed(["", "words", "  \n"]);
      expect(new Set(vectors.map(({ length }) => length)).size).toBe(1);
    });
    it("leaves the texts as they are", async () => {
      await (await create()).embed(Object.freeze([...TEXTS]));
    });
    it("says how far it is, never less than before, all in the end", async () => {
      const said: (readonly [number, number])[] = [];
      await (await create()).embed(TEXTS, { onProgress: (done, total) => said.push([done, total]) });
      expect(said.length).toBeGreaterThan(0);
      expect(said.map(([done]) => done)).toEqual(said.map(([done]) => done).sort((a, b) => a - b));
      const [done, total] = said.at(-1) ?? [];
      expect(done).toBe(total);
    });
    it("rejects with the reason of an abort", async () => {
      const reason = new Error("enough");
      await expect((await create()).embed(TEXTS, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      expect(await (await create()).embed(TEXTS, { signal: new AbortController().signal })).toHaveLength(
        TEXTS.length,
      );
    });
  });
}
