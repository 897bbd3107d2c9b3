import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  beginBuild,
  functionLabeler,
  rebuildLabels,
  type BackendHit,
  type BatchTrace,
  type LabelItem,
  type QueryBuild,
  type RebuildLabelsOptions,
} from "../../src/label/index.js";
import { memoryLabelStore } from "../../src/storage/index.js";
import { oracle, WITHOUT_ORACLES } from "../support/oracles.js";

const item = (id: string, text = id): LabelItem => ({ id, fields: { text } });
const hitOf = (id: string, fields?: LabelItem["fields"]): BackendHit => ({
  chunk_id: id,
  doc_id: id,
  ...(fields && { fields }),
});

/** What a rebuild is made of, with grades and rerank scores by id, and a count of what was asked. */
function setting(grades: Readonly<Record<string, number | null>>, hits: readonly BackendHit[]) {
  const asked = { grades: [] as string[], documents: [] as string[], searches: 0 };
  const corpus = new Map(Object.keys(grades).map((id) => [id, item(id)]));
  const store = memoryLabelStore();
  const builds: QueryBuild[] = [];
  const options: RebuildLabelsOptions = {
    store,
    labeler: functionLabeler({
      name: "judge",
      version: "1",
      grade: (_, { id }) => {
        asked.grades.push(id);
        return (grades[id] ?? 0) as number;
      },
    }),
    queries: [{ query: "red shoe", id: "q1" }],
    search: () => {
      asked.searches++;
      return hits;
    },
    corpus,
    reranker: {
      identity: "r",
      score: (_, documents) => {
        asked.documents.push(...documents.map(({ id }) => id));
        return documents.map(({ id }) => 1 / (1 + Number(/\d+/.exec(id)?.[0])));
      },
    },
    now: () => Date.parse("2026-05-01T09:00:00.000Z"),
    onQuery: (build) => void builds.push(build),
  };
  return { asked, store, builds, options };
}

const ids = (count: number): string[] => Array.from({ length: count }, (_, at) => `i${at}`);
const all = (count: number, grade: (at: number) => number | null): Record<string, number | null> =>
  Object.fromEntries(ids(count).map((id, at) => [id, grade(at)]));
const stop = { batchSize: 4, minBatches: 1, streak: 2, maxBatches: 40 };

describe("a deep rebuild", () => {
  it("labels the head as searched, then what is reranked, until batches are bad", async () => {
    const { asked, builds, options } = setting(
      all(40, (at) => (at < 6 ? 3 : 0)),
      ["i5", "i3", "i5", "i0"].map((id) => hitOf(id)),
    );
    const summary = await rebuildLabels({ ...options, stop, depth: { recallTopK: 2 } });
    const [build] = builds as [QueryBuild];
    expect(build.pool).toEqual(["i5", "i3"]);
    expect(build.order).toEqual(["i5", "i3", ...ids(40).filter((id) => id !== "i5" && id !== "i3")]);
    expect(build.scores.slice(0, 4)).toEqual([1, 1, 1, 1 / 2]);
    expect(asked.documents).toHaveLength(38);
    expect(build.batches.map(({ is_bad, streak }) => [is_bad, streak])).toEqual([
      [false, 0],
      [false, 0],
      [true, 1],
      [true, 2],
    ]);
    expect(build.stop).toEqual({ reason: "streak", also_true: [], items: 16 });
    expect(build.below_stop).toEqual({
      items: 24,
      last_useful: 0,
      last_valid: 8,
      estimate: 0,
      low: 0,
      // Wilson: z^2 / (8 + z^2) of 24.
      high: 7.8,
    });
    expect(summary).toMatchObject({ queries: 1, pairs: 16, known: 0, isDone: true, calls: 4 });
    expect([build.calls, build.rater.name, build.reranker, build.hits]).toEqual([4, "judge", "r", 3]);
    expect(new Set(asked.grades)).toEqual(new Set(build.order.slice(0, 16)));
  });

  it("needs nobody who listens", async () => {
    const { asked, options } = setting(
      all(8, () => 2),
      [hitOf("i1")],
    );
    expect(await rebuildLabels({ ...options, onQuery: undefined })).toMatchObject({
      pairs: 8,
      calls: 1,
      isDone: true,
    });
    expect([asked.searches, asked.grades.length]).toEqual([1, 8]);
  });

  it("leaves out a query that the search fails for, where somebody is told", async () => {
    const { asked, builds, options } = setting(
      all(8, () => 2),
      [hitOf("i1")],
    );
    const failed: string[] = [];
    const search: RebuildLabelsOptions["search"] = (query, about) => {
      if (query === "bad") throw new Error("too many clauses");
      return options.search(query, about);
    };
    const queries = [{ query: "bad" }, { query: "red shoe" }];
    await expect(rebuildLabels({ ...options, search, queries })).rejects.toThrow("too many clauses");
    await rebuildLabels({ ...options, search, queries, onFailed: ({ query }) => failed.push(query) });
    expect([failed, builds.length, asked.grades.length]).toEqual([["bad"], 1, 8]);
  });

  it("goes on where it was stopped, and asks for nothing that it has", async () => {
    const { asked, builds, options } = setting(
      all(40, () => 2),
      [hitOf("i1")],
    );
    const end = new AbortController();
    const stopped = rebuildLabels({
      ...options,
      stop,
      signal: end.signal,
      onBatch: (_, batch) => {
        if (batch === 3) end.abort(new Error("killed"));
      },
    });
    await expect(stopped).rejects.toThrow("killed");
    expect([asked.grades.length, asked.documents.length, builds.length]).toEqual([12, 39, 0]);
    const summary = await rebuildLabels({ ...options, stop });
    expect([asked.grades.length, asked.documents.length, asked.searches]).toEqual([40, 39, 2]);
    expect(new Set(asked.grades).size).toBe(40);
    expect(summary).toMatchObject({ pairs: 40, known: 12, calls: 7 });
    expect(builds[0]?.batches.map(({ known }) => known)).toEqual([4, 4, 4, 0, 0, 0, 0, 0, 0, 0]);
    expect(builds[0]).toMatchObject({ calls: 10, stop: { reason: "exhausted", items: 40 } });
  });

  it("ends with its budget, and another one goes on", async () => {
    const { builds, options } = setting(
      all(40, () => 2),
      [hitOf("i1")],
    );
    expect(await rebuildLabels({ ...options, stop, budget: { calls: 2 } })).toMatchObject({ isDone: false });
    expect(builds[0]?.stop).toEqual({ reason: "budget", also_true: [], items: 8 });
    expect(builds[0]?.calls).toBe(2);
    expect(await rebuildLabels({ ...options, stop })).toMatchObject({ isDone: true, known: 8 });
    expect(builds[1]?.stop.reason).toBe("exhausted");
  });

  it("skips a query that too much fits, without a call", async () => {
    const { asked, builds, options } = setting(
      all(40, () => 2),
      [hitOf("i39")],
    );
    const depth = { recallTopK: 1, highThreshold: 0.1, highSkipCount: 8 };
    await rebuildLabels({ ...options, stop, depth });
    // 1 / (1 + n) is above 0.1 for n from 0 to 8, nine of them.
    expect(builds[0]).toMatchObject({ high: 9, batches: [], stop: { reason: "skipped", items: 0 } });
    expect(asked.grades).toEqual([]);
    await rebuildLabels({ ...options, stop, depth: { ...depth, highSkipCount: 9 } });
    expect(builds[1]?.stop.reason).toBe("exhausted");
  });

  it("takes a hit's own fields for what the corpus lacks, in the head and behind it", async () => {
    const { asked, builds, options } = setting({ i1: 3, i2: 0, i9: 2, i8: 1 }, [
      hitOf("i9", { text: "nine" }),
      hitOf("nothing"),
      hitOf("i1", { text: "not what the corpus says" }),
      hitOf("i8", { text: "eight" }),
    ]);
    const corpus = new Map([item("i1"), item("i2")].map((each) => [each.id, each]));
    await rebuildLabels({ ...options, corpus, depth: { recallTopK: 2 } });
    expect(builds[0]).toMatchObject({
      pool: ["i9", "i1"],
      order: ["i9", "i1", "i2", "i8"],
      unknown_items: ["nothing"],
      hits: 3,
    });
    expect(asked.documents).toEqual(["i2", "i8"]);
    expect(asked.grades.sort()).toEqual(["i1", "i2", "i8", "i9"]);
  });

  it("counts an item without a valid grade on neither side", async () => {
    const { builds, options } = setting(
      all(8, (at) => (at % 2 === 0 ? null : 0)),
      [],
    );
    const none = functionLabeler({
      name: "judge",
      version: "1",
      grade: (_, { id }) => (Number(id.slice(1)) < 4 ? null : 0),
    });
    await rebuildLabels({ ...options, labeler: none, stop: { ...stop, minBatches: 0, streak: 1 } });
    const traces = (builds[0] as QueryBuild).batches.map(
      ({ irrelevant_ratio, is_counted, streak }: BatchTrace) => [irrelevant_ratio, is_counted, streak],
    );
    expect(traces).toEqual([
      [null, false, 0],
      [1, true, 1],
    ]);
    expect(builds[0]?.stop).toMatchObject({ reason: "streak", also_true: ["exhausted"] });
  });

  it("judges each item as often as is asked for, and takes the median", async () => {
    const { asked, builds, options } = setting(
      all(8, () => 2),
      [],
    );
    let said = 0;
    const steady = functionLabeler({ name: "judge", version: "1", grade: () => (said++ % 3 === 0 ? 0 : 3) });
    await rebuildLabels({ ...options, labeler: steady, stop, votes: 3 });
    expect([asked.grades.length, said]).toEqual([0, 24]);
    expect(builds[0]?.calls).toBe(6);
    expect(builds[0]?.batches).toHaveLength(2);
  });
});

describe("a build that is begun", () => {
  const key = { tenant: "default", dataset: "shop", labeler: "judge" };
  const queries = [{ id: "1", query: "red shoe" }];
  const others = [...queries, { id: "2", query: "hat" }];
  const at = (hour: number) => ({ now: () => Date.parse(`2026-05-01T0${hour}:00:00.000Z`) });

  it("refuses other queries than those that it was interrupted with, until it has ended", async () => {
    const store = memoryLabelStore();
    const first = await beginBuild(store, key, { queries, ...at(1) });
    // Nothing was kept yet, so that nothing is mixed.
    await beginBuild(store, key, { queries: others });
    await first.markBegun();
    await first.markBegun();
    await expect(beginBuild(store, key, { queries: others })).rejects.toMatchObject({ code: "BUILD_RESUME" });
    await beginBuild(store, key, { queries: [{ id: "1", query: " red   shoe" }] });
    await beginBuild(store, { ...key, labeler: "other" }, { queries: others });
    await beginBuild(store, key, { queries: others, takesNewQueries: true });
    await first.markEnded(false);
    await beginBuild(store, key, { queries: others });
  });

  it("asks again for all that is older than the forced build that it goes on with", async () => {
    const store = memoryLabelStore();
    const since = async (isForced: boolean, hour: number) => {
      const build = await beginBuild(store, key, { queries, isForced, ...at(hour) });
      await build.markBegun();
      return { at: build.since?.slice(11, 13), ended: (isDone: boolean) => build.markEnded(isDone) };
    };
    expect((await since(false, 1)).at).toBe(undefined);
    expect((await since(true, 2)).at).toBe("02");
    expect((await since(true, 3)).at).toBe("02");
    await (await since(true, 4)).ended(true);
    const next = await since(true, 5);
    expect(next.at).toBe("05");
    await next.ended(false);
    expect((await since(true, 6)).at).toBe("05");
    // A build of what is missing in between does not end it.
    await (await since(false, 7)).ended(true);
    expect((await since(true, 8)).at).toBe("05");
  });

  it("is forced once: what it has asked again is known to the rest of it", async () => {
    const { asked, options, store } = setting(
      all(8, () => 2),
      [],
    );
    const clock = (hour: number) => Date.parse(`2026-05-01T0${hour}:00:00.000Z`);
    await rebuildLabels({ ...options, stop, now: () => clock(1) });
    expect(asked.grades).toHaveLength(8);
    const since = new Date(clock(2)).toISOString();
    await rebuildLabels({ ...options, stop, now: () => clock(2), since, budget: { calls: 1 } });
    expect(asked.grades).toHaveLength(12);
    await rebuildLabels({ ...options, stop, now: () => clock(3), since });
    expect(asked.grades).toHaveLength(16);
    expect(await store.find()).toHaveLength(16);
  });

  it("is judged by what it asked again, not by the votes that it replaces", async () => {
    const { builds, options } = setting(
      all(8, () => 2),
      [],
    );
    const clock = (hour: number) => Date.parse(`2026-05-01T0${hour}:00:00.000Z`);
    let grade = 3;
    const labeler = functionLabeler({ name: "judge", version: "1", grade: () => grade });
    await rebuildLabels({ ...options, labeler, votes: 3, now: () => clock(1) });
    grade = 0;
    await rebuildLabels({
      ...options,
      labeler,
      now: () => clock(2),
      since: new Date(clock(2)).toISOString(),
    });
    expect(builds.map(({ batches, calls }) => [batches[0]?.irrelevant_ratio, calls])).toEqual([
      [0, 3],
      [1, 1],
    ]);
  });
});

const folder = oracle("search-evaluation");

interface WholeCase {
  readonly name: string;
  readonly options: Readonly<Record<string, number>>;
  readonly hits: string;
  readonly documents: readonly (readonly [id: string, score: number, grade: number])[];
  readonly expected: {
    readonly skipped: boolean;
    readonly high: number;
    readonly order: string;
    readonly stop_batch: number;
    readonly reason: string;
    readonly labelled: number;
    readonly labels: readonly number[];
    readonly useful_left_below_the_stop: number;
  };
}

describe.skipIf(folder === null)(
  `whole deep rebuilds, by their oracle (${folder === null ? WITHOUT_ORACLES : "in full"})`,
  () => {
    const cases =
      folder === null
        ? []
        : (
            JSON.parse(readFileSync(join(folder, "rebuild-whole.json"), "utf8")) as {
              readonly cases: readonly WholeCase[];
            }
          ).cases;
    it.each(cases)("$name", async ({ options: given, hits, documents, expected }) => {
      const graded = Object.fromEntries(documents.map(([id, , grade]) => [id, grade]));
      const scores = new Map(documents.map(([id, score]) => [id, score]));
      const { asked, builds, options } = setting(
        graded,
        hits.split(" ").map((id) => hitOf(id)),
      );
      const settings = Object.fromEntries(
        Object.entries(given).map(([name, value]) => [
          name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
          value,
        ]),
      );
      await rebuildLabels({
        ...options,
        corpus: new Map(documents.map(([id]) => [id, item(id)])),
        reranker: { identity: "r", score: (_, list) => list.map(({ id }) => scores.get(id) as number) },
        depth: settings,
        stop: settings,
      });
      const [build] = builds as [QueryBuild];
      expect([build.stop.reason === "skipped", build.high, build.order.join(" ")]).toEqual([
        expected.skipped,
        expected.high,
        expected.order,
      ]);
      if (expected.skipped) return expect(asked.grades).toEqual([]);
      expect([build.batches.length, build.stop.reason, build.stop.items]).toEqual([
        expected.stop_batch,
        expected.reason,
        expected.labelled,
      ]);
      const count = (grade: number): number => asked.grades.filter((id) => graded[id] === grade).length;
      expect([0, 1, 2, 3].map(count)).toEqual(expected.labels);
      // The rate falls down the order, so that the truth is not above the interval.
      expect(expected.useful_left_below_the_stop).toBeLessThanOrEqual(build.below_stop.high);
    });
  },
);
