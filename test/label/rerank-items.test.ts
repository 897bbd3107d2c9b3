import { describe, expect, it } from "vitest";
import { itemText, overlapReranker, rerankItems, type LabelItem } from "../../src/label/index.js";
import { memoryLabelStore } from "../../src/storage/index.js";

const items = (count: number, text = "shoe"): LabelItem[] =>
  Array.from({ length: count }, (_, at) => ({ id: `i${at}`, fields: { text: `${text} ${at}` } }));

/** A reranker that keeps what it was asked, and fails at a call. */
function recording(failsAt = Infinity) {
  const asked: string[][] = [];
  return {
    asked,
    identity: "recording",
    score: (_: string, documents: readonly { readonly id: string }[]): number[] => {
      asked.push(documents.map(({ id }) => id));
      if (asked.length === failsAt) throw new Error("no more");
      return documents.map(({ id }) => Number(id.slice(1)) / 1000);
    },
  };
}

describe("reranked items", () => {
  it("are asked for in batches, once, and again where their text has changed", async () => {
    const store = memoryLabelStore();
    const reranker = recording();
    const scores = await rerankItems({ reranker, store, query: " red  shoe", items: items(200) });
    expect(reranker.asked.map(({ length }) => length)).toEqual([80, 80, 40]);
    expect([scores.size, scores.get("i7")]).toEqual([200, 0.007]);
    const changed = [...items(199), { id: "i199", fields: { text: "another" } }];
    const again = await rerankItems({ reranker, store, query: "red shoe", items: changed });
    expect(again).toEqual(scores);
    expect(reranker.asked.slice(3)).toEqual([["i199"]]);
    await rerankItems({ reranker, store, query: "red shoe", items: items(3), isForced: true });
    expect(reranker.asked.slice(4)).toEqual([["i0", "i1", "i2"]]);
    await rerankItems({ reranker, store, query: "red shoe", items: items(3), tenant: "other" });
    expect(reranker.asked).toHaveLength(6);
  });

  it("are kept as far as they came where the reranker fails", async () => {
    const store = memoryLabelStore();
    const failing = recording(3);
    await expect(rerankItems({ reranker: failing, store, query: "q", items: items(200) })).rejects.toThrow(
      "no more",
    );
    const reranker = recording();
    await rerankItems({ reranker, store, query: "q", items: items(200) });
    expect(reranker.asked.flat()).toHaveLength(40);
  });

  it("are kept a moment after they came, whatever is still waited for", async () => {
    const store = memoryLabelStore();
    let letGo = (): void => undefined;
    const never = new Promise<number[]>((resolve) => (letGo = () => resolve([1])));
    let calls = 0;
    const reranker = {
      identity: "slow",
      score: (_: string, documents: readonly unknown[]) => (++calls === 3 ? never : documents.map(() => 1)),
    };
    const all = rerankItems({
      reranker,
      store,
      query: "q",
      items: items(3),
      batchSize: 1,
      concurrency: 3,
    });
    const kept = () => store.scores({ tenant: "default", query: "q", reranker: "slow" });
    await expect.poll(async () => (await kept()).length, { timeout: 5000 }).toBe(2);
    letGo();
    expect((await all).size).toBe(3);
    expect(await kept()).toHaveLength(3);
  });

  it("stop where they cannot be kept", async () => {
    const full = { ...memoryLabelStore(), keepScores: () => Promise.reject(new Error("disk full")) };
    const reranker = recording();
    const slow = {
      identity: "slow",
      score: async (query: string, documents: readonly { readonly id: string }[]) => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        return reranker.score(query, documents);
      },
    };
    await expect(
      rerankItems({ reranker: slow, store: full, query: "q", items: items(100), batchSize: 1 }),
    ).rejects.toThrow("disk full");
    expect(reranker.asked.length).toBeLessThan(20);
  });

  it.each([
    ["a score too few", [1]],
    ["a score that is none", [1, Number.NaN]],
    ["no list", { 0: 1, 1: 2 }],
    ["texts", ["1", "2"]],
  ])("are refused with %s", async (_, answer) => {
    const reranker = { identity: "bad", score: () => answer as number[] };
    const store = memoryLabelStore();
    await expect(rerankItems({ reranker, store, query: "q", items: items(2) })).rejects.toMatchObject({
      code: "RERANKER_FAILED",
    });
    expect(await store.scores({ tenant: "default", query: "q", reranker: "bad" })).toEqual([]);
  });

  it("are shown as the texts and numbers of their fields, cut between characters", () => {
    const fields = { title: "Shoe 🙂", price: 42, tags: ["red", { more: "new" }], is_new: true, none: null };
    expect(itemText({ fields })).toBe("Shoe 🙂\n42\nred\nnew");
    expect(itemText({ fields }, 6)).toBe("Shoe ");
    expect(itemText({ fields }, 7)).toBe("Shoe 🙂");
  });

  it("are scored without a model by the share of the question's words", async () => {
    const corpus = [
      { id: "a", fields: { text: "red shoe" } },
      { id: "b", fields: { text: "blue shoe" } },
      { id: "c", fields: { text: "hat" } },
    ];
    const scores = await rerankItems({
      reranker: overlapReranker(corpus),
      store: memoryLabelStore(),
      query: "the red shoes",
      items: corpus,
    });
    // ln(1 + 2.5 / 1.5) for red, in one of three; ln(1 + 1.5 / 2.5) for shoe, in two.
    const [red, shoe] = [Math.log(1 + 2.5 / 1.5), Math.log(1 + 1.5 / 2.5)];
    expect([...scores.values()]).toEqual([1, shoe / (red + shoe), 0]);
    // A question of nothing but words without weight has all of them in any text that has them.
    expect(await overlapReranker(corpus.slice(0, 2)).score("the", [{ id: "x", text: "the" }])).toEqual([1]);
    // The shares depend on the corpus, so that they are not taken for those over another one.
    expect(overlapReranker(corpus).identity).toBe(overlapReranker([...corpus]).identity);
    expect(overlapReranker(corpus.slice(1)).identity).not.toBe(overlapReranker(corpus).identity);
  });
});
