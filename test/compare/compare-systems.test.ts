import { describe, expect, it } from "vitest";
import {
  compareRuns,
  compareScores,
  compareSeveralRuns,
  compareSystems,
  evaluate,
  rankingAgreement,
  tableOfEvaluation,
  tableOfRecord,
} from "../../src/index.js";
import { parseMetric } from "../../src/metrics/index.js";
import { rankingAgreementSchema, scoreComparisonSchema } from "../../src/records/schema/index.js";
import { aRun, hit, query, result } from "../support/records.js";

const ids = Array.from({ length: 6 }, (_, index) => `q${index}`);
const qrels = new Map(
  ids.map((id) => [
    id,
    new Map([
      ["good", 2],
      ["fair", 1],
      ["bad", 0],
    ]),
  ]),
);
const ranked = (...lists: readonly (readonly string[])[]): Map<string, readonly string[]> =>
  new Map(ids.map((id, index) => [id, lists[index % lists.length] as readonly string[]]));

describe("compareSystems", () => {
  const before = ranked(["bad", "good", "new"]);
  const after = ranked(["good", "bad", "fair"], ["other", "good", "bad"]);
  const comparison = compareSystems(
    [
      { name: "before", run: before },
      { name: "after", run: after },
    ],
    qrels,
    ["nDCG@2", "RR"],
  );

  it("has the scores, differences and verdict of compareScores", () => {
    const tables = [
      tableOfEvaluation(evaluate(before, qrels, ["nDCG@2", "RR"]), "before"),
      tableOfEvaluation(evaluate(after, qrels, ["nDCG@2", "RR"]), "after"),
    ];
    const alone = compareScores(tables);
    expect(comparison.comparisons[0]?.metrics).toEqual(alone.comparisons[0]?.metrics);
    expect(comparison.per_query.map(({ scores }) => scores)).toEqual(
      alone.per_query.map(({ scores }) => scores),
    );
    expect(scoreComparisonSchema.parse(JSON.parse(JSON.stringify(comparison)))).toEqual(comparison);
  });
  it("tells that a run was cut before the other, by metrics that look deeper", () => {
    const deep = ranked(["bad", "good", "new", "fair"]);
    const warningsOf = (metrics: readonly string[]) =>
      compareSystems(
        [
          { name: "cut", run: before },
          { name: "deep", run: deep },
        ],
        qrels,
        metrics,
      ).warnings.filter(({ code }) => code === "UNEVEN_DEPTHS");
    expect(warningsOf(["nDCG@3"])).toEqual([]);
    // One longer ranking is none that was cut elsewhere.
    const odd = compareSystems(
      [
        { name: "whole", run: before },
        { name: "odd", run: new Map([...before, ["q0", ["bad", "good", "new", "fair"]]]) },
      ],
      qrels,
      ["AP"],
    );
    expect(odd.warnings).toEqual([]);
    expect(warningsOf(["nDCG@3", "R@4", "AP"])).toEqual([
      {
        code: "UNEVEN_DEPTHS",
        message:
          "cut: no query has more than 3 hits, in deep up to 4: by R@4 and 1 more, which look deeper, more " +
          "hits alone make a run better",
        count: 6,
      },
    ]);
  });

  describe("where the run lacks queries", () => {
    const many = Array.from({ length: 30 }, (_, at) => `m${at}`);
    const judged = new Map(
      many.map((id) => [
        id,
        new Map([
          ["good", 1],
          ["bad", 0],
        ]),
      ]),
    );
    const whole = new Map(many.map((id) => [id, ["good", "new", "bad", "newer"]]));
    const half = new Map([...whole].slice(0, 15));
    const compared = (metrics: readonly string[], options = {}) =>
      compareSystems(
        [
          { name: "whole", run: whole },
          { name: "half", run: half },
        ],
        judged,
        metrics,
        options,
      );

    it.each(["Unjudged@4", "Utility"])("rewards none of that by %s, where 0 is not the worst", (name) => {
      const { comparisons, leaderboard, runs } = compared([name]);
      const [verdict, [found]] = [comparisons[0]?.verdict, comparisons[0]?.metrics ?? []];
      const [kept, worst] = name === "Utility" ? [-2, -2] : [0.5, 1];
      expect(found).toMatchObject({ mean_a: kept, mean_b: (kept + worst) / 2 });
      expect(runs.map(({ means }) => means[name])).toEqual([kept, (kept + worst) / 2]);
      expect(verdict?.kind).toBe(name === "Utility" ? "equivalent" : "worse");
      expect(verdict?.headline).toContain("no result in this run and count as the worst score there");
      expect(leaderboard ?? null).toBe(null);
    });
    it("holds no guard by that", () => {
      const { verdict } = compared(["RR", "Unjudged@4"], { guards: ["Unjudged@4"] }).comparisons[0] as {
        verdict: { guards: readonly { is_held: boolean }[]; headline: string };
      };
      expect(verdict.guards).toMatchObject([{ metric: "Unjudged@4", is_held: false }]);
      expect(verdict.headline).toContain("count as 0 there");
    });
    it("rewards none of that in recorded runs either", () => {
      const golden = many.map((id) => query(id, { expected_chunk_ids: ["good#1"] }));
      const results = many.map((id) => result(id, [hit("good#1", 1), hit("new#1", 2)]));
      const { statistics } = compareRuns(
        aRun({ run_id: "a", results }),
        aRun({ run_id: "b", results: results.slice(0, 15) }),
        golden,
        { metrics: [parseMetric("Unjudged@2")] },
      );
      expect(statistics?.comparisons[0]?.metrics.find(({ metric }) => metric === "Unjudged@2")).toMatchObject(
        { mean_a: 0.5, mean_b: 0.75 },
      );
      expect(statistics?.comparisons[0]?.verdict.kind).toBe("worse");
    });
  });
  it("shows the rankings with grades, null for unjudged hits", () => {
    expect(comparison.per_query[1]?.rankings).toEqual([
      [
        { id: "bad", grade: 0 },
        { id: "good", grade: 2 },
        { id: "new", grade: null },
      ],
      [
        { id: "other", grade: null },
        { id: "good", grade: 2 },
        { id: "bad", grade: 0 },
      ],
    ]);
  });
  it("tells what became of each relevant item", () => {
    const fates = comparison.per_query[0]?.expected?.map(({ id, grade, runs }) => [
      id,
      grade,
      ...runs.map(({ rank, fate }) => [rank, fate]),
    ]);
    expect(fates).toEqual([
      ["good", 2, [2, "found"], [1, "found"]],
      ["fair", 1, [null, "never_retrieved"], [3, "cut_off"]],
    ]);
  });
  it("follows items through channels, and knows what the index lacks", () => {
    const { per_query } = compareSystems(
      [
        { name: "a", run: before },
        {
          name: "b",
          run: ranked(["bad"]),
          channels: { lexical: ranked(["good"]), embedding: ranked(["bad", "x", "fair"]) },
        },
      ],
      new Map(
        ids.map((id) => [
          id,
          new Map([
            ["good", 2],
            ["fair", 1],
            ["gone", 1],
          ]),
        ]),
      ),
      ["RR@2"],
      { isIndexed: (item) => item !== "gone" },
    );
    expect(per_query[0]?.expected?.map(({ id, runs }) => [id, runs[1]])).toEqual([
      ["good", { rank: null, channels: { lexical: 1, embedding: null }, fate: "lost_by_fusion" }],
      ["fair", { rank: null, channels: { lexical: null, embedding: 3 }, fate: "cut_off" }],
      ["gone", { rank: null, channels: { lexical: null, embedding: null }, fate: "not_in_index" }],
    ]);
  });
  it("says which label would move the difference most", () => {
    // q1: "other" at rank 1 of the run; relevant, it would lift nDCG@2 of the run and lower both by a larger
    // ideal.
    const [first] = comparison.comparisons[0]?.judge_next ?? [];
    expect(first).toMatchObject({ item: "other", rank_a: null, rank_b: 1 });
    const labelled = new Map(
      [...qrels].map(([id, grades]) => [
        id,
        id === first?.query_id ? new Map([...grades, ["other", 2]]) : grades,
      ]),
    );
    const difference = (judgments: typeof qrels): number =>
      (evaluate(after, judgments, ["nDCG@2"]).score(first?.query_id ?? "", "nDCG@2") ?? NaN) -
      (evaluate(before, judgments, ["nDCG@2"]).score(first?.query_id ?? "", "nDCG@2") ?? NaN);
    expect(first?.impact).toBeCloseTo(difference(labelled) - difference(qrels), 4);
  });
  it("a label takes a hit out of the pool of those that were not judged", () => {
    // Below 0: in the pool, and nobody looked. infAP guesses from what was judged above.
    const pooled = new Map(
      ids.map((id) => [
        id,
        new Map([
          ["good", 1],
          ["bad", 0],
          ["seen", -1],
          ["other", -1],
        ]),
      ]),
    );
    const systems = [ranked(["bad", "seen", "good"]), ranked(["other", "good", "bad"])].map((run, index) => ({
      name: `r${index}`,
      run,
    }));
    const {
      comparisons: [found],
      per_query,
    } = compareSystems(systems, pooled, ["infAP"]);
    const score = (labels: readonly (readonly [string, number])[]): number => {
      const labelled = new Map(pooled).set("q0", new Map([...(pooled.get("q0") ?? []), ...labels]));
      const [a, b] = systems.map(
        ({ run }) => evaluate(run, labelled, ["infAP"]).score("q0", "infAP") ?? NaN,
      ) as [number, number];
      return b - a;
    };
    const impacts = found?.judge_next
      .filter(({ query_id }) => query_id === "q0")
      .map(({ item, impact }) => [item, impact]);
    expect(impacts).toHaveLength(2);
    expect(impacts).toEqual(
      impacts?.map(([item]) => [item, expect.closeTo(score([[item as string, 1]]) - score([]), 12)]),
    );
    expect(per_query[0]?.rankings?.[0]?.[1]).toEqual({ id: "seen", grade: null });
  });
  it("does not speak of unjudged hits where conventions make them something else", () => {
    const { comparisons } = compareSystems(
      [
        { name: "a", run: before },
        { name: "b", run: after },
      ],
      qrels,
      ["RR"],
      { unjudged: "remove" },
    );
    expect(comparisons[0]?.verdict.unjudged).toBeNull();
  });
  it(
    "has bounds where gains add up, or where nothing but a run's own hits moves its score; a label " +
      "makes the pool of AP larger",
    () => {
      const bounds = (metric: string): unknown =>
        compareSystems(
          [
            { name: "a", run: before },
            { name: "b", run: after },
          ],
          qrels,
          [metric],
        ).comparisons[0]?.verdict.unjudged?.bounds;
      // "new" at rank 3 of the baseline, after a good one; "other" at the top of three runs: from 1/2 to 1 in
      // three of six.
      expect([bounds("RR"), bounds("P@3"), bounds("AP")]).toEqual([
        { low: 0.25, high: 0.5 },
        { low: -1 / 6, high: 1 / 3 },
        null,
      ]);
    },
  );
  it("takes the times of recorded runs as they come with the system", () => {
    const latency = { mean: 5, p50: 4, p95: 9, max: 12 };
    const { comparisons, runs } = compareSystems(
      [
        { name: "a", run: before },
        { name: "b", run: after, latency },
      ],
      qrels,
      ["RR"],
      { maxP95Ms: 8 },
    );
    expect(runs[1]?.latency_ms).toEqual(latency);
    expect(comparisons[0]?.verdict).toMatchObject({
      kind: "worse",
      latency: { p95_a: null, p95_b: 9, limit: 8, is_held: false },
    });
  });
  it(
    "a run of a profile that leaves unanswered queries out answers, however few those are that it " + "does",
    () => {
      const [one, none] = [new Map([["q0", ["good"]]]), new Map<string, string[]>()];
      const tables = [before, one, none].map((run, index) =>
        tableOfEvaluation(evaluate(run, qrels, ["RR"], { queries: "intersection" }), `r${index}`),
      );
      expect(tables.map(({ isAnswering }) => isAnswering)).toEqual([true, true, false]);
      expect(tables[1]?.warnings).toMatchObject([
        {
          code: "MISSING_QUERIES",
          message: "5 of 6 judged queries have no result and are left out of its means",
          count: 5,
        },
      ]);
      expect(tableOfEvaluation(evaluate(one, qrels, ["RR"])).warnings).toMatchObject([
        { message: "5 of 6 judged queries have no result and count as 0" },
      ]);
      const four = new Map([...after].slice(0, 5));
      expect(
        compareSystems(
          [
            { name: "before", run: new Map([...before].slice(0, 5)) },
            { name: "after", run: four },
          ],
          qrels,
          ["RR"],
          { profile: "trec_eval" },
        ).comparisons[0]?.verdict.kind,
      ).toBe("inconclusive");
    },
  );
  it("what is found is what stands within the cutoff of the first metric that is compared", () => {
    const { per_query } = compareSystems(
      [
        { name: "a", run: before },
        { name: "b", run: after },
      ],
      qrels,
      ["GMAP", "RR@1"],
    );
    expect(per_query[0]?.expected?.[0]?.runs.map(({ rank, fate }) => [rank, fate])).toEqual([
      [2, "cut_off"],
      [1, "found"],
    ]);
  });
  it("leaves metrics out that are no means of scores", () => {
    expect(
      compareSystems(
        [
          { name: "a", run: before },
          { name: "b", run: after },
        ],
        qrels,
        ["RR", "NumRet", "GMAP"],
      ).metrics,
    ).toEqual(["RR"]);
  });
});

describe("stored evaluations", () => {
  const record = (run: string, list: readonly string[]) => ({
    ...evaluate(ranked(list), qrels, ["RR"]).record({ perQuery: true }),
    run,
  });
  it("are compared by their queries' scores", () => {
    const { comparisons } = compareScores([
      tableOfRecord(record("a", ["bad", "good"])),
      tableOfRecord(record("b", ["good"])),
    ]);
    // Six queries, each from 1/2 to 1: p = 2 / 2^6.
    expect(comparisons[0]?.metrics[0]).toMatchObject({
      difference: 0.5,
      p: 0.03125,
      is_exact: true,
      improved: 6,
    });
  });
  it("have no metrics that are no means: a sum is none, though it is stored beside them", () => {
    const stored = evaluate(ranked(["bad", "good"], ["good"]), qrels, ["NumRet", "GMAP", "RR", "P@5"]).record(
      { perQuery: true },
    );
    expect(stored.metrics).toMatchObject({ NumRet: 9 });
    const { metrics, columns, means } = tableOfRecord(stored);
    // 3 x 1/2 and 3 x 1 over six.
    expect({
      names: metrics.map(({ name }) => name),
      scores: columns.map((column) => Array.from(column).slice(0, 2)),
      RR: means?.["RR"],
    }).toEqual({
      names: ["RR", "P@5"],
      scores: [
        [0.5, 1],
        [0.2, 0.2],
      ],
      RR: 0.75,
    });
  });
  it("without them are an error that says what to do", () => {
    expect(() => tableOfRecord({ ...record("a", ["good"]), per_query: null })).toThrow(
      "the evaluation of `a` was stored without the scores of its queries; make it again with " +
        "`evaluate --json --per-query`",
    );
  });
});

describe("compareSeveralRuns", () => {
  const golden = ids.map((id) => query(id, { expected_chunk_ids: ["d#1"], lang: id < "q3" ? "en" : "ko" }));
  const run = (name: string, rank: number) =>
    aRun({
      run_id: name,
      results: ids.map((id) =>
        result(
          id,
          Array.from({ length: rank }, (_, at) => hit(at === rank - 1 ? "d#1" : `x#${at}`, at + 1)),
        ),
      ),
    });

  it("of two is what compareRuns says", () => {
    expect(compareSeveralRuns([run("a", 2), run("b", 1)], golden)).toEqual(
      compareRuns(run("a", 2), run("b", 1), golden).statistics,
    );
  });
  it("of three has every run against the first, and against every other", () => {
    const { comparisons, all_pairs, runs } = compareSeveralRuns(
      [run("a", 2), run("b", 1), run("c", 4)],
      golden,
      { metrics: [parseMetric("RR")] },
    );
    expect(runs.map(({ means }) => means["RR"])).toEqual([0.5, 1, 0.25]);
    expect(
      comparisons.map(({ run: name, verdict, slices }) => [
        name,
        verdict.primary,
        slices.map(({ by, value }) => `${by}=${value}`),
      ]),
    ).toEqual([
      ["b", "RR", ["lang=en", "lang=ko"]],
      ["c", "RR", ["lang=en", "lang=ko"]],
    ]);
    expect(all_pairs?.map(({ run_a, run_b, difference }) => [run_a, run_b, difference])).toEqual([
      ["a", "b", 0.5],
      ["a", "c", -0.25],
      ["b", "c", -0.75],
    ]);
  });
  it("refuses two runs of one name, but for a run against itself", () => {
    expect(() => compareSeveralRuns([run("a", 1), run("b", 1), run("a", 2)], golden)).toThrow(
      "two runs are called `a`; give each a name of its own",
    );
    expect(compareSeveralRuns([run("a", 1), run("a", 2)], golden).runs.map(({ run: name }) => name)).toEqual([
      "a (a)",
      "a (b)",
    ]);
  });
});

describe("rankingAgreement", () => {
  it("is 1 for the same rankings, 0 for others, those that changed most first", () => {
    const a = new Map([
      ["same", ["x", "y", "z"]],
      ["other", ["x", "y"]],
      ["only a", ["x"]],
    ]);
    const b = new Map([
      ["same", ["x", "y", "z"]],
      ["other", ["p", "q"]],
    ]);
    const agreement = rankingAgreement({ name: "a", run: a }, { name: "b", run: b }, { cutoff: 2 });
    expect(agreement.per_query).toEqual([
      {
        query_id: "only a",
        rbo: 0,
        jaccard: 0,
        kendall_tau: null,
        tau_ap: null,
        hits_a: 1,
        hits_b: 0,
        shared: 0,
      },
      {
        query_id: "other",
        rbo: 0,
        jaccard: 0,
        kendall_tau: null,
        tau_ap: null,
        hits_a: 2,
        hits_b: 2,
        shared: 0,
      },
      { query_id: "same", rbo: 1, jaccard: 1, kendall_tau: 1, tau_ap: 1, hits_a: 3, hits_b: 3, shared: 3 },
    ]);
    // The mean of 0, 0 and 1.
    expect(agreement.means).toEqual({ rbo: 0.3333, jaccard: 0.3333, kendall_tau: 1, tau_ap: 1 });
    expect(rankingAgreementSchema.parse(JSON.parse(JSON.stringify(agreement)))).toEqual(agreement);
  });
  it("two empty rankings are the same", () => {
    const agreement = rankingAgreement(
      { name: "a", run: new Map([["q", []]]) },
      { name: "b", run: new Map([["q", []]]) },
    );
    expect(agreement.per_query).toMatchObject([{ rbo: 1, jaccard: 1, kendall_tau: null, shared: 0 }]);
  });
});
