import { describe, expect, it } from "vitest";
import {
  benchGolden,
  collectionBenchFixture,
  runBench,
  standardSystems,
  type BenchFixture,
  type BenchSystem,
} from "../../src/bench/index.js";
import { sentenceChunker } from "../../src/chunk/index.js";
import { AdapterError, InputError } from "../../src/foundation/errors/errors.js";
import { hashEmbedder, type Retriever } from "../../src/retrieve/index.js";
import { benchReportSchema, evalRunSchema, goldenSetSchema } from "../../src/records/schema/index.js";

const documents = [
  "red shoes for running",
  "blue shoes",
  "green hats",
  "red hats and gloves",
  "running a company",
  "gloves",
].map((text, index) => ({ id: `d${index}`, title: "", text }));
const queries = new Map([
  ["q1", { query: "red shoes", labels: { query_type: "exact" } }],
  ["q2", { query: "hats", labels: { query_type: "exact" } }],
  ["__proto__", { query: "gloves in winter", labels: { query_type: "paraphrase" } }],
]);
const qrels = new Map([
  ["q1", new Map([["d0", 3]])],
  [
    "q2",
    new Map([
      ["d2", 2],
      ["d3", 1],
    ]),
  ],
  ["__proto__", new Map([["d5", 1]])],
]);
const fixture = (more: Partial<Parameters<typeof collectionBenchFixture>[0]> = {}): BenchFixture =>
  collectionBenchFixture({ name: "shop", documents, queries, qrels, topK: 5, ...more });
const standard = (made = fixture()): Promise<BenchSystem[]> =>
  standardSystems(made, { embedder: hashEmbedder() });
/** A clock that goes 1 ms further each time it is looked at. */
const ticking = (step = 1): (() => number) => {
  let time = 0;
  return () => (time += step);
};
const returning = (...lists: readonly (readonly string[])[]): Retriever => {
  let call = 0;
  return {
    search: () =>
      (lists[Math.min(call++, lists.length - 1)] ?? []).map((id, index) => ({
        rank: index + 1,
        chunk_id: id,
        doc_id: id,
        score: -index,
      })),
  };
};

describe("runBench", () => {
  it("measures all three modes over every case", async () => {
    const { report, runs } = await runBench(fixture(), await standard(), { now: ticking() });
    expect(report.modes.map(({ mode, overall }) => [mode, overall.case_count])).toEqual([
      ["fts_only", 3],
      ["embedding_only", 3],
      ["hybrid", 3],
    ]);
    expect(report.modes[0]?.overall).toEqual({
      case_count: 3,
      recall_at_5: 1,
      mrr_at_5: 1,
      ndcg_at_5: 1,
      evidence_hit_rate: 1,
      avg_latency_ms: 1,
      p95_latency_ms: 1,
    });
    expect(report.modes[0]?.by_query_type["exact"]?.case_count).toBe(2);
    expect(report.fixture.query_types).toEqual([
      { query_type: "exact", cases: 2 },
      { query_type: "paraphrase", cases: 1 },
    ]);
    expect(runs.map(({ run_id }) => run_id)).toEqual(["shop-fts_only", "shop-embedding_only", "shop-hybrid"]);
  });
  it("reports and runs have the shapes that are stored", async () => {
    const { report, runs } = await runBench(fixture(), await standard());
    expect(benchReportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
    for (const run of runs) expect(evalRunSchema.safeParse(run).success).toBe(true);
    expect(goldenSetSchema.safeParse(benchGolden(fixture())).success).toBe(true);
  });
  it("two runs differ in latencies alone", async () => {
    const withoutTimes = (text: string): string =>
      text.replaceAll(/"(?:avg_latency_ms|p95_latency_ms|latency_ms)":[\d.]+/g, "");
    const [first, second] = [
      await runBench(fixture(), await standard()),
      await runBench(fixture(), await standard()),
    ].map(({ report }) => withoutTimes(JSON.stringify(report)));
    expect(first).toBe(second);
  });
  it("a case's latency is the median over the repeats, embedding included, the warm-up not", async () => {
    const durations = [100, 100, 100, 5, 1, 1, 9, 1, 1, 7, 1, 1];
    let [time, call] = [0, 0];
    const retriever: Retriever = {
      search: () => {
        time += durations[call++] ?? 0;
        return [];
      },
    };
    const { report } = await runBench(fixture(), [{ mode: "slow", retriever }], {
      repeats: 3,
      warmUp: 3,
      now: () => time,
    });
    expect(report.modes[0]?.per_case.map(({ latency_ms }) => latency_ms)).toEqual([7, 1, 1]);
    expect(report.modes[0]?.overall).toMatchObject({ avg_latency_ms: 3, p95_latency_ms: 7 });
    expect(report.settings).toMatchObject({ repeats: 3, warm_up: 3 });
  });
  it("rankings are those of the first measured round", async () => {
    const { report } = await runBench(
      fixture(),
      [{ mode: "fickle", retriever: returning(["d0"], ["d1"], ["d2"], ["d3"]) }],
      { repeats: 2, warmUp: 0 },
    );
    expect(report.modes[0]?.per_case.map(({ ranked }) => ranked)).toEqual([["d0"], ["d1"], ["d2"]]);
  });
  it("of several chunks of one document the best one stands for it", async () => {
    const cut = fixture({
      documents: [
        { id: "d0", title: "", text: "Red shoes are here. Red shoes are there." },
        ...documents.slice(1),
      ],
      chunker: sentenceChunker({ maxCharacters: 25 }),
    });
    const { report } = await runBench(cut, await standard(cut));
    expect(report.fixture.chunks).toBe(7);
    expect(report.modes[0]?.per_case[0]?.ranked).toEqual(["d0", "d1", "d3"]);
  });
  it("a mode that fails has found nothing, says why, and the others go on", async () => {
    const failing: BenchSystem = {
      mode: "hybrid",
      retriever: { search: (query) => (query === "hats" ? Promise.reject(new Error("no index")) : []) },
    };
    const { report } = await runBench(fixture(), [...(await standard()).slice(0, 2), failing]);
    expect(report.modes[2]?.per_case.map(({ error }) => error)).toEqual([null, "no index", null]);
    expect(report.checklist.find(({ item }) => item === "metrics")).toEqual({
      item: "metrics",
      is_done: false,
      note: "hybrid failed for 1 of 3 cases; fix it and measure again",
    });
  });
  it("a case that fails in a later round has failed, and its quick failures are no latency", async () => {
    let [time, call] = [0, 0];
    const flaky: Retriever = {
      search: () => {
        const round = Math.floor(call++ / 3);
        time += round === 0 ? 500 : 1;
        if (round > 0) throw new Error("429");
        return [{ rank: 1, chunk_id: "d0", doc_id: "d0", score: 1 }];
      },
    };
    const { report } = await runBench(fixture(), [{ mode: "hybrid", retriever: flaky }], {
      warmUp: 0,
      now: () => time,
    });
    expect(report.modes[0]?.per_case).toMatchObject([
      { error: "429", latency_ms: 500, ranked: [], ndcg: 0 },
      { error: "429" },
      { error: "429" },
    ]);
  });
  it("a case with nothing relevant scores 1, but not for having failed", async () => {
    const made = fixture({ qrels: new Map([...qrels, ["q1", new Map([["d0", 0]])]]) });
    const down: Retriever = { search: () => Promise.reject(new Error("down")) };
    const [fts, broken] = (
      await runBench(made, [
        { mode: "fts_only", retriever: returning([]) },
        { mode: "mine", retriever: down },
      ])
    ).report.modes.map(({ per_case }) => per_case.find(({ case_id }) => case_id === "q1"));
    expect([fts, broken]).toMatchObject([
      { ndcg: 1, recall: 1, mrr: 1, is_hit: false },
      { ndcg: 0, recall: 0, mrr: 0 },
    ]);
  });
  it(
    "a chunk that is returned twice counts once, and what is no list of hits is an error of its " + "case",
    async () => {
      const twice: Retriever = {
        search: () => ["d0", "d0", "d2"].map((id) => ({ chunk_id: id, doc_id: id })),
      };
      const odd: Retriever = { search: () => "d0" as unknown as [] };
      const { report } = await runBench(
        fixture(),
        [
          { mode: "fts_only", retriever: twice },
          { mode: "mine", retriever: odd },
        ],
        { repeats: 1 },
      );
      expect(report.modes[0]?.per_case[0]).toMatchObject({ ranked: ["d0", "d2"], recall: 1 });
      expect(report.modes[1]?.per_case[0]?.error).toBe("search must return a list of hits, got `d0`");
    },
  );
  it("many chunks of one document do not crowd the others out", async () => {
    const crowd = [
      ...Array.from({ length: 30 }, (_, index) => ["crowd", `crowd#${index}`] as const),
      ["d0", "d0#0"] as const,
    ];
    const retriever: Retriever = {
      search: (_, { limit }) =>
        crowd
          .slice(0, limit)
          .map(([doc_id, chunk_id], index) => ({ rank: index + 1, chunk_id, doc_id, score: -index })),
    };
    const { report } = await runBench(fixture(), [{ mode: "mine", retriever }], { depth: 5, repeats: 1 });
    expect(report.modes[0]?.per_case[0]).toMatchObject({
      ranked: ["crowd", "d0"],
      passages: ["crowd#0", "d0#0"],
      mrr: 0.5,
    });
  });
  it("means are rounded from exact fractions: 3 of 160 is 0.0188, and no double is 0.01875", async () => {
    const ids = Array.from({ length: 160 }, (_, index) => `q${index}`);
    const made = fixture({
      queries: new Map(ids.map((id) => [id, { query: id }])),
      qrels: new Map(ids.map((id) => [id, new Map([["d0", 1]])])),
    });
    const retriever: Retriever = {
      search: (query) => (["q0", "q1", "q2"].includes(query) ? [{ chunk_id: "d0", doc_id: "d0" }] : []),
    };
    const { report } = await runBench(made, [{ mode: "mine", retriever }], { repeats: 1 });
    expect(report.modes[0]?.overall).toMatchObject({
      recall_at_5: 0.0188,
      mrr_at_5: 0.0188,
      evidence_hit_rate: 0.0188,
    });
  });
  it("so is the score of one case: 3 of 160 relevant items found is a recall of 0.0188", async () => {
    const relevant = Array.from({ length: 160 }, (_, index) => [`d${index}`, 1] as const);
    const made = fixture({
      queries: new Map([["q0", { query: "q0" }]]),
      qrels: new Map([["q0", new Map(relevant)]]),
    });
    const retriever: Retriever = {
      search: () => ["d0", "d1", "d2"].map((doc_id) => ({ chunk_id: doc_id, doc_id })),
    };
    const { report } = await runBench(made, [{ mode: "mine", retriever }], { repeats: 1 });
    expect(report.modes[0]?.per_case[0]).toMatchObject({ recall: 0.0188, mrr: 1 });
  });
  it("what fails the same way for every case stops the benchmark", async () => {
    const refused: Retriever = {
      search: () => Promise.reject(new InputError("EMBEDDING_REFUSED", "wrong key")),
    };
    const down: Retriever = { search: () => Promise.reject(new AdapterError("RETRIEVER_FAILED", "down")) };
    await expect(runBench(fixture(), [{ mode: "hybrid", retriever: refused }])).rejects.toThrow("wrong key");
    expect(
      (await runBench(fixture(), [{ mode: "hybrid", retriever: down }])).report.modes[0]?.per_case[0]?.error,
    ).toBe("down");
  });
  it("can be stopped between two questions", async () => {
    const stop = new AbortController();
    let asked = 0;
    const retriever: Retriever = {
      search: () => {
        if (++asked === 2) stop.abort(new Error("enough"));
        return [];
      },
    };
    await expect(runBench(fixture(), [{ mode: "m", retriever }], { signal: stop.signal })).rejects.toThrow(
      "enough",
    );
    expect(asked).toBe(2);
  });
  it(
    "what can mislead is told: recorded answers have no latency, and ids that do not agree find " + "nothing",
    async () => {
      const { report } = await runBench(
        fixture(),
        await standardSystems(fixture(), {
          own: [{ mode: "embedding_only", isRecorded: true, retriever: returning(["x"]) }],
        }),
      );
      expect(report.warnings).toMatchObject([
        {
          code: "LATENCY_NOT_MEASURED",
          message: expect.stringMatching(/^embedding_only, hybrid: answers come from a record/) as string,
        },
        {
          code: "NOTHING_FOUND",
          message: expect.stringMatching(/^embedding_only found nothing relevant/) as string,
        },
      ]);
      expect(
        (await runBench(fixture(), [{ mode: "mine", retriever: returning(["x"]) }])).report.warnings,
      ).toMatchObject([{ code: "NOTHING_FOUND" }]);
    },
  );
  it("can be stopped though its modes never wait for anything", async () => {
    const stop = new AbortController();
    let asked = 0;
    const busy: Retriever = {
      search: () => {
        for (const start = performance.now(); performance.now() - start < 1;);
        asked++;
        return [];
      },
    };
    setTimeout(() => stop.abort(new Error("enough")), 0);
    await expect(
      runBench(fixture(), [{ mode: "m", retriever: busy }], { signal: stop.signal, repeats: 1000 }),
    ).rejects.toThrow("enough");
    expect(asked).toBeLessThan(3000);
  });
  it("a mode that failed for some cases is a warning, and a reason of the decision", async () => {
    const failing: BenchSystem = {
      mode: "hybrid",
      retriever: { search: (query) => (query === "hats" ? Promise.reject(new Error("no index")) : []) },
    };
    const { report } = await runBench(fixture(), [...(await standard()).slice(0, 2), failing]);
    expect(report.warnings).toContainEqual({
      code: "CASES_FAILED",
      message: "hybrid failed for 1 of 3 cases, which count as nothing found; `q2`: no index",
      count: 1,
      query_ids: ["q2"],
    });
    expect(report.decision?.reasons).toContain(
      "hybrid failed for 1 of 3 cases, which count as nothing found.",
    );
  });
  it(
    "a provider that does not answer even the first question stops it before anything is measured, " +
      "not later",
    async () => {
      const asleep: Retriever = {
        search: () => Promise.reject(new AdapterError("EMBEDDING_UNAVAILABLE", "asleep")),
      };
      await expect(runBench(fixture(), [{ mode: "m", retriever: asleep }])).rejects.toThrow("asleep");
      expect(
        (await runBench(fixture(), [{ mode: "m", retriever: asleep }], { warmUp: 0 })).report.modes[0]
          ?.per_case[0]?.error,
      ).toBe("asleep");
    },
  );
  it("impossible settings of the decision are refused before anything is asked", async () => {
    const unasked: Retriever = { search: () => expect.fail("was asked") };
    await expect(
      runBench(fixture(), [{ mode: "m", retriever: unasked }], { confidence: 95 }),
    ).rejects.toThrow("confidence must be a share between 0 and 1");
  });
  it("what fusion lost is told", async () => {
    const { report } = await runBench(
      fixture(),
      [
        { mode: "fts_only", retriever: returning(["d0"]) },
        { mode: "embedding_only", retriever: returning(["d1"]) },
        { mode: "hybrid", retriever: returning(["d4"]), channels: ["fts_only", "embedding_only"] },
      ],
      { warmUp: 0, repeats: 1 },
    );
    const [relevant] = report.comparison?.per_query.find(({ query_id }) => query_id === "q1")?.expected ?? [];
    expect(relevant?.runs[2]).toEqual({
      rank: null,
      channels: { fts_only: 1, embedding_only: null },
      fate: "lost_by_fusion",
    });
  });
  it("cases of different top_k are scored each at its own", async () => {
    const made = fixture();
    const [first, ...others] = made.cases;
    const mixed = { ...made, cases: [{ ...(first as (typeof made.cases)[number]), top_k: 1 }, ...others] };
    const { report } = await runBench(
      mixed,
      [
        { mode: "fts_only", retriever: returning(["d9", "d0"], ["d9", "d2"], ["d9", "d5"]) },
        { mode: "hybrid", retriever: returning([]) },
      ],
      { warmUp: 0, repeats: 1 },
    );
    expect(report.settings.top_k).toBeNull();
    expect(report.modes[0]?.per_case.map(({ mrr }) => mrr)).toEqual([0, 0.5, 0.5]);
    expect(report.modes[0]?.overall).toMatchObject({ mrr_at_k: 0.3333, evidence_hit_rate: 0.6667 });
    expect(report.comparison?.metrics).toEqual(["nDCG@k", "recall@k", "MRR@k", "hit rate"]);
  });
  it.each([
    [[], {}, "there is no mode to measure; give at least one"],
    [["a", "a"], {}, "two modes are called `a`; give each a name of its own"],
    [["a"], { repeats: 0 }, "repeats must be a whole number from 1, got `0`"],
    [["a"], { depth: 1.5 }, "depth must be a whole number from 1, got `1.5`"],
    [["a"], { warmUp: -1 }, "warmUp must be a whole number from 0, got `-1`"],
  ])("refuses modes %j with %j", async (modes, options, message) => {
    await expect(
      runBench(
        fixture(),
        modes.map((mode) => ({ mode, retriever: returning([]) })),
        options,
      ),
    ).rejects.toThrow(message);
  });
});

describe("standardSystems", () => {
  it("modes that are asked for and cannot be made are refused, not left out", async () => {
    await expect(standardSystems(fixture(), { modes: ["fts_only", "hybrid"] })).rejects.toThrow(
      "mode `hybrid` needs embeddings; give a provider, or leave the mode out",
    );
    const own: BenchSystem = { mode: "embedding_only", retriever: returning([]) };
    expect(
      (await standardSystems(fixture(), { modes: ["fts_only", "hybrid"], own: [own] })).map(
        ({ mode }) => mode,
      ),
    ).toEqual(["fts_only", "hybrid"]);
  });
  it("without a provider there is full text alone", async () => {
    expect((await standardSystems(fixture(), {})).map(({ mode }) => mode)).toEqual(["fts_only"]);
  });
  it("a real provider stands beside the hash baseline", async () => {
    const systems = await standardSystems(fixture(), {
      embedder: hashEmbedder(),
      liveEmbedder: hashEmbedder({ dimensions: 64 }),
    });
    expect(systems.map(({ mode, tier = "offline" }) => [mode, tier])).toEqual([
      ["fts_only", "offline"],
      ["embedding_only", "offline"],
      ["hybrid", "offline"],
      ["embedding_only@live", "live_shadow"],
      ["hybrid@live", "live_shadow"],
    ]);
  });
  it("your own system takes the place of a standard one, in hybrid, too", async () => {
    const systems = await standardSystems(fixture(), {
      own: [
        { mode: "embedding_only", retriever: returning(["d5"]) },
        { mode: "mine", retriever: returning(["d4"]) },
      ],
    });
    expect(systems.map(({ mode }) => mode)).toEqual(["fts_only", "embedding_only", "hybrid", "mine"]);
    const hits = await systems[2]?.retriever.search("hats", { limit: 10 });
    expect(hits?.map(({ chunk_id }) => chunk_id)).toContain("d5");
  });
  it("refuses a system of yours under the name of the hybrid that it tunes", async () => {
    for (const mode of ["hybrid_tuned", "hybrid_tuned@live"])
      await expect(
        standardSystems(fixture(), { own: [{ mode, retriever: returning(["d5"]) }] }),
      ).rejects.toThrow("is the hybrid of which the weights are tuned here; call your system otherwise");
  });
  it("only the modes that were asked for", async () => {
    expect(
      (await standardSystems(fixture(), { embedder: hashEmbedder(), modes: ["hybrid", "fts_only"] })).map(
        ({ mode }) => mode,
      ),
    ).toEqual(["fts_only", "hybrid"]);
    await expect(standardSystems(fixture(), { modes: ["hybird"] })).rejects.toThrow(
      "mode must be one of fts_only, embedding_only, hybrid, got `hybird`; did you mean `hybrid`?",
    );
  });
});
