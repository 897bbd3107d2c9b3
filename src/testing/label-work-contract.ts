import { raterId } from "../records/index.js";
import type { LabelStore } from "../storage/index.js";
import { model, SAID } from "./said-assessments.js";
import type { TestRunner } from "./test-runner.js";

type OpenStore = () => Promise<LabelStore>;

/** That what a build of labels works with is kept beside them, and forgotten with what it is of. */
export function keepsWork(runner: TestRunner, open: OpenStore): void {
  keepsProfilesAndScores(runner, open);
  keepsBuildsAndCopies(runner, open);
}

function keepsProfilesAndScores({ it, expect }: TestRunner, open: OpenStore): void {
  it("keeps what a rater knows of a query, until the query or the rater is forgotten", async () => {
    const store = await open();
    const key = { tenant: "default", query: "red shoe", rater: raterId(model) };
    const others = [
      { ...key, query: "Red shoe" },
      { ...key, tenant: "other" },
      { ...key, rater: "__proto__" },
    ];
    expect(await store.profile(key)).toEqual(undefined);
    await store.keepProfile(key, { first: true });
    await store.keepProfile(key, { list: ["文", null] });
    expect(await store.profile(key)).toEqual({ list: ["文", null] });
    for (const other of others) {
      expect(await store.profile(other)).toEqual(undefined);
      await store.keepProfile(other, 1);
    }
    const at = "2026-05-02T09:00:00.000Z";
    await store.forget({ item: "i1" }, at);
    expect(await store.profile(key)).toEqual({ list: ["文", null] });
    await store.forget({ tenant: "default", query: "red shoe", rater: raterId(model) }, at);
    expect(await store.profile(key)).toEqual(undefined);
    for (const other of others) expect(await store.profile(other)).toEqual(1);
    await store.close();
  });
  it("keeps the scores of a reranker, each in place of the item's before, and all or none", async () => {
    const store = await open();
    const key = { tenant: "default", query: "red shoe", reranker: "r1" };
    const readSorted = async (of = key): Promise<readonly unknown[]> =>
      (await store.scores(of)).sort((a, b) => (a.item < b.item ? -1 : 1));
    expect(await readSorted()).toEqual([]);
    await store.keepScores(key, [
      { item: "__proto__", score: 0.1 + 0.2, textHash: 0 },
      { item: "b", score: -1e-300, textHash: 2 ** 32 - 1 },
      { item: "c", score: 0, textHash: 2 ** 32 - 1 },
    ]);
    await store.keepScores(key, [{ item: "b", score: 0.5, textHash: 7 }]);
    await store.keepScores(key, []);
    const kept = [
      { item: "__proto__", score: 0.1 + 0.2, textHash: 0 },
      { item: "b", score: 0.5, textHash: 7 },
      { item: "c", score: 0, textHash: 2 ** 32 - 1 },
    ];
    expect(await readSorted()).toEqual(kept);
    for (const bad of [
      { item: "c", score: Number.NaN, textHash: 1 },
      { item: "c", score: 1, textHash: -1 },
      { item: "c", score: 1, textHash: 2 ** 32 },
    ])
      await expect(
        store.keepScores(key, [{ item: "new", score: 1, textHash: 1 }, bad]),
      ).rejects.toMatchObject({ code: "ARGUMENT" });
    expect(await readSorted()).toEqual(kept);
    for (const other of [
      { ...key, tenant: "other" },
      { ...key, query: "Red shoe" },
      { ...key, reranker: "r2" },
    ])
      expect(await readSorted(other)).toEqual([]);
    // A query that has scores alone is none that anybody judged.
    expect(await store.queries()).toEqual([]);
    await store.add(SAID.slice(3, 4));
    await store.add(SAID.slice(0, 1));
    expect((await store.queries()).map(({ query }) => query)).toEqual(["Red shoe", "red shoe"]);
    await store.close();
  });
}

function keepsBuildsAndCopies({ it, expect }: TestRunner, open: OpenStore): void {
  it("keeps builds and copies of a corpus, the latest of each", async () => {
    const store = await open();
    const build = { tenant: "default", dataset: "shop", labeler: "judge" };
    expect(await store.build(build)).toEqual(undefined);
    await store.keepBuild(build, { is_done: false });
    await store.keepBuild(build, { is_done: true, of: ["文", null] });
    expect(await store.build(build)).toEqual({ is_done: true, of: ["文", null] });
    for (const part of ["tenant", "dataset", "labeler"])
      expect(await store.build({ ...build, [part]: "other" })).toEqual(undefined);
    const corpus = { tenant: "default", source: "http://localhost:9200/shop" };
    const copy = {
      listed_at: "2026-05-01T09:00:00.000Z",
      items: [
        { id: "b", fields: { title: "B", list: [1, null] } },
        { id: "__proto__", fields: {} },
      ],
    };
    expect(await store.corpus(corpus)).toEqual(undefined);
    await store.keepCorpus(corpus, { ...copy, items: [] });
    await store.keepCorpus(corpus, copy);
    expect(await store.corpus(corpus)).toEqual(copy);
    expect(await store.corpus({ ...corpus, tenant: "other" })).toEqual(undefined);
    await store.close();
  });
  it("forgets scores, builds and copies with what they are of, and nothing else", async () => {
    const store = await open();
    const at = "2026-05-02T09:00:00.000Z";
    const scores = { tenant: "default", query: "red shoe", reranker: "r1" };
    const build = { tenant: "default", dataset: "shop", labeler: "judge" };
    const corpus = { tenant: "default", source: "s" };
    const items = [
      { id: "i1", fields: {} },
      { id: "i2", fields: {} },
    ];
    const fill = async (): Promise<void> => {
      await store.keepScores(
        scores,
        ["i1", "i2"].map((item) => ({ item, score: 1, textHash: 1 })),
      );
      await store.keepBuild(build, 1);
      await store.keepCorpus(corpus, { listed_at: at, items });
    };
    const listLeft = async (): Promise<readonly unknown[]> => [
      (await store.scores(scores)).map(({ item }) => item),
      await store.build(build),
      (await store.corpus(corpus))?.items.map(({ id }) => id),
    ];
    const whole = [["i1", "i2"], 1, ["i1", "i2"]];
    const cases = [
      [{ tenant: "other" }, whole],
      [{ query: "Red shoe", item: "i3" }, whole],
      [{ item: "i1" }, [["i2"], 1, ["i2"]]],
      [{ query: "red shoe", item: "i2" }, [["i1"], 1, ["i1", "i2"]]],
      [{ query: "red shoe" }, [[], 1, ["i1", "i2"]]],
      [{ rater: raterId(model) }, whole],
      [{ rater: raterId(model), item: "i1" }, whole],
      [{ tenant: "default" }, [[], undefined, undefined]],
    ] as const;
    for (const [filter, expected] of cases) {
      await fill();
      await store.forget(filter, at);
      expect(await listLeft()).toEqual(expected);
    }
    await store.close();
  });
}
