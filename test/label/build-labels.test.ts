import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  buildLabels,
  functionLabeler,
  labelsOf,
  overlapLabeler,
  raterId,
  type BuildLabelsOptions,
  type FunctionLabelerOptions,
  type ItemVerdict,
  type Labeler,
  type LabelItem,
  type LabelRequest,
} from "../../src/label/index.js";
import { memoryLabelStore, type LabelStore } from "../../src/storage/index.js";
import { oracle, WITHOUT_ORACLES } from "../support/oracles.js";

const items = (count: number, text = "red shoe"): LabelItem[] =>
  Array.from({ length: count }, (_, at) => ({ id: `i${at}`, fields: { text: `${text} ${at}` } }));

/** A labeler that keeps what it was asked. */
function recording(
  answer: (request: LabelRequest) => ItemVerdict[],
): Labeler & { readonly asked: string[][] } {
  const asked: string[][] = [];
  return {
    rater: { kind: "model", name: "recording" },
    asked,
    async label(request) {
      asked.push(request.items.map(({ id }) => id));
      return { verdicts: answer(request), answeredModel: "m-2", tokens: { input: 100, output: 10 } };
    },
  };
}
const all =
  (grade: number) =>
  ({ items: asked }: LabelRequest): ItemVerdict[] =>
    asked.map(({ id }) => ({ id, outcome: "graded", grade }));

function build(
  labeler: Labeler,
  store: LabelStore,
  more: Partial<BuildLabelsOptions> = {},
): ReturnType<typeof buildLabels> {
  return buildLabels({
    targets: [{ query: " shoe ", items: items(7) }],
    labeler,
    store,
    batchSize: 3,
    now: () => 0,
    ...more,
  });
}

describe("a build", () => {
  it("ends when it is told to, whatever a listener does, and with what a listener throws", async () => {
    const [labeler, store] = [recording(all(2)), memoryLabelStore()];
    const stop = new AbortController();
    const stuck = build(labeler, store, {
      signal: stop.signal,
      onProgress: () => {
        stop.abort(new Error("enough"));
        return new Promise(() => undefined);
      },
    });
    await expect(stuck).rejects.toThrow("enough");
    const deaf = build(labeler, store, {
      onProgress: async () => Promise.reject(new Error("no room on the page")),
    });
    await expect(deaf).rejects.toThrow("no room on the page");
    // What was answered before is asked by neither again.
    expect(new Set(labeler.asked.flat()).size).toBe(6);
  });
  it("ends with what fails elsewhere, whatever a listener does", async () => {
    const broken: Labeler = {
      rater: { kind: "model", name: "broken" },
      label: async (request) => {
        if (request.query === "boot") throw new Error("the model is gone");
        return { verdicts: all(2)(request), answeredModel: "m", tokens: { input: 1, output: 1 } };
      },
    };
    const stuck = build(broken, memoryLabelStore(), {
      targets: [
        { query: "shoe", items: items(2) },
        { query: "boot", items: items(2) },
      ],
      concurrency: 2,
      onProgress: () => new Promise(() => undefined),
    });
    await expect(stuck).rejects.toThrow("the model is gone");
  });
  it("keeps once what was asked alone, also where a listener throws then", async () => {
    const store = memoryLabelStore();
    const once = recording(({ items: asked }) =>
      asked.map(({ id }) =>
        asked.length > 1 ? { id, outcome: "invalid", grade: null } : { id, outcome: "graded", grade: 2 },
      ),
    );
    const deaf = build(once, store, {
      onProgress: () => {
        throw new Error("no room on the page");
      },
    });
    await expect(deaf).rejects.toThrow("no room on the page");
    const kept = await store.find({});
    const graded = kept.filter(({ outcome }) => outcome === "graded").map(({ item }) => item);
    expect(graded).toHaveLength(1);
    expect(kept.filter(({ item }) => item === graded[0])).toHaveLength(1);
  });
  it("asks in batches, and never again for what it has", async () => {
    const [labeler, store] = [recording(all(2)), memoryLabelStore()];
    expect(await build(labeler, store)).toEqual({
      queries: 1,
      pairs: 7,
      known: 0,
      stale: 0,
      unusable: 0,
      calls: 3,
      answers: { graded: 7, cannot_tell: 0, invalid: 0, refused: 0 },
      cost: { tokens: { input: 300, output: 30 } },
      isEstimated: false,
      isDone: true,
      isOtherRater: false,
    });
    expect(labeler.asked.map(({ length }) => length)).toEqual([3, 3, 1]);
    expect(labeler.asked.flat().sort()).toEqual(items(7).map(({ id }) => id));
    expect(await build(labeler, store)).toMatchObject({ known: 7, calls: 0, isDone: true });
    const [first] = await store.find();
    expect(first).toMatchObject({
      tenant: "default",
      query: "shoe",
      rater: { name: "recording", answered_model: "m-2" },
      vote: 1,
      batch_size: 3,
      at: "1970-01-01T00:00:00.000Z",
      tokens: { input: 100 / 3, output: 10 / 3 },
    });
  });
  it("asks every vote in another order and other company, the same for the same seed", async () => {
    const orders = async (seed: number): Promise<string[][]> => {
      const labeler = recording(all(1));
      await build(labeler, memoryLabelStore(), { votes: 2, seed });
      return labeler.asked;
    };
    const asked = await orders(1);
    expect(asked).toHaveLength(6);
    expect(asked.slice(0, 3)).not.toEqual(asked.slice(3));
    expect(await orders(1)).toEqual(asked);
    expect(await orders(2)).not.toEqual(asked);
  });
  it("goes on where a limit or a failure ended it, with everything answered kept", async () => {
    const [labeler, store] = [recording(all(1)), memoryLabelStore()];
    expect(await build(labeler, store, { budget: { calls: 1 } })).toMatchObject({ calls: 1, isDone: false });
    let calls = 0;
    const failing: Labeler = {
      ...labeler,
      label: async (request) => {
        if (++calls === 2) throw new Error("no answer");
        return labeler.label(request);
      },
    };
    await expect(build(failing, store)).rejects.toMatchObject({
      code: "LABELER_FAILED",
      message: "the labeler `recording` failed for query `shoe`: no answer",
    });
    expect(await build(labeler, store)).toMatchObject({ known: 6, calls: 1, isDone: true });
    expect(labeler.asked.flat().sort()).toEqual(items(7).map(({ id }) => id));
  });
  it("hears an abort between queries of which all is labelled", async () => {
    const [stop, store] = [new AbortController(), memoryLabelStore()];
    await build(recording(all(1)), store);
    const targets = Array.from({ length: 20_000 }, () => ({ query: "shoe", items: items(7) }));
    setTimeout(() => stop.abort(new Error("enough")), 1);
    const again = build(recording(all(1)), store, { targets, signal: stop.signal });
    await expect(again).rejects.toThrow("enough");
  });
  it("ends with the reason of an abort, with everything answered kept", async () => {
    const [stop, store] = [new AbortController(), memoryLabelStore()];
    const labeler = recording((request) => {
      stop.abort(new Error("enough"));
      return all(1)(request);
    });
    await expect(build(labeler, store, { signal: stop.signal })).rejects.toThrow("enough");
    expect(await store.find()).toHaveLength(3);
  });
  it.each([50, 1])(
    "stops where nothing that the labeler says can be read, %d items at a time",
    async (batchSize) => {
      const labeler = recording(({ items: asked }) =>
        asked.map(({ id }) => ({ id, outcome: "invalid", grade: null, reason: "no JSON" })),
      );
      const store = memoryLabelStore();
      const targets = [{ query: "shoe", items: items(40) }];
      await expect(build(labeler, store, { targets, batchSize })).rejects.toMatchObject({
        code: "LABELER_FAILED",
        message: expect.stringContaining(
          "of the first 10 answers of `recording` nothing could be used (no JSON)",
        ),
      });
      expect(labeler.asked).toHaveLength(10);
      const kept = await store.find();
      expect(kept.reduce((sum, { tokens }) => sum + (tokens?.input ?? 0), 0)).toBeCloseTo(1000);
    },
  );
  it.each<[string, (request: LabelRequest) => unknown, string]>([
    ["leaves an item out", () => [], "the answer does not name it"],
    ["names it twice", (request) => [...all(1)(request), ...all(2)(request)], "the answer names it 2 times"],
    ["grades out of range", (request) => all(7)(request), "its grade is `7`, not 0, 1, 2 or 3"],
    [
      "grades in words",
      (request) => all("three" as never)(request),
      "its grade is the text `three`, not 0, 1, 2 or 3",
    ],
    [
      "says something else",
      ({ items: [item] }) => [{ id: item?.id, outcome: "maybe", grade: 1 }],
      "its outcome is `maybe`",
    ],
    ["is no list", () => null, "the answer does not name it"],
    ["holds what is no verdict", () => [null, 5, "x"], "the answer does not name it"],
  ])(
    "asks once more, alone, where an answer %s, and then keeps it as invalid",
    async (_what, answer, reason) => {
      const [labeler, store] = [
        recording(answer as (request: LabelRequest) => ItemVerdict[]),
        memoryLabelStore(),
      ];
      const targets = [{ query: "shoe", items: items(2) }];
      expect(await build(labeler, store, { targets })).toMatchObject({ calls: 3, answers: { invalid: 2 } });
      expect(await store.find()).toMatchObject([
        { outcome: "invalid", grade: null, reason },
        { outcome: "invalid" },
      ]);
      expect(await build(labeler, store, { targets })).toMatchObject({ calls: 0, known: 2, unusable: 2 });
      expect(labelsOf(await store.find(), { labeler: raterId(labeler.rater) })).toEqual([]);
    },
  );
  it("asks again for what was refused, too, where that is asked for", async () => {
    const store = memoryLabelStore();
    const targets = [{ query: "shoe", items: items(2) }];
    const refusing = recording(({ items: asked }) =>
      asked.map(({ id }) => ({ id, outcome: "refused", grade: null })),
    );
    expect(await build(refusing, store, { targets })).toMatchObject({ answers: { refused: 2 } });
    expect(await build(recording(all(3)), store, { targets })).toMatchObject({
      calls: 0,
      known: 2,
      unusable: 2,
    });
    expect(await build(recording(all(3)), store, { targets, retryInvalid: true })).toMatchObject({
      calls: 1,
      known: 0,
      unusable: 0,
      answers: { graded: 2 },
    });
  });
  it("says that a cost is an estimate where the labeler does not tell it", async () => {
    const labeler: Labeler = {
      rater: { kind: "model", name: "silent" },
      estimate: () => ({ tokens: { input: 7, output: 1 } }),
      label: async (request) => ({ verdicts: all(1)(request) }),
    };
    const [store, cost] = [memoryLabelStore(), { tokens: { input: 21, output: 3 } }];
    expect(await build(labeler, store, { isDryRun: true })).toMatchObject({ cost, isEstimated: true });
    expect(await build(labeler, store)).toMatchObject({ cost, isEstimated: true });
    expect((await store.find()).filter(({ tokens }) => tokens != null)).toEqual([]);
    const told = await build(recording(all(2)), memoryLabelStore());
    expect(told.isEstimated).toBe(false);
  });
  it("leaves what the limit kept it from asking once more for the next build", async () => {
    let isGood = false;
    const labeler = recording((request) => (isGood ? all(3)(request) : []));
    const store = memoryLabelStore();
    const targets = [{ query: "shoe", items: items(2) }];
    expect(await build(labeler, store, { targets, budget: { calls: 2 } })).toMatchObject({
      isDone: false,
      answers: { invalid: 2 },
    });
    isGood = true;
    expect(await build(labeler, store, { targets })).toMatchObject({
      calls: 1,
      isDone: true,
      answers: { graded: 1 },
    });
  });
  it.each([1, 2, 4])(
    "keeps what a batch without one usable answer cost, where %i calls are all",
    async (calls) => {
      const store = memoryLabelStore();
      const none = recording(() => []);
      const targets = [{ query: "shoe", items: items(3) }];
      await build(none, store, { targets, budget: { calls } });
      const paid = (await store.find()).reduce((sum, { tokens }) => sum + (tokens?.input ?? 0), 0);
      expect(paid).toBeCloseTo(100 * calls, 9);
      // Whoever was not asked alone is asked again, and the last answer counts.
      expect(await build(recording(all(2)), store, { targets })).toMatchObject({ known: calls - 1 });
      const graded = labelsOf(await store.find(), { labeler: raterId(none.rater) });
      expect(graded).toHaveLength(4 - calls);
    },
  );
  it("keeps all that was paid, also for what had to be asked again", async () => {
    const once = new Set<string>();
    const labeler = recording((request) =>
      all(1)(request).filter(({ id }) => (id === "i1" ? once.size > 0 : true) || !once.add(id)),
    );
    const [some, none] = [memoryLabelStore(), memoryLabelStore()];
    const paid = async (store: LabelStore): Promise<number> =>
      (await store.find()).reduce((sum, { tokens }) => sum + (tokens?.input ?? 0), 0);
    await build(labeler, some, { batchSize: 7 });
    expect(await paid(some)).toBeCloseTo(200, 9);
    await build(
      recording(() => []),
      none,
      { batchSize: 7 },
    );
    expect(await paid(none)).toBeCloseTo(800, 9);
  });
  it("ends before a request that the budget may not allow, also with several under way", async () => {
    for (const concurrency of [1, 4]) {
      const labeler: Labeler = {
        ...recording(all(1)),
        estimate: () => ({ tokens: { input: 100, output: 10 }, price: { amount: 0.5, currency: "EUR" } }),
        label: async (request) => ({
          verdicts: all(1)(request),
          tokens: { input: 100, output: 10 },
          price: { amount: 0.5, currency: "EUR" },
        }),
      };
      const targets = Array.from({ length: 9 }, (_, at) => ({ query: `q${at}`, items: items(2) }));
      const spent = async (budget: BuildLabelsOptions["budget"]): Promise<unknown> =>
        build(labeler, memoryLabelStore(), { targets, concurrency, budget });
      expect(await spent({ tokens: 350 })).toMatchObject({ calls: 3, isDone: false });
      expect(await spent({ money: 1 })).toMatchObject({ calls: 2, cost: { price: { amount: 1 } } });
      expect(await spent({ calls: 0 })).toMatchObject({ calls: 0, isDone: false });
      expect(await spent({ calls: 9 })).toMatchObject({ calls: 9, isDone: true });
    }
    await expect(build(recording(all(1)), memoryLabelStore(), { budget: { tokens: NaN } })).rejects.toThrow(
      "budget.tokens must be a number from 0",
    );
  });
  it("ends by the estimate where a labeler does not tell what it took", async () => {
    const labeler: Labeler = {
      ...recording(all(1)),
      estimate: () => ({ price: { amount: 0.5, currency: "EUR" } }),
      label: async (request) => ({ verdicts: all(1)(request) }),
    };
    const targets = Array.from({ length: 9 }, (_, at) => ({ query: `q${at}`, items: items(2) }));
    expect(await build(labeler, memoryLabelStore(), { targets, budget: { money: 1 } })).toMatchObject({
      calls: 2,
      isDone: false,
    });
  });
  it("shares the queries with another build of the same labeler, and asks nothing twice", async () => {
    const store = memoryLabelStore();
    const waited: string[] = [];
    let release = (): void => undefined;
    const isWaited = new Promise<void>((resolve) => (release = resolve));
    const onWait = (query: string): void => {
      waited.push(query);
      release();
    };
    // Whoever has the first query is at it until the other one waits for it.
    const slow = (): Labeler & { readonly asked: string[][] } => {
      const labeler = recording(all(1));
      return {
        ...labeler,
        label: async (request) => {
          if (request.query === "q0") await isWaited;
          return labeler.label(request);
        },
      };
    };
    const targets = Array.from({ length: 20 }, (_, at) => ({ query: `q${at}`, items: items(5) }));
    const [one, two] = [slow(), slow()];
    const [first, second] = await Promise.all([
      build(one, store, { targets, concurrency: 3, onWait }),
      build(two, store, { targets, concurrency: 3, onWait }),
    ]);
    expect(one.asked.length + two.asked.length).toBe(40);
    expect(first.calls + second.calls).toBe(40);
    expect(first.known + second.known).toBe(100);
    expect(await store.find()).toHaveLength(100);
    // Of the others one may be met on the way, too.
    expect(waited).toContain("q0");
  });
  it("lets requests that are under way end when one fails, and keeps their answers", async () => {
    const store = memoryLabelStore();
    const labeler: Labeler = {
      ...recording(all(1)),
      label: async (request) => {
        if (request.query === "q0") throw new Error("no answer");
        await new Promise((resolve) => setTimeout(resolve, 5));
        return { verdicts: all(1)(request) };
      },
    };
    const targets = Array.from({ length: 9 }, (_, at) => ({ query: `q${at}`, items: items(2) }));
    await expect(build(labeler, store, { targets, concurrency: 3 })).rejects.toThrow("no answer");
    expect(await store.queries()).toHaveLength(2);
  });
  it("counts items that have changed since, and asks again where it is told to", async () => {
    const [labeler, store] = [recording(all(1)), memoryLabelStore()];
    await build(labeler, store);
    const targets = [{ query: "shoe", items: items(7, "blue shoe") }];
    expect(await build(labeler, store, { targets })).toMatchObject({ calls: 0, known: 7, stale: 7 });
    expect(await build(labeler, store, { targets, refreshStale: true })).toMatchObject({
      calls: 3,
      known: 0,
    });
    expect(await build(labeler, store, { targets })).toMatchObject({ known: 7, stale: 0 });
  });
  it("takes a repeated item once, and keeps tenants apart", async () => {
    const [labeler, store] = [recording(all(1)), memoryLabelStore()];
    const targets = [{ query: "shoe", items: [...items(2), ...items(1, "again")] }];
    expect(await build(labeler, store, { targets })).toMatchObject({ pairs: 2, answers: { graded: 2 } });
    expect(await build(labeler, store, { targets, tenant: "other" })).toMatchObject({ known: 0, calls: 1 });
  });
});

describe("a function as a labeler", () => {
  it("grades, cannot tell, and is never guessed at", async () => {
    const answers: unknown[] = [3, null, 2.5, "2", undefined];
    const labeler = functionLabeler({
      name: "mine",
      version: "1",
      grade: (_query, { id }) => {
        const at = Number(id.slice(1));
        if (at === 5) throw new Error("broken");
        return answers[at] as number;
      },
    });
    const store = memoryLabelStore();
    expect(await build(labeler, store, { targets: [{ query: "shoe", items: items(6) }] })).toMatchObject({
      answers: { graded: 1, cannot_tell: 1, invalid: 4 },
    });
    const reasons = (await store.find()).flatMap(({ reason }) => reason ?? []).sort();
    expect(reasons).toEqual(
      [
        "the function returned `2.5`",
        "the function returned `2`",
        "the function returned `undefined`",
        "the function threw: broken",
      ].sort(),
    );
  });
});

describe("overlap", () => {
  const corpus: LabelItem[] = [
    { id: "both", fields: { title: "Red shoes", attributes: { size: 42 } } },
    { id: "shoe", fields: { title: "a shoe" } },
    { id: "none", fields: { title: "hat" } },
    { id: "deep", fields: { parts: [{ name: "red" }, ["shoe"]] } },
  ];
  const grades = async (query: string): Promise<(number | null)[]> =>
    (await overlapLabeler(corpus).label({ query, items: corpus })).verdicts.map(({ grade }) => grade);

  it("is the share of the query's words that an item holds, by weight", async () => {
    expect(await grades("the red shoe")).toEqual([3, 1, 0, 3]);
    // ln(1 + 3.5 / 1.5) for 42, ln(1 + 1.5 / 3.5) for shoe: 1.204 and 0.357, a share of 0.23.
    expect(await grades("shoe 42")).toEqual([3, 0, 0, 0]);
    expect(await grades("hat shoe")).toEqual([0, 0, 2, 0]);
  });
  it("is 0 for a query without words, and for words that no item has", async () => {
    expect(await grades("???")).toEqual([0, 0, 0, 0]);
    expect(await grades("umbrella")).toEqual([0, 0, 0, 0]);
  });
});

const folder = oracle("search-evaluation");
describe.skipIf(folder === null)(
  `judges, by their oracle (${folder === null ? WITHOUT_ORACLES : "in full"})`,
  () => {
    it("keep every valid grade of one that breaks the format, and no other", async () => {
      interface Judges {
        readonly queries: readonly { id: string; text: string }[];
        readonly pairs: readonly (readonly [query: string, item: string, text: string])[];
        readonly format_breaking_answers: Readonly<
          Record<string, readonly (readonly [id: string, grade: number])[]>
        >;
        readonly format_breaking_valid: readonly (number | null)[];
      }
      const judges = JSON.parse(readFileSync(join(folder as string, "judges.json"), "utf8")) as Judges;
      const idOf = new Map(judges.queries.map(({ id, text }) => [text, id]));
      const labeler: Labeler = {
        rater: { kind: "model", name: "format-breaking" },
        async label({ query, items: asked }) {
          const answers = judges.format_breaking_answers[idOf.get(query) as string] ?? [];
          // An unknown id is the item's with a letter behind it.
          const wanted = answers.filter(([id]) => asked.some((item) => id.startsWith(item.id)));
          return { verdicts: wanted.map(([id, grade]) => ({ id, outcome: "graded", grade })) };
        },
      };
      const store = memoryLabelStore();
      const targets = judges.queries.map(({ id, text }) => ({
        query: text,
        items: judges.pairs.flatMap(([query, item, fields]) =>
          query === id ? [{ id: item, fields: { fields } }] : [],
        ),
      }));
      const invalid = judges.format_breaking_valid.filter((grade) => grade === null).length;
      expect(await buildLabels({ targets, labeler, store, batchSize: 20 })).toMatchObject({
        calls: 10 + invalid,
        answers: { graded: 200 - invalid, invalid },
      });
      const labels = labelsOf(await store.find(), { labeler: raterId(labeler.rater) });
      const gradeOf = new Map(
        labels.map(({ query, item, grade }) => [`${idOf.get(query) ?? ""} ${item}`, grade]),
      );
      expect(judges.pairs.map(([query, item]) => gradeOf.get(`${query} ${item}`) ?? null)).toEqual(
        judges.format_breaking_valid,
      );
    });
  },
);

it("a function as a labeler needs a name, a version and a function", () => {
  const given = (options: unknown) => () => functionLabeler(options as FunctionLabelerOptions);
  expect(given({ name: "x", version: "1", label: () => 1 })).toThrow(
    "functionLabeler: grade must be a function, got `undefined`",
  );
  expect(given({ name: "x", grade: () => 1 })).toThrow(
    "functionLabeler: version must be a text that is not empty",
  );
  expect(given(null)).toThrow("functionLabeler must be an object");
});
