import { canonicalJson } from "../foundation/text/index.js";
import { raterId } from "../records/index.js";
import type { LabelStore } from "../storage/index.js";
import { keepsWork } from "./label-work-contract.js";
import { assessment, model, person, SAID } from "./said-assessments.js";
import type { TestRunner } from "./test-runner.js";

/**
 * Declares the tests that every label store must pass.
 *
 * @param open an empty store for each call.
 */
// eslint-disable-next-line max-lines-per-function -- a contract is a list of tests
export function labelStoreContract(
  { describe, it, expect }: TestRunner,
  name: string,
  open: () => Promise<LabelStore>,
): void {
  // eslint-disable-next-line max-lines-per-function -- a contract is a list of tests
  describe(`${name} keeps what raters say`, () => {
    it("gives back what was added, in that order, unknown fields and repetitions included", async () => {
      const store = await open();
      expect(await store.find()).toEqual([]);
      await store.add(SAID.slice(0, 3));
      await store.add(SAID.slice(3));
      await store.add([]);
      expect(await store.find()).toEqual(SAID);
      await store.close();
    });
    it("finds by tenant, query, item and rater, each exactly", async () => {
      const store = await open();
      await store.add(SAID);
      const findPlaces = async (filter: Parameters<LabelStore["find"]>[0]): Promise<number[]> =>
        (await store.find(filter)).map((one) =>
          SAID.findIndex((each) => canonicalJson(each) === canonicalJson(one)),
        );
      expect(await findPlaces({ tenant: "other" })).toEqual([4]);
      expect(await findPlaces({ query: "Red shoe" })).toEqual([3]);
      expect(await findPlaces({ item: "__proto__" })).toEqual([5]);
      expect(await findPlaces({ rater: raterId(person) })).toEqual([2]);
      expect(
        await findPlaces({ tenant: "default", query: "red shoe", item: "i1", rater: raterId(model) }),
      ).toEqual([0, 6, 7]);
      expect(await findPlaces({ query: "red" })).toEqual([]);
      const several = ["Red shoe", "nothing", "red shoe", "red shoe"];
      expect(await findPlaces({ queries: several })).toEqual(
        await findPlaces({ queries: ["red shoe", "Red shoe"] }),
      );
      expect((await findPlaces({ queries: several })).sort()).toEqual(
        [...(await findPlaces({ query: "red shoe" })), ...(await findPlaces({ query: "Red shoe" }))].sort(),
      );
      expect(
        await findPlaces({ tenant: "other", queries: several, item: "i1", rater: raterId(model) }),
      ).toEqual(await findPlaces({ tenant: "other", query: "red shoe", item: "i1", rater: raterId(model) }));
      expect(await findPlaces({ queries: [] })).toEqual([]);
      expect(await findPlaces({ query: "Red shoe", queries: several })).toEqual([3]);
      expect(await findPlaces({ tenant: undefined, item: "i2" })).toEqual([1]);
      await store.close();
    });
    it("adds all or nothing", async () => {
      const store = await open();
      await store.add(SAID.slice(0, 1));
      for (const bad of [
        { grade: 4 },
        { grade: null },
        { outcome: "withdrawn" as const },
        { query: "" },
        { vote: 0 },
      ])
        await expect(store.add([assessment({ item: "new" }), assessment(bad)])).rejects.toMatchObject({
          code: "LABEL_SHAPE",
        });
      expect(await store.find()).toEqual(SAID.slice(0, 1));
      await store.close();
    });
    it("shares no object with its caller", async () => {
      const store = await open();
      const mine = assessment({ rater: { ...model } });
      await store.add([mine]);
      mine.rater.name = "changed";
      const [first] = await store.find();
      if (first !== undefined) first.grade = 0;
      expect(await store.find()).toEqual([assessment({})]);
      await store.close();
    });
    it("lists the queries of each tenant once, in the order of their first assessment", async () => {
      const store = await open();
      expect(await store.queries()).toEqual([]);
      await store.add(SAID);
      expect(await store.queries()).toEqual([
        { tenant: "default", query: "red shoe" },
        { tenant: "default", query: "Red shoe" },
        { tenant: "other", query: "red shoe" },
      ]);
      await store.close();
    });
    it("lists each rater once, whichever model answered, who spoke last at the end", async () => {
      const store = await open();
      expect(await store.raters()).toEqual([]);
      await store.add([
        assessment({ rater: { ...model, answered_model: "m-1-2026" } }),
        ...SAID.slice(0, 3),
        assessment({ rater: { ...model, answered_model: "m-1-2027" } }),
      ]);
      expect(await store.raters()).toEqual([person, model]);
      await store.add([assessment({ rater: person }), assessment({ rater: { ...model, name: "x" } })]);
      expect(await store.raters()).toEqual([model, person, { ...model, name: "x" }]);
      await store.add([assessment({})]);
      expect(await store.raters()).toEqual([person, { ...model, name: "x" }, model]);
      await store.close();
    });
    keepsWork({ describe, it, expect }, open);
    it("keeps every text as it is and apart from others, whatever is in it", async () => {
      const store = await open();
      const texts = ["a", "a\0b", "a\0c", "\ud800", "\udc00", "\\0000", '\ufdd0"a"', "🙂", " "];
      const said = texts.map((text) =>
        assessment({ tenant: text, query: text, item: text, rater: { ...person, name: text }, extra: text }),
      );
      await store.add(said);
      const items = texts.map((id) => ({ id, fields: { [id]: id } }));
      for (const text of texts) {
        await store.keepScores({ tenant: text, query: text, reranker: text }, [
          { item: text, score: 1, textHash: 0 },
        ]);
        await store.keepProfile({ tenant: text, query: text, rater: text }, { text });
        await store.keepBuild({ tenant: text, dataset: text, labeler: text }, { text });
        await store.keepCorpus({ tenant: text, source: text }, { listed_at: text, items });
      }
      for (const [at, text] of texts.entries()) {
        expect(await store.find({ tenant: text, query: text, item: text })).toEqual([said[at]]);
        expect(await store.find({ queries: [text], rater: raterId({ ...person, name: text }) })).toEqual([
          said[at],
        ]);
        const key = { tenant: text, query: text };
        expect(await store.scores({ ...key, reranker: text })).toEqual([
          { item: text, score: 1, textHash: 0 },
        ]);
        expect(await store.profile({ ...key, rater: text })).toEqual({ text });
        expect(await store.build({ tenant: text, dataset: text, labeler: text })).toEqual({ text });
        expect((await store.corpus({ tenant: text, source: text }))?.items).toEqual(items);
      }
      expect(await store.queries()).toEqual(texts.map((text) => ({ tenant: text, query: text })));
      expect(await store.forget({ item: "a\0b" }, "now")).toEqual({
        at: "now",
        by: ["item"],
        assessments: 1,
      });
      expect(await store.find()).toEqual(said.filter(({ item }) => item !== "a\0b"));
      await store.close();
    });
    it("gives a name to one only, until it is given back", async () => {
      const store = await open();
      const giveBack = await store.claim("__proto__");
      expect(typeof giveBack).toEqual("function");
      expect(await store.claim("__proto__")).toEqual(undefined);
      const atOnce = await Promise.all(["new", "new", "new"].map((name) => store.claim(name)));
      const given = atOnce.filter((each) => each !== undefined);
      expect(given.length).toEqual(1);
      await given[0]?.();
      const other = await store.claim("../other/name ");
      expect(typeof other).toEqual("function");
      const alike = await store.claim("../other/Name ");
      expect(typeof alike).toEqual("function");
      await alike?.();
      await giveBack?.();
      await giveBack?.();
      const again = await store.claim("__proto__");
      expect(typeof again).toEqual("function");
      await again?.();
      await other?.();
      await store.close();
    });
    it("forgets what fits and keeps a note of numbers", async () => {
      const store = await open();
      expect(await store.forgotten()).toEqual([]);
      await store.add(SAID);
      const at = "2026-05-02T09:00:00.000Z";
      const first = { at, by: ["rater"], assessments: 1 };
      expect(await store.forget({ rater: raterId(person) }, at)).toEqual(first);
      expect(await store.find()).toEqual(SAID.filter(({ rater }) => rater !== person));
      const second = { at, by: ["tenant", "query"], assessments: 5 };
      expect(await store.forget({ tenant: "default", query: "red shoe" }, at)).toEqual(second);
      expect(await store.find()).toEqual([SAID[3], SAID[4]]);
      expect(await store.queries()).toEqual([
        { tenant: "default", query: "Red shoe" },
        { tenant: "other", query: "red shoe" },
      ]);
      const third = { at, by: ["item"], assessments: 0 };
      expect(await store.forget({ item: "none" }, at)).toEqual(third);
      for (const filter of [
        {},
        { tenant: "default", qeury: "a" },
        { tenant: "default", query: undefined },
        { item: 5 },
      ])
        await expect(store.forget(filter as never, at)).rejects.toMatchObject({
          code: "ARGUMENT",
        });
      await expect(store.find({ qeury: "a" } as never)).rejects.toMatchObject({
        code: "ARGUMENT",
      });
      expect(await store.forgotten()).toEqual([first, second, third]);
      await store.add(SAID);
      expect(await store.find()).toEqual([SAID[3], SAID[4], ...SAID]);
      await store.close();
    });
    it("takes calls that overlap, and none after it was closed", async () => {
      const store = await open();
      await Promise.all(SAID.map((one) => store.add([one])));
      expect((await store.find()).length).toEqual(SAID.length);
      await store.close();
      await store.close();
      const key = { tenant: "default", query: "q" };
      for (const call of [
        () => store.find(),
        () => store.add([]),
        () => store.queries(),
        () => store.raters(),
        () => store.forget({ item: "i" }, "now"),
        () => store.forgotten(),
        () => store.scores({ ...key, reranker: "r" }),
        () => store.keepScores({ ...key, reranker: "r" }, []),
        () => store.profile({ ...key, rater: "r" }),
        () => store.keepProfile({ ...key, rater: "r" }, 1),
        () => store.build({ tenant: "t", dataset: "d", labeler: "l" }),
        () => store.keepBuild({ tenant: "t", dataset: "d", labeler: "l" }, 1),
        () => store.corpus({ tenant: "t", source: "s" }),
        () => store.keepCorpus({ tenant: "t", source: "s" }, { listed_at: "now", items: [] }),
        () => store.claim("name"),
      ])
        await expect(call()).rejects.toMatchObject({ code: "STORE_CLOSED" });
    });
    it("finds what was said of many queries at once", async () => {
      const store = await open();
      const many = Array.from({ length: 2000 }, (_, at) => assessment({ query: `query ${at}` }));
      await store.add(many);
      const found = await store.find({ queries: many.map(({ query }) => query) });
      expect(found.map(({ query }) => query).sort()).toEqual(many.map(({ query }) => query).sort());
      await store.close();
    });
  });
}
