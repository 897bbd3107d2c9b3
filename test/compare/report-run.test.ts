import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compareRuns,
  compareSeveralRuns,
  gate,
  computeAggregate,
  evaluate,
  reportRun,
  reportSystem,
  type ReportRunOptions,
} from "../../src/index.js";
import { type EvalRun, type GoldenQuery, readScore, metricRows } from "../../src/records/index.js";
import { runReportSchema } from "../../src/records/schema/index.js";
import { ndcg } from "../../src/metrics/index.js";
import { CHUNKS, evalRun, goldenSet, lawRuns } from "../support/arbitraries.js";
import { answer, aRun, hit, query, result } from "../support/records.js";

const FAST = { resamples: 200 };
const corpus = { chunks: CHUNKS };

/** Query n has its only relevant chunk at rank n; 0 leaves it out. */
function ranked(ranks: readonly number[]): { readonly run: EvalRun; readonly golden: GoldenQuery[] } {
  const ids = ranks.map((_, index) => `q${index}`);
  return {
    golden: ids.map((id) => query(id, { expected_chunk_ids: [`${id}#good`], lang: id < "q5" ? "ko" : "en" })),
    run: aRun({
      commit_hash: "0f1e2d3",
      results: ids.map((id, index) =>
        result(
          id,
          Array.from({ length: 30 }, (_, at) => hit(at + 1 === ranks[index] ? `${id}#good` : `${id}#x${at}`)),
        ),
      ),
    }),
  };
}

describe("a report on one run", () => {
  it(
    "has the aggregate's scores, each with an interval that holds it and lies within the " + "metric's range",
    () => {
      fc.assert(
        fc.property(goldenSet, evalRun, (golden, run) => {
          const options = { corpus, metrics: [ndcg({ cutoff: 10 })] };
          const aggregate = computeAggregate(run, golden, options);
          const report = reportRun(run, golden, { ...options, statistics: FAST });
          expect(report).toEqual(runReportSchema.parse(report));
          const rows = new Map(metricRows(aggregate).map((row) => [row.label, row]));
          for (const { metric, mean, queries, interval } of report.metrics) {
            const row = rows.get(metric);
            if (row !== undefined && metric !== "empty results") {
              expect([metric, mean]).toEqual([metric, readScore(row, aggregate)]);
              expect(queries).toBe(aggregate.support[row.support]);
            }
            if (queries < 5) expect(interval).toBeNull();
            if (interval === null) continue;
            const [low, high] = report.metric_cards[metric]?.range ?? [];
            expect(interval.low).toBeGreaterThanOrEqual(low as number);
            expect(interval.high).toBeLessThanOrEqual(high as number);
            expect(interval.low).toBeLessThanOrEqual((mean as number) + 1e-4);
            expect(interval.high).toBeGreaterThanOrEqual((mean as number) - 1e-4);
          }
          const { ranks, missed } = report.first_ranks;
          const relevant = report.per_query.filter(({ expected }) => (expected ?? []).length > 0);
          expect(ranks.reduce((sum, { queries }) => sum + queries, missed)).toBe(relevant.length);
        }),
        lawRuns(0.25),
      );
    },
  );
  it("counts the first relevant hits by rank, and what never came back", () => {
    const { run, golden } = ranked([1, 1, 2, 4, 5, 10, 11, 30, 0, 0]);
    const report = reportRun(run, golden, { statistics: FAST });
    expect(report.first_ranks).toEqual({
      ranks: [
        { from: 1, to: 1, queries: 2 },
        { from: 2, to: 2, queries: 1 },
        { from: 3, to: 3, queries: 0 },
        { from: 4, to: 5, queries: 2 },
        { from: 6, to: 10, queries: 1 },
        { from: 11, to: 20, queries: 1 },
        { from: 21, to: 50, queries: 1 },
      ],
      missed: 2,
    });
    expect(report.per_query.map(({ first_relevant }) => first_relevant)).toEqual(
      [1, 1, 2, 4, 5, 10, 11, 30, null, null].map((rank) => [rank]),
    );
    expect(report.run).toEqual({
      run: "run",
      created_at: "2026-05-01T09:00:00Z",
      commit_hash: "0f1e2d3",
      queries: 10,
      answered: 10,
    });
  });
  it("has slices, of each label the lowest mean first, with intervals from five queries on", () => {
    const { run, golden } = ranked([1, 2, 1, 2, 1, 0, 4, 0, 4, 0, 5]);
    const { slices, primary } = reportRun(run, golden, { statistics: FAST });
    expect(primary).toBe("MRR@10");
    expect(slices.map(({ by, value }) => `${by}=${value}`)).toEqual(["lang=en", "lang=ko"]);
    const [en, ko] = slices.map(({ metrics }) => metrics.find(({ metric }) => metric === primary));
    // q10 sorts before q5, so that ko has six.
    expect([en?.queries, ko?.queries]).toEqual([5, 6]);
    expect([en?.mean, ko?.mean]).toEqual([0.1, 0.7]);
    expect(en?.interval?.low).toBeGreaterThanOrEqual(0);
  });
  it("says what is wrong with an answer, what failed, and how long it took", () => {
    const golden = [
      query("a", { must_contain: ["yes"] }),
      query("b", { expected_refusal: true }),
      query("c", { expected_chunk_ids: ["d#1"] }),
    ];
    const run = aRun({
      results: [
        result("a", [], { answer: answer("no"), elapsed_ms: 12.5 }),
        result("b", [], { answer: answer("", { grounded: false }) }),
        result("c", [], { error: "timeout", elapsed_ms: null }),
      ],
    });
    const { per_query, failed_results } = reportRun(run, golden, { statistics: FAST });
    expect(per_query.map(({ answer: checks }) => checks)).toEqual([
      { refusal: null, text: false, citations: null },
      { refusal: true, text: null, citations: null },
      null,
    ]);
    expect(per_query.map(({ elapsed_ms }) => elapsed_ms)).toEqual([12.5, 1, null]);
    expect(per_query.map(({ errors }) => errors)).toEqual([undefined, undefined, ["timeout"]]);
    expect(failed_results).toMatchObject({ failed: 1, results: 3 });
  });
  it("what fails beside the golden set is a number of the run, everywhere, and decides nothing", () => {
    const { run, golden } = ranked([1, 2, 1, 1, 3, 1, 1, 2]);
    const failed = ["x", "y", "z"].map((id) => result(id, [], { error: "boom" }));
    const wider = aRun({ ...run, run_id: "wider", results: [...run.results, ...failed] });
    const rules = ["failed_queries == 3", "empty_result_rate == 0.2727"];
    const several = compareSeveralRuns([run, wider, { ...wider, run_id: "third" }], golden, {
      statistics: FAST,
    });
    for (const measured of [
      computeAggregate(wider, golden),
      reportRun(wider, golden, { statistics: FAST }),
      compareRuns(run, wider, golden, { statistics: FAST }),
      several,
    ])
      expect(gate(measured, rules)).toMatchObject({ passed: true });
    const { metrics } = reportRun(wider, golden, { statistics: FAST });
    expect(metrics.find(({ metric }) => metric === "empty results")).toEqual({
      metric: "empty results",
      queries: 11,
      mean: 0.2727,
      interval: null,
    });
    expect(several.runs[1]?.failed_results).toMatchObject({
      results: 11,
      failed: 3,
      compared: { results: 8, failed: 0 },
    });
    expect(several.comparisons.map(({ verdict }) => verdict.kind)).not.toContain("not_comparable");
  });
  it("looks for what the deciding metric is about, from grade 1 on", () => {
    const golden = [
      query("unit", { expected_chunk_ids: ["c#1"], expected_doc_ids: ["d"] }),
      query("zero", { expected_doc_ids: ["d"], judgments: [{ chunk_id: "c#9", grade: 0 }] }),
      query("half", { judgments: [{ doc_id: "d", grade: 0.5 }] }),
    ];
    const run = aRun({ results: golden.map(({ id }) => result(id, [hit("d#7"), hit("c#1")])) });
    const firsts = (options: ReportRunOptions): unknown[] =>
      reportRun(run, golden, { statistics: FAST, ...options }).per_query.map(
        ({ first_relevant }) => first_relevant?.[0],
      );
    expect(firsts({})).toEqual([2, 1, null]);
    expect(firsts({ metrics: [ndcg({ cutoff: 10 })], unit: "doc" })).toEqual([1, 1, null]);
    expect(firsts({ statistics: { ...FAST, primary: "doc recall@5" } })).toEqual([1, 1, null]);
  });
  it("judges fates at the cutoff of the primary metric, by whatever name it is given", () => {
    const { run, golden } = ranked([5]);
    for (const primary of ["hit@3", "hit_at_k.3"])
      expect(
        reportRun(run, golden, { statistics: { ...FAST, primary } }).per_query[0]?.expected?.[0]?.runs[0]
          ?.fate,
      ).toBe("cut_off");
  });
  it("does not count as missed what is left out of the means", () => {
    const { run, golden } = ranked([1, 1, 0]);
    const skipped = { ...run, results: run.results.slice(0, 2) };
    expect(reportRun(skipped, golden, { statistics: FAST }).first_ranks.missed).toBe(1);
    expect(reportRun(skipped, golden, { statistics: FAST, missingQueries: "skip" }).first_ranks.missed).toBe(
      0,
    );
  });
  it("refuses a label that no query has, and a metric that was not computed", () => {
    const { run, golden } = ranked([1]);
    expect(() => reportRun(run, golden, { statistics: { slices: ["colour"] } })).toThrow(
      "no query has a label",
    );
    expect(() => reportRun(run, golden, { statistics: { primary: "nDCG@10" } })).toThrow("was not computed");
  });
  it("against judgments has the digits of evaluate, also of metrics that are no means", () => {
    const qrels = new Map([
      [
        "q1",
        new Map([
          ["a", 2],
          ["b", 1],
        ]),
      ],
      ["q2", new Map([["c", 1]])],
      ["q3", new Map([["d", 0]])],
    ]);
    const run = new Map([
      [
        "q1",
        new Map([
          ["x", 9],
          ["b", 8],
          ["a", 7],
        ]),
      ],
      ["q2", new Map([["x", 3]])],
    ]);
    const metrics = ["nDCG@10", "AP", "num_rel_ret", "gm_map"];
    const report = reportSystem({ name: "mine", run }, qrels, metrics, FAST);
    expect(report).toEqual(runReportSchema.parse(report));
    const record = evaluate(run, qrels, metrics).record();
    expect(Object.fromEntries(report.metrics.map(({ metric, mean }) => [metric, mean]))).toEqual(
      record.metrics,
    );
    expect(report.first_ranks).toMatchObject({ missed: 1 });
    expect(report.per_query.find(({ query_id }) => query_id === "q1")).toMatchObject({
      first_relevant: [2],
      answer: null,
      elapsed_ms: null,
    });
    expect(report.run).toEqual({ run: "mine", queries: 3, answered: 2 });
  });
});
