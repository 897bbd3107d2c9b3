import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { labelsOf, type Assessment } from "../../src/label/index.js";
import { openLabelStore, openStore } from "../../src/node/index.js";
import type {
  WorkbenchMark,
  WorkbenchOverview,
  WorkbenchPair,
  WorkbenchQueries,
  WorkbenchQueue,
  WorkbenchReport,
} from "../../src/records/index.js";
import { loopback } from "../support/loopback.js";
import { present } from "../support/present.js";
import {
  aProject,
  ITEMS,
  jsonLines,
  markOf,
  QUERIES,
  queryTable,
  type MadeProject,
  type OpenWorkbench,
} from "./projects.js";

let project: MadeProject;
let opened: OpenWorkbench;
let marks = 0;

beforeEach(async () => {
  project = aProject();
  opened = project.open();
  marks = 0;
});
afterEach(async () => {
  await opened.made.close();
  project.remove();
});

/** A mark of its own, later than the one before it. */
const named = (query_id: string, item: string, more?: Partial<WorkbenchMark>): WorkbenchMark =>
  markOf(query_id, item, ++marks, more);
const mark = (
  pair?: Pick<WorkbenchPair, "query_id" | "item">,
  more?: Partial<WorkbenchMark>,
): WorkbenchMark => named(pair?.query_id ?? "", pair?.item.id ?? "", more);

const queue = (rater = "Ada", search = ""): Promise<WorkbenchQueue> =>
  opened.get(`/api/c/shop/label?rater=${encodeURIComponent(rater)}${search}`);
const send = (given: unknown, rater: unknown = "Ada") =>
  opened.post("/api/c/shop/marks", { rater, marks: given });
const keysOf = ({ pairs }: WorkbenchQueue): string[] => pairs.map(keyOf);
const keyOf = ({ query_id, item }: WorkbenchPair): string => `${query_id} ${item.id}`;

/** Everything in the label store, as it stands there. */
async function stored(): Promise<Assessment[]> {
  const store = await openLabelStore(project.path("labels.sqlite"), { create: true });
  try {
    return await store.find({});
  } finally {
    await store.close();
  }
}

describe("the queue of a rater", () => {
  it("has what the search brings back, where there is no batch", async () => {
    const { pairs, left, done, said, own_kappa, repeats } = await queue();
    expect(pairs.length).toBeGreaterThan(QUERIES.length);
    expect([left, done, said, own_kappa, repeats]).toEqual([pairs.length, 0, [], null, 0]);
  });

  it("has what came back in the latest batch, where there is one", async () => {
    await opened.batch();
    const queries = await opened.get<WorkbenchQueries>("/api/c/shop/queries");
    const { pairs } = await queue();
    expect(new Set(pairs.map(({ query_id }) => query_id))).toEqual(
      new Set(queries.rows.filter(({ returned }) => returned > 0).map(({ id }) => id)),
    );
  });

  it("is the same when it is asked for again", async () => {
    expect(await queue()).toEqual(await queue());
  });

  it("is of one query, where one is named", async () => {
    const { pairs } = await queue("Ada", "&query=q2");
    expect(pairs.length).toBeGreaterThan(0);
    expect(new Set(pairs.map(({ query_id }) => query_id))).toEqual(new Set(["q2"]));
  });

  it.each(["nobody", "__proto__", ""])("is none for a query that there is not: %j", async (query) => {
    await expect(queue("Ada", `&query=${query}`)).rejects.toThrow(`404: {"message":"there is no query`);
  });

  it("undoes what was graded where a clock was ahead of the one that undoes, and grades anew", async () => {
    const [pair] = (await queue()).pairs;
    const at = (minute: number) => ({ at: `2026-05-01T09:0${minute}:00.000Z` });
    await send([mark(pair, { outcome: "graded", grade: 3, ...at(5) })]);
    await send([mark(pair, { outcome: "withdrawn", grade: null, ...at(2) })]);
    expect((await queue()).said).toEqual([]);
    await send([mark(pair, { outcome: "graded", grade: 1, ...at(6) })]);
    expect((await queue()).said).toMatchObject([{ grade: 1 }]);
  });

  it("goes by the last grade where a clock was a day or an age ahead of the server's", async () => {
    const [pair] = (await queue()).pairs;
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    for (const [grade, at] of [
      [0, tomorrow],
      [2, "9999-12-31T23:59:59.999Z"],
    ] as const) {
      await send([mark(pair, { outcome: "graded", grade, at })]);
      expect((await queue()).said).toMatchObject([{ grade }]);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
    await send([mark(pair, { outcome: "graded", grade: 3, at: new Date().toISOString() })]);
    expect((await queue()).said).toMatchObject([{ grade: 3 }]);
  });

  it("leaves a later grade be, where an earlier one and its undoing come late", async () => {
    const [pair] = (await queue()).pairs;
    const at = (minute: number) => ({ at: `2026-05-01T09:0${minute}:00.000Z` });
    await send([mark(pair, { outcome: "graded", grade: 3, ...at(5) })]);
    await send([
      mark(pair, { outcome: "graded", grade: 0, ...at(1) }),
      mark(pair, { outcome: "withdrawn", grade: null, ...at(2) }),
    ]);
    expect((await queue()).said).toMatchObject([{ grade: 3 }]);
  });

  it("has the guidelines, best grade and worst", async () => {
    expect((await queue()).guidelines.map(({ grade }) => grade).sort()).toEqual([0, 1, 2, 3]);
  });

  it.each(["", "   ", "a".repeat(81), "a\u0000b", "a\u001bb", "a\u202eb", "\u200b", "a\u{e0041}"])(
    "is of nobody called %j",
    async (name) => {
      const { status, body } = await opened.ask(`/api/c/shop/label?rater=${encodeURIComponent(name)}`);
      expect([status, body["code"]]).toEqual([400, "ARGUMENT"]);
    },
  );

  it.each([
    "Ada",
    "Ada Lovelace",
    "김철수",
    "O'Brien",
    "__proto__",
    "constructor",
    "<script>alert(1)</script>",
  ])("is of somebody called %s", async (name) => {
    const [pair] = (await queue(name)).pairs;
    expect((await send([mark(pair)], name)).status).toBe(200);
    expect((await queue(name)).done).toBe(1);
  });

  it("is of one person whatever the blanks and the form of the letters", async () => {
    const [pair] = (await queue()).pairs;
    await send([mark(pair)], "  Zoë \t B  ");
    expect((await queue("Zoe\u0308 B")).done).toBe(1);
  });

  it("is not there for a golden set", async () => {
    const { status } = await opened.ask("/api/c/golden/label?rater=Ada");
    expect(status).toBe(404);
  });
});

describe("marks", () => {
  it("are stored with the query's text, the item, its hash, the rater, the time and the note", async () => {
    const [pair] = (await queue()).pairs;
    const given = mark(pair, { grade: 3, reason: "just what was asked for" });
    expect(await send([given])).toMatchObject({ status: 200, body: { stored: [given.mark] } });
    expect(await stored()).toMatchObject([
      {
        query: pair?.query,
        item: pair?.item.id,
        item_hash: expect.stringMatching(/./) as string,
        outcome: "graded",
        grade: 3,
        rater: { kind: "human", name: "Ada" },
        at: given.at,
        reason: "just what was asked for",
        mark: given.mark,
      },
    ]);
  });

  it("take their pair from the queue", async () => {
    const before = keysOf(await queue());
    const [pair] = (await queue()).pairs;
    await send([mark(pair)]);
    const after = await queue();
    expect(keysOf(after)).toEqual(before.slice(1));
    expect([after.left, after.done, after.said]).toEqual([
      before.length - 1,
      1,
      [{ query_id: pair?.query_id, item: pair?.item.id, grade: 2 }],
    ]);
  });

  it("are stored in the order in which they came", async () => {
    const { pairs } = await queue();
    const given = pairs.slice(0, 9).map((pair, at) => mark(pair, { grade: at % 4 }));
    await send(given);
    expect((await stored()).map((each) => each["mark"])).toEqual(given.map((each) => each.mark));
    expect((await queue()).said.map(({ item }) => item)).toEqual(given.map(({ item }) => item));
  });

  it("of two requests that overlap keep the order of the requests", async () => {
    const { pairs } = await queue();
    const given = pairs.slice(0, 8).map((pair) => mark(pair));
    await Promise.all([send(given.slice(0, 4)), send(given.slice(4))]);
    expect((await stored()).map((each) => each["mark"])).toEqual(given.map((each) => each.mark));
  });

  it("are stored once though the whole request comes twice", async () => {
    const { pairs } = await queue();
    const given = pairs.slice(0, 4).map((pair) => mark(pair));
    expect((await send(given)).body).toEqual((await send(given)).body);
    expect((await stored()).length).toBe(4);
  });

  it("are stored once though the request comes again while it is at work", async () => {
    const { pairs } = await queue();
    const given = pairs.slice(0, 4).map((pair) => mark(pair));
    const answers = await Promise.all([send(given), send(given), send(given)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await stored()).length).toBe(4);
  });

  it("are stored once where two requests have some in common", async () => {
    const { pairs } = await queue();
    const given = pairs.slice(0, 6).map((pair) => mark(pair));
    await Promise.all([send(given.slice(0, 4)), send(given.slice(2))]);
    expect((await stored()).map((each) => each["mark"])).toEqual(given.map((each) => each.mark));
  });

  it("are stored once where one request has the same twice", async () => {
    const [pair] = (await queue()).pairs;
    const given = mark(pair);
    expect((await send([given, given])).status).toBe(200);
    expect((await stored()).length).toBe(1);
  });

  it("are stored once though another workbench took them first", async () => {
    const { pairs } = await queue();
    const given = pairs.slice(0, 4).map((pair) => mark(pair));
    await send(given.slice(0, 2));
    const other = project.open();
    await other.post("/api/c/shop/marks", { rater: "Ada", marks: given });
    expect((await stored()).map((each) => each["mark"])).toEqual(given.map((each) => each.mark));
  });

  it("of one pair, of which the second corrects the first, are kept, and the second counts", async () => {
    const [pair] = (await queue()).pairs;
    await send([mark(pair, { grade: 0 })]);
    await send([mark(pair, { grade: 3 })]);
    expect((await stored()).map(({ grade }) => grade)).toEqual([0, null, 3]);
    expect((await queue()).said.map(({ grade }) => grade)).toEqual([3]);
    // Undone in the tab that corrected it, whatever another tab said before.
    await send([mark(pair, { outcome: "withdrawn", grade: null })]);
    expect((await queue()).said).toEqual([]);
  });

  it("that come late bring back nothing that was undone before them", async () => {
    const [pair] = (await queue()).pairs;
    const at = (second: number): string => `2026-05-01T09:00:0${second}.000Z`;
    await send([mark(pair, { grade: 0, at: at(1) })]);
    await send([mark(pair, { outcome: "withdrawn", grade: null, at: at(5) })]);
    await send([mark(pair, { grade: 3, at: at(3) })]);
    expect((await queue()).said).toEqual([]);
    await send([mark(pair, { grade: 2, at: at(7) })]);
    await send([mark(pair, { grade: 1, at: at(6) })]);
    expect((await queue()).said.map(({ grade }) => grade)).toEqual([2]);
    await send([mark(pair, { outcome: "withdrawn", grade: null, at: at(8) })]);
    expect((await queue()).said).toEqual([]);
  });

  it("of a repeat leave the grade before it standing", async () => {
    const [pair] = (await queue()).pairs;
    await send([mark(pair, { grade: 1 }), mark(pair, { grade: 2, is_repeat: true })]);
    expect((await stored()).map(({ grade }) => grade)).toEqual([1, 2]);
    await send([mark(pair, { outcome: "withdrawn", grade: null })]);
    expect((await queue()).said.map(({ grade }) => grade)).toEqual([1]);
  });

  it("that cannot tell have no grade, and take their pair from the queue", async () => {
    const [pair] = (await queue()).pairs;
    await send([mark(pair, { outcome: "cannot_tell", grade: null })]);
    expect(await stored()).toMatchObject([{ outcome: "cannot_tell", grade: null }]);
    expect(keysOf(await queue())).not.toContain(keyOf(pair as WorkbenchPair));
    expect((await queue()).said).toEqual([{ query_id: pair?.query_id, item: pair?.item.id, grade: null }]);
  });

  it("that cannot tell have no grade though one is sent with them", async () => {
    const [pair] = (await queue()).pairs;
    await send([mark(pair, { outcome: "cannot_tell", grade: 3 })]);
    expect(await stored()).toMatchObject([{ outcome: "cannot_tell", grade: null }]);
  });

  it("with a blank note have none", async () => {
    const [pair] = (await queue()).pairs;
    await send([mark(pair, { reason: " \n " })]);
    expect((await stored())[0]?.reason ?? null).toBeNull();
  });

  it("that come again say so", async () => {
    const [pair] = (await queue()).pairs;
    await send([mark(pair), mark(pair, { is_repeat: true })]);
    expect((await stored()).map((each) => each["is_repeat"] ?? false)).toEqual([false, true]);
    expect((await queue()).repeats).toBe(1);
  });

  it("are stored while no batch, and no label store, is there", async () => {
    expect((await send([named("q1", "red-shoe")])).status).toBe(200);
    expect((await stored()).length).toBe(1);
  });

  it("of 500 pairs are taken at once", async () => {
    const given = Array.from({ length: 500 }, (_, at) => named("q1", "red-shoe", { grade: at % 4 }));
    expect((await send(given)).status).toBe(200);
    expect((await stored()).filter(({ outcome }) => outcome === "graded").length).toBe(500);
  });
});

describe("undoing", () => {
  it("brings a pair back to where it stood", async () => {
    const before = await queue();
    const [pair] = before.pairs;
    await send([mark(pair)]);
    await send([mark(pair, { outcome: "withdrawn", grade: null })]);
    expect(await queue()).toEqual(before);
  });

  it("keeps what was taken back, as what it was", async () => {
    const [pair] = (await queue()).pairs;
    await send([mark(pair), mark(pair, { outcome: "withdrawn", grade: null })]);
    expect((await stored()).map(({ outcome }) => outcome)).toEqual(["graded", "withdrawn"]);
  });

  it("of one thing after the other empties the list", async () => {
    const { pairs } = await queue();
    await send(pairs.slice(0, 3).map((pair) => mark(pair)));
    for (let left = 2; left >= 0; left--) {
      const { said } = await queue();
      const last = said.at(-1);
      await send([named(last?.query_id ?? "", last?.item ?? "", { outcome: "withdrawn", grade: null })]);
      expect((await queue()).said.length).toBe(left);
    }
  });

  it("does not touch what another person said of the pair", async () => {
    const [pair] = (await queue()).pairs;
    await send([mark(pair)], "Ben");
    await send([mark(pair), mark(pair, { outcome: "withdrawn", grade: null })]);
    expect((await queue("Ben")).done).toBe(1);
  });

  it("of a repeat leaves the first grade", async () => {
    const [pair] = (await queue()).pairs;
    await send([
      mark(pair, { grade: 1 }),
      mark(pair, { grade: 3, is_repeat: true }),
      mark(pair, { outcome: "withdrawn", grade: null }),
    ]);
    expect((await queue()).said.map(({ grade }) => grade)).toEqual([1]);
  });

  it("shows the pair again, by its query and item", async () => {
    const [pair] = (await queue()).pairs;
    await send([mark(pair)]);
    const path = `/api/c/shop/pair?query=${pair?.query_id}&item=${pair?.item.id}`;
    expect(await opened.get(path)).toEqual(pair);
  });
});

describe("wrong marks are refused, and nothing of their request is stored", () => {
  const cases: [string, unknown, RegExp][] = [
    ["no list", {}, /list of 1 to 500/],
    ["an empty list", [], /list of 1 to 500/],
    ["501", Array.from({ length: 501 }, () => named("q1", "red-shoe")), /list of 1 to 500/],
    ["a text", ["mark"], /must have an id/],
    ["null", [null], /must have an id/],
    ["no id", [named("q1", "red-shoe", { mark: undefined as unknown as string })], /must have an id/],
    ["a short id", [named("q1", "red-shoe", { mark: "short" })], /must have an id/],
    ["a long id", [named("q1", "red-shoe", { mark: "x".repeat(65) })], /must have an id/],
    ["an id with a path in it", [named("q1", "red-shoe", { mark: "../../etc/passwd" })], /must have an id/],
    ["no query", [named(undefined as unknown as string, "red-shoe")], /name a query and an item/],
    ["no item", [named("q1", 7 as unknown as string)], /name a query and an item/],
    ["an unknown query", [named("q9", "red-shoe")], /no query `?q9`? with an item/],
    ["an unknown item", [named("q1", "no-shoe")], /no query `?q1`? with an item `?no-shoe/],
    ["a query of a name that every object has", [named("__proto__", "red-shoe")], /no query/],
    ["an item of a name that every object has", [named("q1", "constructor")], /no query/],
    [
      "an unknown outcome",
      [named("q1", "red-shoe", { outcome: "refused" as "graded" })],
      /outcome of a mark/,
    ],
    [
      "no outcome",
      [named("q1", "red-shoe", { outcome: undefined as unknown as "graded" })],
      /outcome of a mark/,
    ],
    ["no grade", [named("q1", "red-shoe", { grade: null })], /grade of a mark/],
    ["a grade below 0", [named("q1", "red-shoe", { grade: -1 })], /grade of a mark/],
    ["a grade above 3", [named("q1", "red-shoe", { grade: 4 })], /grade of a mark/],
    ["half a grade", [named("q1", "red-shoe", { grade: 1.5 })], /grade of a mark/],
    ["a grade as text", [named("q1", "red-shoe", { grade: "2" as unknown as number })], /grade/],
    ["a grade as a list", [named("q1", "red-shoe", { grade: [2] as unknown as number })], /grade/],
    ["true for a grade", [named("q1", "red-shoe", { grade: true as unknown as number })], /grade/],
    ["a note of 2001 characters", [named("q1", "red-shoe", { reason: "x".repeat(2001) })], /2000 characters/],
    ["a note that is no text", [named("q1", "red-shoe", { reason: {} as unknown as string })], /note/],
    ["a hash that is none", [named("q1", "red-shoe", { item_hash: "ABC" })], /hash/],
    ["an id without end", [named("q1", "x".repeat(5000), { item_hash: "0".repeat(64) })], /name a query/],
    ["no time", [named("q1", "red-shoe", { at: undefined as unknown as string })], /time|`?at`?/],
    [
      "a time that is no text",
      [named("q1", "red-shoe", { at: { toString: 1 } as unknown as string })],
      /time/,
    ],
    ["a time that is none", [named("q1", "red-shoe", { at: "yesterday" })], /time|`?at`?/],
    ["a time that sorts after all others", [named("q1", "red-shoe", { at: "zzzz" })], /time|`?at`?/],
    [
      "two of one pair, the first at no time",
      [named("q1", "red-shoe", { at: "zzz" }), named("q1", "red-shoe")],
      /the time at which/,
    ],
    ["a time in another zone", [named("q1", "red-shoe", { at: "2026-01-01T00:00:00+09:00" })], /time|`?at`?/],
  ];

  it.each(cases)("%s", async (_, given, message) => {
    const { status, body, text } = await send(given);
    expect([status, await stored()]).toEqual([400, []]);
    expect(body["message"]).toMatch(message);
    expect(text).not.toMatch(/\n\s+at |\.[jt]s:\d+|ZodError|undefined is not|Cannot read/);
  });

  it.each([undefined, "", 7, {}, "a".repeat(81)])("of a rater who is none: %j", async (rater) => {
    const { status, body } = await opened.post("/api/c/shop/marks", {
      rater,
      marks: [named("q1", "red-shoe")],
    });
    expect([status, body["code"], await stored()]).toEqual([400, "ARGUMENT", []]);
  });

  it("one wrong among many right ones", async () => {
    const { pairs } = await queue();
    const given = [...pairs.slice(0, 3).map((pair) => mark(pair)), mark(pairs[3], { grade: 7 })];
    expect((await send(given)).status).toBe(400);
    expect(await stored()).toEqual([]);
  });

  it("and what comes after them is stored", async () => {
    await Promise.all([send([named("q9", "red-shoe")]), send([named("q1", "red-shoe")])]);
    expect((await stored()).length).toBe(1);
  });
});

describe("two raters", () => {
  it("get different orders", async () => {
    const [ada, ben] = [keysOf(await queue("Ada")), keysOf(await queue("Ben"))];
    expect(ada).not.toEqual(ben);
    expect([...ada].sort()).toEqual([...ben].sort());
  });

  it("are not asked for what the other has judged, but for the share that all get", async () => {
    const { pairs } = await queue("Ada");
    await send(pairs.map((pair) => mark(pair)));
    const left = keysOf(await queue("Ben"));
    expect(left.length).toBeLessThan(pairs.length / 2);
    expect((await queue("Ada")).pairs).toEqual([]);
  });

  it("have their own lists of what they said", async () => {
    const [pair] = (await queue()).pairs;
    await send([mark(pair, { grade: 0 })], "Ada");
    await send([mark(pair, { grade: 3 })], "Ben");
    expect([(await queue("Ada")).said[0]?.grade, (await queue("Ben")).said[0]?.grade]).toEqual([0, 3]);
  });

  it("are told to the next page as those who labelled before", async () => {
    await send([named("q1", "red-shoe")], "Ada");
    await send([named("q1", "blue-hat")], "Ben");
    const { raters } = await opened.get<{ raters: string[] }>("/api/session");
    expect([...raters].sort()).toEqual(["Ada", "Ben"]);
  });
});

it("what is looked for is shown with the query, where its file says so", async () => {
  project.write({
    "queries.tsv": jsonLines([
      { id: "q1", text: "red shoe", need: "A shoe to run in." },
      { id: "q2", text: "blue hat", narrative: "For winter." },
      { id: "q3", text: "green scarf" },
    ]),
  });
  const { pairs } = await queue();
  const needs = Object.fromEntries(pairs.map(({ query_id, need }) => [query_id, need]));
  expect(needs).toEqual({ q1: "A shoe to run in.", q2: "For winter.", q3: null });
});

describe("what a rater sees is blind", () => {
  const WORDS = /"(?:rank|score|system|run|run_id|grade_of_model|label|labels|features|by|rater|batch)"/;

  it("to rank, score, system and the model's label", async () => {
    await opened.batch({ annotate: true });
    const { pairs } = await queue();
    expect(pairs.length).toBeGreaterThan(0);
    expect(JSON.stringify(pairs)).not.toMatch(WORDS);
    for (const pair of pairs)
      expect(Object.keys(pair).sort()).toEqual([
        "is_repeat",
        "item",
        "item_hash",
        "need",
        "query",
        "query_id",
      ]);
  });

  it("in the whole of the answer", async () => {
    await opened.batch({ annotate: true });
    const { text } = await opened.ask("/api/c/shop/label?rater=Ada");
    expect(text).not.toMatch(WORDS);
    expect(text).not.toContain("overlap");
    expect(text).not.toContain("builtin");
  });

  it("in a pair that is shown again", async () => {
    await opened.batch({ annotate: true });
    const [pair] = (await queue()).pairs;
    const { text } = await opened.ask(`/api/c/shop/pair?query=${pair?.query_id}&item=${pair?.item.id}`);
    expect(text).not.toMatch(WORDS);
  });

  it("by an order that is the same whatever the model said", async () => {
    await opened.batch();
    const before = keysOf(await queue());
    await opened.batch({ annotate: true });
    expect(keysOf(await queue())).toEqual(before);
  });

  it("of what others said", async () => {
    await opened.batch();
    const [pair] = (await queue()).pairs;
    await send([mark(pair, { grade: 3, reason: "a note of Ben" })], "Ben");
    const { text } = await opened.ask("/api/c/shop/label?rater=Ada");
    expect(text).not.toContain("Ben");
    expect((JSON.parse(text) as WorkbenchQueue).said).toEqual([]);
  });
});

describe("what people say decides", () => {
  it("over the model, in the labels of the store", async () => {
    await opened.batch({ annotate: true });
    await send([named("q1", "red-shoe", { grade: 0 })]);
    const label = labelsOf(await stored()).find(
      ({ query, item }) => query === "red shoe" && item === "red-shoe",
    );
    expect(label).toMatchObject({
      grade: 0,
      by: "people",
      raters: [expect.stringContaining("Ada") as string],
    });
  });

  it("in the list of queries, at once", async () => {
    await opened.batch();
    const rowOf = async () =>
      (await opened.get<WorkbenchQueries>("/api/c/shop/queries")).rows.find(({ id }) => id === "q1");
    expect(await rowOf()).toMatchObject({ judged: 0, score: 0 });
    await send([named("q1", "red-shoe", { grade: 3 })]);
    expect(await rowOf()).toMatchObject({ judged: 1, strip: expect.stringMatching(/^3/) as string });
    expect((await rowOf())?.score).toBeGreaterThan(0);
  });

  it("in the numbers of a comparison, at once", async () => {
    const a = await opened.batch();
    project.write({ "items.jsonl": jsonLines(ITEMS.filter(({ id }) => id !== "red-shoe")) });
    const b = await opened.batch();
    project.write({ "items.jsonl": jsonLines(ITEMS) });
    const verdict = async () =>
      (
        await opened.get<{ verdict: { difference: number; worse: number; run: string } }>(
          "/api/c/shop/overview",
        )
      ).verdict;
    const compare = async () => (await opened.ask(`/api/c/shop/compare?a=${a}&b=${b}`)).text;
    const before = await compare();
    expect((await verdict()).difference).toBe(0);
    await send([named("q1", "red-shoe", { grade: 3 })]);
    const after = await verdict();
    expect([after.run, after.worse]).toEqual([b, 1]);
    expect(after.difference).toBeLessThan(0);
    expect(await compare()).not.toBe(before);
  });

  it("and a run that was recorded again, are in the comparison at once", async () => {
    const [a, b] = [await opened.batch(), await opened.batch()];
    await send([named("q1", "red-shoe", { grade: 3 })]);
    const compare = async () => (await opened.ask(`/api/c/shop/compare?a=${a}&b=${b}`)).text;
    expect(await compare()).toContain("17 hits of the baseline and 17 of the run");
    const store = await openStore(project.path("store.sqlite"));
    const run = present(await store.loadRun(b));
    const results = run.results.map((each) => (each.query_id === "q1" ? { ...each, hits_top_k: [] } : each));
    await store.saveRun({ ...run, results }, { replace: true });
    await store.close();
    expect(await compare()).toContain("17 hits of the baseline and 12 of the run");
  });

  it("in the trust, at once", async () => {
    await opened.batch({ annotate: true });
    const trust = async () =>
      (await opened.get<{ trust: { people: number; model: number; pairs: number } }>("/api/c/shop/overview"))
        .trust;
    const before = await trust();
    expect([before.people, before.pairs]).toEqual([0, 0]);
    await send([named("q1", "red-shoe", { grade: 0 }), named("q2", "blue-hat", { grade: 3 })]);
    expect(await trust()).toMatchObject({ people: 2, model: before.model - 2, pairs: 2 });
  });

  it("with the same counts and the same kappa on every screen", async () => {
    await opened.batch({ annotate: true });
    const { pairs } = await queue();
    await send(
      pairs.slice(0, 12).map(({ query_id, item }, at) => named(query_id, item.id, { grade: at % 4 })),
    );
    const { trust } = await opened.get<WorkbenchOverview>("/api/c/shop/overview");
    expect(trust?.pairs).toBe(12);
    const [judged = "", agreement = ""] = trust?.sentences ?? [];
    const audit = await opened.get<WorkbenchReport>("/api/c/shop/trust");
    const builds = await opened.get<WorkbenchReport>("/api/c/shop/builds");
    expect(audit.title).toContain(judged);
    expect(builds.title).toBe(judged);
    const [, kappa = ""] = /kappa (\S+) /.exec(agreement) ?? [];
    expect(audit.sections.find(({ id }) => id === "summary")?.html).toContain(
      `Quadratic kappa ${kappa.replace("-", "−")}`,
    );
    expect(audit.conclusion).not.toContain(kappa);
  });

  it("by labelers of one name, told apart by their settings", async () => {
    await opened.batch({ annotate: true });
    const raters = async (): Promise<string> =>
      (await opened.get<WorkbenchReport>("/api/c/shop/builds")).sections.find(({ id }) => id === "raters")
        ?.html ?? "";
    expect(await raters()).not.toContain("settings");
    const store = await openLabelStore(project.path("labels.sqlite"));
    const [first] = await store.find();
    const rater = { ...present(first).rater, parameters: { analyzer: "<b>german" } };
    await store.add([{ ...present(first), rater }]);
    await store.close();
    expect(await raters()).toContain("settings");
    expect(await raters()).toContain("analyzer &lt;b&gt;german");
    expect(await raters()).toMatch(/analyzer english/);
  });

  it("no longer, once it is taken back", async () => {
    await opened.batch();
    const before = await opened.get<WorkbenchQueries>("/api/c/shop/queries");
    await send([named("q1", "red-shoe", { grade: 3 })]);
    await send([named("q1", "red-shoe", { outcome: "withdrawn", grade: null })]);
    expect(await opened.get("/api/c/shop/queries")).toEqual(before);
  });

  it("of marks that are stored while the numbers are made, the next answer has all", async () => {
    await opened.batch();
    const list = () => opened.get<WorkbenchQueries>("/api/c/shop/queries");
    const items = ITEMS.slice(0, 10);
    for (const [at, { id }] of items.entries())
      await Promise.all([list(), send([named("q1", id, { grade: at % 4 })]), list(), list()]);
    const here = await list();
    const fresh = project.open();
    expect(here).toEqual(await fresh.get("/api/c/shop/queries"));
  });
});

describe("items that change", () => {
  it("are shown as they are now, since their hash is of what they are now", async () => {
    await opened.batch();
    const changed = ITEMS.map((item) => ({ ...item, title: `${item.title} (new)` }));
    await queue();
    project.write({ "items.jsonl": jsonLines(changed) });
    const { pairs } = await queue();
    expect(pairs.filter(({ item }) => !(item.title ?? "").endsWith("(new)"))).toEqual([]);
  });

  it("that are gone from the corpus are still judged as they were shown, and taken back", async () => {
    const pair = present((await queue()).pairs[0]);
    const { item_hash } = pair;
    project.write({ "items.jsonl": jsonLines(ITEMS.filter(({ id }) => id !== pair.item.id)) });
    // Whoever stores it need not have handed it out: threads do that, or a server that has ended.
    const another = project.open();
    onTestFinished(() => another.made.close());
    const sent = await another.post("/api/c/shop/marks", {
      rater: "Ada",
      marks: [mark(pair, { item_hash })],
    });
    expect([sent.status, (await stored()).map((each) => each.item_hash)]).toEqual([200, [item_hash]]);
    const taken = mark(pair, { outcome: "withdrawn", grade: null });
    expect((await another.post("/api/c/shop/marks", { rater: "Ada", marks: [taken] })).status).toBe(200);
    expect(labelsOf(await stored())).toEqual([]);
    // Of what nobody was shown nothing is known.
    expect((await send([mark(pair, { item: "never-there" })])).status).toBe(400);
    expect((await send([mark(pair, { item: "never-there", item_hash: "0123" })])).status).toBe(400);
  });
});

describe("more than a page takes at once", () => {
  const many = Array.from({ length: 30 }, (_, at) => [`m${at}`, `red shoe ${at}`] as const);
  let large: MadeProject;
  let largeOpened: OpenWorkbench;
  beforeAll(() => {
    large = aProject({ "queries.tsv": queryTable(many) });
    largeOpened = large.open();
  });
  afterAll(() => large.remove());

  it("is counted in full, and handed out 60 at a time", async () => {
    const { pairs, left } = await largeOpened.get<WorkbenchQueue>("/api/c/shop/label?rater=Ada");
    expect(pairs.length).toBe(60);
    expect(left).toBeGreaterThan(60);
  });

  it("is worked through to the end, every pair once", async () => {
    const seen: string[] = [];
    const { left } = await largeOpened.get<WorkbenchQueue>("/api/c/shop/label?rater=Ada");
    for (;;) {
      const { pairs } = await largeOpened.get<WorkbenchQueue>("/api/c/shop/label?rater=Ada");
      const fresh = pairs.filter(({ is_repeat }) => !is_repeat);
      if (fresh.length === 0) break;
      seen.push(...fresh.map(keyOf));
      await largeOpened.post("/api/c/shop/marks", { rater: "Ada", marks: fresh.map((pair) => mark(pair)) });
    }
    expect(seen.length).toBe(left);
    expect(new Set(seen).size).toBe(left);
  });
});

describe("two queries of the same text", () => {
  it("can both be labelled by their ids", async () => {
    project.write({ "queries.tsv": queryTable([...QUERIES, ["q4", "red shoe"]]) });
    const { status, body } = await opened.ask<WorkbenchQueue>("/api/c/shop/label?rater=Ada&query=q1");
    // A dataset may refuse them; a page that lists them must be able to label them.
    if (status === 200) expect(body.pairs.length).toBeGreaterThan(0);
    else expect(status).toBe(400);
  });
});

it("read-only takes no marks, and shows the queue", async () => {
  const readOnly = project.open({ isReadOnly: true });
  const { status } = await readOnly.post("/api/c/shop/marks", {
    rater: "Ada",
    marks: [named("q1", "red-shoe")],
  });
  expect([status, await stored()]).toEqual([403, []]);
  expect((await readOnly.ask("/api/c/shop/label?rater=Ada")).status).toBe(200);
});

it.each([
  ["with", {}],
  ["without", { corpus: undefined }],
])("a failing query takes nothing from the others, before the first batch, %s a corpus", async (_, shop) => {
  let [isDown, isMended] = [false, false];
  const asked: string[] = [];
  const url = await loopback((_, response, { url: path = "" }) => {
    const query = new URLSearchParams(path.split("?")[1]).get("q") ?? "";
    asked.push(query);
    response.statusCode = isDown || (!isMended && query.includes("blue")) ? 500 : 200;
    const hit = { id: "new-shoe", score: 1, fields: { title: "a new shoe" } };
    response.setHeader("content-type", "application/json").end(JSON.stringify({ hits: [hit] }));
  });
  const engine = { kind: "http", url, params: { q: "{query}" }, method: "GET", hits: "/hits" };
  const backends = { engine: { ...engine, hit: { id: "/id", score: "/score", fields: "/fields" } } };
  const other = aProject({}, { backend: "engine", ...shop }, { backends } as object);
  onTestFinished(() => other.remove());
  const asking = other.open();
  const queueOf = (): Promise<WorkbenchQueue> => asking.get("/api/c/shop/label?rater=Ada");
  const left = async (): Promise<number> => (await queueOf()).left;
  expect(await left()).toBe(QUERIES.length - 1);
  expect(new Set(asked.splice(0)).size).toBe(QUERIES.length);
  isMended = true;
  // What failed is asked again, and nothing else.
  expect(await left()).toBe(QUERIES.length);
  expect(asked.every((query) => query.includes("blue"))).toBe(true);
  // A mark changes nothing of what the search answers.
  asked.length = 0;
  const [pair] = (await queueOf()).pairs;
  const marks = [mark(pair, { item_hash: pair?.item_hash ?? null })];
  expect((await asking.post("/api/c/shop/marks", { rater: "Ada", marks })).status).toBe(200);
  expect([await left(), asked]).toEqual([QUERIES.length - 1, []]);
  // Other queries are asked, under ids that were asked before, too.
  other.write({ "queries.tsv": queryTable([["q1", "green shoe"]]) });
  await left();
  expect(asked.splice(0)).toEqual(["green shoe"]);
  isDown = true;
  const { status } = await other.open().ask("/api/c/shop/label?rater=Ada");
  expect(status).toBe(503);
});

it("read-only asks no search of others, though there is no batch to label from", async () => {
  let asked = 0;
  const url = await loopback((_, response) => {
    asked++;
    response.setHeader("content-type", "application/json").end('{"hits":[{"id":"red-shoe","score":1}]}');
  });
  const engine = { kind: "http", url, params: { q: "{query}" }, method: "GET", hits: "/hits" };
  const backends = { engine: { ...engine, hit: { id: "/id", score: "/score" } } };
  const other = aProject({}, { backend: "engine" }, { backends } as object);
  onTestFinished(() => other.remove());
  const left = async (isReadOnly: boolean): Promise<number> =>
    (await other.open({ isReadOnly }).get<WorkbenchQueue>("/api/c/shop/label?rater=Ada")).left;
  expect([await left(true), asked]).toEqual([0, 0]);
  expect([await left(false), asked]).toEqual([3, 3]);
});
