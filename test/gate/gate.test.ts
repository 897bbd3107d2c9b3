import { describe, expect, it } from "vitest";
import { compareRuns, compareSeveralRuns, evaluate } from "../../src/index.js";
import { parseMetric } from "../../src/metrics/index.js";
import { gate, gateRuleKinds, type Gateable } from "../../src/gate/index.js";
import { gateReportSchema } from "../../src/records/schema/index.js";
import type {
  AggregateMetrics,
  MetricDifference,
  ScoreComparison,
  Verdict,
} from "../../src/records/index.js";
import {
  aDifference,
  anAggregate,
  anEvaluation,
  aQuery,
  aReport,
  aRunComparison,
  aScoreComparison,
  aSlice,
  aVerdict,
} from "../support/gated-results.js";
import { answer, aRun, hit, query, result } from "../support/records.js";
import { present } from "../support/present.js";

const one = (result: Gateable, rule: string) => present(gate(result, [rule]).rules[0]);
const passed = (result: Gateable, rule: string): boolean => gate(result, [rule]).passed;
const why = (result: Gateable, rule: string): string => one(result, rule).why;

/** A comparison whose difference of nDCG@10 is as given. */
const withDifference = (difference: Partial<MetricDifference>): ScoreComparison =>
  aScoreComparison({
    comparisons: [aRunComparison("after", { metrics: [aDifference("nDCG@10", difference)] })],
  });
const withVerdict = (verdict: Partial<Verdict>): ScoreComparison =>
  aScoreComparison({ comparisons: [aRunComparison("after", { verdict: aVerdict(verdict) })] });

describe("a bound", () => {
  it.each([
    ["empty_result_rate >= 0", "lower is better for empty_result_rate; was `empty_result_rate <= 0` meant?"],
    ["latency_ms.p95 >= 20", "lower is better for latency_ms.p95; was `latency_ms.p95 <= 20` meant?"],
    ["failed_queries >= 0", "lower is better for failed_queries; was `failed_queries <= 0` meant?"],
    ["empty results > 0.1", "lower is better for empty results; was `empty results <= 0.1` meant?"],
    ["empty_result_rate <= 0.1", undefined],
    ["empty_result_rate == 0", undefined],
    ["hit@5 >= 0", undefined],
    ["total_queries > 0", undefined],
  ])("is warned of where it is a floor and lower is better: %s", (rule, warning) => {
    expect(one(anAggregate({}), rule).warning).toBe(warning);
  });
  it("knows the direction of a metric from its card, in every kind of result", () => {
    const metric_cards = { Effort: { higher_is_better: false, range: [0, null] as const } };
    const comparison = aScoreComparison({ metric_cards });
    const aggregate = anAggregate({ metrics: { Effort: 3 }, metric_cards });
    expect(one(aggregate, "Effort > 2").warning).toContain("lower is better for Effort");
    const [baseline, after] = comparison.runs;
    const withEffort = { ...present(after), means: { Effort: 3 } };
    expect(one({ ...comparison, runs: [present(baseline), withEffort] }, "Effort > 2").warning).toContain(
      "lower is better for Effort",
    );
    expect(one({ ...anEvaluation(), metrics: { Effort: 3 }, metric_cards }, "Effort > 2").warning).toContain(
      "lower is better for Effort",
    );
  });
});

describe("the report of a gate", () => {
  it("has every rule as printed, its run, its value, whether it passed, and why", () => {
    const report = gate(aScoreComparison(), ["ndcg@10>=0.45", "no  loss of RR", "VERDICT IS better"]);
    expect(report).toEqual({
      schema_version: 1,
      passed: false,
      rules: [
        {
          rule: "ndcg@10 >= 0.45",
          run: "after",
          value: 0.45,
          passed: true,
          why: "nDCG@10 is 0.45, at least 0.45",
        },
        {
          rule: "no loss of RR",
          run: "after",
          value: 0.01,
          passed: true,
          why: "RR differs by +0.0100, no loss",
        },
        {
          rule: "verdict is better",
          run: "after",
          value: "worse",
          passed: false,
          why: "the verdict is worse: after is worse than before in nDCG@10",
        },
      ],
    });
    expect(gateReportSchema.parse(report)).toEqual(report);
  });
  it("holds each rule against every run but the baseline", () => {
    const run = (name: string, score: number) => ({
      run: name,
      means: { RR: score },
      queries: 40,
      latency_ms: null,
    });
    const report = gate(aScoreComparison({ runs: [run("base", 0.9), run("b", 0.5), run("c", 0.3)] }), [
      "RR >= 0.4",
    ]);
    expect(report.rules.map((rule) => [rule.run, rule.passed])).toEqual([
      ["b", true],
      ["c", false],
    ]);
    expect(report.passed).toBe(false);
  });
  it("fails where there is no run besides the baseline", () => {
    const alone = aScoreComparison({ runs: aScoreComparison().runs.slice(0, 1), comparisons: [] });
    expect(gate(alone, ["RR >= 0.4"])).toMatchObject({
      passed: false,
      rules: [{ run: null, value: null, why: "the comparison has no run besides the baseline" }],
    });
  });
  it("takes what becomes a result as JSON, such as an Evaluation", () => {
    const evaluation = evaluate(new Map([["q", ["a"]]]), new Map([["q", new Map([["a", 1]])]]), ["RR"]);
    expect(passed(evaluation, "RR == 1")).toBe(true);
  });
  it("is about results only", () => {
    expect(() => gate({ anything: 1 } as unknown as AggregateMetrics, ["RR >= 1"])).toThrow(
      'a gate is about an aggregate, an evaluation, a report on a run, or a comparison, got `{"anything":1}`',
    );
    expect(() => gate(null as unknown as AggregateMetrics, ["RR >= 1"])).toThrow("got `null`");
  });
});

describe("floors and ceilings", () => {
  it.each([
    ["nDCG@10 >= 0.45", true],
    ["nDCG@10 > 0.45", false],
    ["nDCG@10 > 0.4499", true],
    ["nDCG@10 == 0.45", true],
    ["nDCG@10 <= 0.45", true],
    ["nDCG@10 < 0.45", false],
    ["nDCG@10 >= 0.4501", false],
    ["NDCG@10 >= 0.45", true],
    ["ndcg_cut_10 >= 0.45", true],
    ["metrics.nDCG@10 >= 0.45", true],
    ["RBP(p=0.8) == 0.3", true],
    ["metrics.RBP(p=0.8) == 0.3", true],
    ["hit@5 >= 0.8", true],
    ["hit_at_k.5 >= 0.8", true],
    ["hit_at_k.10 >= 0.8", false],
    ["MRR@10 == 0.6", true],
    ["mrr == 0.6", true],
    ["doc recall@5 == 0.9", true],
    ["recall_at_k_doc.5 == 0.9", true],
    ["empty results <= 0.02", true],
    ["empty_result_rate <= 0.02", true],
    ["latency_ms.p95 <= 200", true],
    ["latency_ms.p95 <= 180", false],
    ["failed_queries == 0", false],
    ["failed_queries < 2", true],
    ["missing_queries.length == 0", true],
    ["support.mrr >= 40", true],
  ])("of an aggregate: %s is %j", (rule, expected) => expect(passed(anAggregate(), rule)).toBe(expected));

  it.each([
    ["nDCG@10 >= 0.45", true],
    ["MRR >= 0.6", true],
    ["RR > 0.6", false],
    ["counts.unjudged_hits <= 12", true],
    ["counts.missing_queries == 0", true],
  ])("of an evaluation: %s is %j", (rule, expected) => expect(passed(anEvaluation(), rule)).toBe(expected));

  it.each([
    ["nDCG@10 >= 0.45", 0.45],
    ["latency_ms.p95 <= 200", 180.5],
    ["queries >= 40", 40],
  ])("of a comparison are about the candidate: %s finds %j", (rule, value) =>
    expect(one(aScoreComparison(), rule)).toMatchObject({ value, passed: true, run: "after" }),
  );

  it("of a report are about run b, and find what only the statistics have", () => {
    const report = aReport({ statistics: aScoreComparison() });
    expect(one(report, "hit@5 >= 0.8")).toMatchObject({ value: 0.8, run: "after", passed: true });
    expect(one(report, "RR == 0.51")).toMatchObject({ value: 0.51, passed: true });
    // 0.45 in both; the aggregate is asked first.
    expect(one(report, "nDCG@10 == 0.45").passed).toBe(true);
  });
  it.each(["hit@5", "hit_at_k.5"])("have all names of a field in a comparison, too: %s", (name) => {
    const means = { "hit@5": 0.9 };
    const result = aScoreComparison({
      runs: [
        { run: "a", means, queries: 9, latency_ms: null },
        { run: "b", means, queries: 9, latency_ms: null },
      ],
      comparisons: [aRunComparison("b", { metrics: [aDifference("hit@5", { difference: 0 })] })],
    });
    expect(one(result, `${name} >= 0.9`)).toMatchObject({ passed: true, why: "hit@5 is 0.9, at least 0.9" });
    expect(passed(result, `no loss of ${name}`)).toBe(true);
  });
  it("have no surprises of binary fractions", () => {
    expect(passed(anEvaluation({ metrics: { RR: 0.1 + 0.2 } }), "RR == 0.3")).toBe(true);
    expect(passed(anEvaluation({ metrics: { RR: 0.1 + 0.2 } }), "RR <= 0.3")).toBe(true);
  });
});

describe("absence is not a pass", () => {
  it.each([
    ["citation_coverage >= 0", "`citation_coverage` was not measured"],
    // Null, and 0 of 0 although the field is 0.
    ["groundedness <= 1", "`groundedness` was not measured"],
    ["groundedness == 0", "`groundedness` was not measured"],
    ["refusal correctness <= 1", "`refusal correctness` was not measured"],
    ["nDCG@5 <= 1", "`nDCG@5` is not in the result; did you mean `nDCG@10`? `-m nDCG@5` scores it, too"],
    ["hits@5 >= 0", "`hits@5` is not in the result; did you mean `hit@5` or `hit@1` or `hit@3`?"],
    [
      "latency_ms <= 200",
      "`latency_ms` is not a number; it has `latency_ms.mean`, `latency_ms.p50`, `latency_ms.p95`, " +
        "`latency_ms.max`",
    ],
    ["latency_ms.p99 <= 200", "`latency_ms.p99` is not in the result; did you mean `latency_ms.p"],
    ["failed_querys == 0", "`failed_querys` is not in the result; did you mean `failed_queries`?"],
    ["missing_queries <= 1", "`missing_queries` is not a number"],
  ])("%s: %s", (rule, expected) => {
    expect(one(anAggregate(), rule)).toMatchObject({ value: null, passed: false });
    expect(why(anAggregate(), rule)).toContain(expected);
  });
  it("holds for latency without times, scores over no query, and numbers that are none", () => {
    expect(why(anAggregate({ latency_ms: null }), "latency_ms.p95 <= 200")).toBe(
      "`latency_ms.p95` was not measured",
    );
    expect(why(anEvaluation({ counts: { ...anEvaluation().counts, queries: 0 } }), "RR <= 1")).toBe(
      "`RR` was not measured",
    );
    expect(why(anEvaluation({ metrics: { RR: NaN } }), "RR <= 1")).toBe("`RR` was not measured");
    expect(
      why(
        aScoreComparison({
          runs: [
            present(aScoreComparison().runs[0]),
            { run: "after", means: { RR: null }, queries: 40, latency_ms: null },
          ],
        }),
        "RR <= 1",
      ),
    ).toBe("`RR` was not measured");
    expect(why(anEvaluation({ metrics: {} }), "RR <= 1")).toBe(
      "`RR` is not in the result; there are no scores; `-m RR` scores it, too",
    );
  });
  it.each([
    "__proto__",
    "constructor.name",
    "constructor",
    "toString",
    "metrics.__proto__",
    "support.constructor.length",
    "hasOwnProperty.length",
    "__proto__.constructor.length",
    "missing_queries.constructor.length",
  ])("no name reaches a prototype: %s", (name) => {
    for (const result of [anAggregate(), anEvaluation(), aScoreComparison(), aReport()]) {
      expect(one(result, `${name} >= 0`)).toMatchObject({ value: null, passed: false });
      expect(passed(result, `no loss of ${name}`)).toBe(false);
    }
  });
  it("finds scores of hostile names, where they are really there", () => {
    const record = anEvaluation({
      metrics: JSON.parse('{"__proto__": 0.5, "constructor": 0.4}') as Record<string, number>,
    });
    expect(passed(record, "__proto__ == 0.5")).toBe(true);
    expect(passed(record, "constructor == 0.4")).toBe(true);
  });
  it.each([
    "no loss of RR",
    "no significant loss of RR",
    "RR within 1 of the baseline",
    "at most 99 regressions",
    "at most 99 losses",
    "at most 100% worse queries of RR",
    "verdict is not worse",
    "no slice worse",
    "unjudged cannot overturn",
  ])("a rule about the baseline fails for a single run: %s", (rule) => {
    for (const result of [anAggregate(), anEvaluation()])
      expect(one(result, rule)).toMatchObject({
        value: null,
        passed: false,
        why: "needs a baseline: this is the result of one run, not a comparison",
      });
  });
  it.each([
    "no loss of RR",
    "no significant loss of RR",
    "RR within 1 of the baseline",
    "at most 99 regressions",
    "at most 100% worse queries of RR",
    "verdict is not worse",
    "no slice worse",
    "unjudged cannot overturn",
  ])("a rule about the baseline fails for runs that are not comparable: %s", (rule) => {
    const result = withVerdict({ kind: "not_comparable", headline: "different golden sets" });
    expect(one(result, rule)).toMatchObject({
      value: null,
      passed: false,
      why: "the verdict is not_comparable: different golden sets",
    });
    expect(passed(aReport({ statistics: result }), rule)).toBe(false);
  });
  it("a floor of a run that is not comparable is held against the run alone", () =>
    expect(passed(withVerdict({ kind: "not_comparable" }), "nDCG@10 >= 0.45")).toBe(true));
  it.each([
    "no significant loss of hit@5",
    "at most 100% worse queries of hit@5",
    "verdict is not worse",
    "no slice worse",
    "unjudged cannot overturn",
  ])("a rule about statistics fails for a report without: %s", (rule) => {
    expect(one(aReport(), rule)).toMatchObject({
      value: null,
      passed: false,
      why: "the report has no statistics",
    });
  });
  it("a comparison that misses its row says so", () => {
    expect(why(aScoreComparison({ comparisons: [] }), "verdict is not worse")).toBe(
      "the report has no statistics",
    );
    expect(why(aScoreComparison(), "no loss of RR@5")).toBe(
      "`RR@5` is not in the result; did you mean `RR`? `-m RR@5` scores it, too",
    );
    expect(why(withDifference({ difference: null }), "no loss of nDCG@10")).toBe(
      "`nDCG@10` was not measured in both runs",
    );
  });
});

describe("losses against the baseline", () => {
  it.each([
    ["no loss of RR", true],
    ["no loss of MRR", true],
    ["no loss of nDCG@10", false],
    ["at most 0.05 loss of nDCG@10", true],
    ["at most 0.0499 loss of nDCG@10", false],
    ["nDCG@10 within 0.05 of the baseline", true],
    ["nDCG@10 within 0.04 of baseline", false],
    ["RR within 0.01 of the baseline", true],
    // A gain is a distance, too.
    ["RR within 0.005 of the baseline", false],
  ])("%s is %j", (rule, expected) => expect(passed(aScoreComparison(), rule)).toBe(expected));

  it("of a report without statistics are those of its deltas, by any name", () => {
    for (const name of ["hit@5", "hit_at_k.5"]) {
      expect(one(aReport(), `no loss of ${name}`)).toMatchObject({
        value: -0.1,
        passed: false,
        why: "hit@5 differs by -0.1000, a loss",
      });
      expect(passed(aReport(), `at most 0.1 loss of ${name}`)).toBe(true);
    }
    expect(passed(aReport(), "no loss of mrr")).toBe(true);
    expect(why(aReport(), "no loss of groundedness")).toBe("`groundedness` was not measured in both runs");
    expect(why(aReport(), "no loss of hit@7")).toContain("is not in the result; did you mean");
  });
  it("follow the direction of the metric", () => {
    const report = aReport({ deltas: { ...aReport().deltas, empty_result_rate: 0.02 } });
    expect(passed(report, "no loss of empty_result_rate")).toBe(false);
    expect(
      passed(
        aReport({ deltas: { ...aReport().deltas, empty_result_rate: -0.02 } }),
        "no loss of empty results",
      ),
    ).toBe(true);
    const lower = aScoreComparison({
      metric_cards: { "nDCG@10": { higher_is_better: false, range: [0, 1] } },
    });
    expect(passed(lower, "no loss of nDCG@10")).toBe(true);
    expect(passed(lower, "no significant loss of nDCG@10")).toBe(true);
  });
  it.each([
    [{ difference: -0.05, p_adjusted: 0.01 }, false],
    [{ difference: -0.05, p_adjusted: 0.0499 }, false],
    [{ difference: -0.05, p_adjusted: 0.05 }, true],
    [{ difference: 0.05, p_adjusted: 0.001 }, true],
    [{ difference: 0, p_adjusted: 1 }, true],
    // 0 at four decimals, and yet sure.
    [{ difference: 0, p_adjusted: 0.001, interval: { low: -0.00004, high: -0.00001 } }, false],
    [{ difference: 0, p_adjusted: 0.001, interval: { low: -0.00004, high: 0.00001 } }, true],
    // Not tested, although p by itself is there: a gain needs no test.
    [{ difference: -0.05, p_adjusted: null }, false],
    [{ difference: 0.05, p_adjusted: null, interval: null }, true],
    [{ difference: 0.05, p_adjusted: null, interval: null, pairs: 4 }, false],
  ])("no significant loss: %j is %j", (difference, expected) =>
    expect(passed(withDifference(difference), "no significant loss of nDCG@10")).toBe(expected),
  );
  it("not worse by: an interval that ends at the bound but for rounding keeps to it", () => {
    const interval = { low: -0.4 - 2 ** -54, high: 0.1 };
    expect(passed(withDifference({ difference: -0.1, interval }), "nDCG@10 not worse by 0.4")).toBe(true);
    expect(passed(withDifference({ difference: -0.1, interval }), "nDCG@10 not worse by 0.3999")).toBe(false);
  });
  it("say what was found", () => {
    expect(why(aScoreComparison(), "no significant loss of nDCG@10")).toBe(
      "nDCG@10 differs by -0.0500, p = 0.0100: a loss that is significant at 0.05",
    );
    expect(why(withDifference({ p_adjusted: 0.2 }), "no significant loss of nDCG@10")).toBe(
      "nDCG@10 differs by -0.0500, p = 0.2000: a loss that is not significant at 0.05",
    );
    expect(why(withDifference({ p_adjusted: 0.0000099999 }), "no significant loss of nDCG@10")).toBe(
      "nDCG@10 differs by -0.0500, p < 0.0001: a loss that is significant at 0.05",
    );
    expect(one(withDifference({ is_opposed: true }), "no significant loss of nDCG@10")).toMatchObject({
      passed: true,
      why: "nDCG@10 differs by -0.0500, p = 0.0100: a loss, but the randomization test points the other way",
    });
    expect(why(aScoreComparison(), "at most 0.01 loss of nDCG@10")).toBe(
      "nDCG@10 differs by -0.0500, a loss of more than 0.01",
    );
    expect(why(aScoreComparison(), "at most 0.1 loss of nDCG@10")).toBe(
      "nDCG@10 differs by -0.0500, a loss that is allowed",
    );
  });
  it("of a report look into its statistics first, by any of the metric's names", () => {
    const statistics = aScoreComparison({
      comparisons: [
        aRunComparison("after", {
          metrics: [aDifference("hit_at_k.5", { difference: -0.1, p_adjusted: 0.9 })],
        }),
      ],
    });
    expect(passed(aReport({ statistics }), "no significant loss of hit@5")).toBe(true);
  });
});

describe("a loss in queries that one run alone has a score for", () => {
  const ids = Array.from({ length: 12 }, (_, at) => `q${at}`);
  const golden = ids.map((id) => query(id, { must_contain: ["yes"] }));
  const run = (run_id: string, textOf: (at: number) => string | null) =>
    aRun({
      run_id,
      results: ids.map((id, at) => {
        const text = textOf(at);
        return result(id, [], text === null ? {} : { answer: answer(text) });
      }),
    });
  const steady = (at: number): string => (at < 6 ? "yes" : "no");
  const [a, b, c] = [
    run("a", steady),
    run("b", (at) => (at < 5 ? null : at === 5 ? "yes" : "no")),
    run("c", steady),
  ] as const;
  const ofTwo = compareRuns(a, b, golden);
  const ofThree = compareSeveralRuns([a, b, c], golden);
  it.each([
    "no loss of text checks",
    "at most 0.1 loss of text checks",
    "text checks within 0.1 of the baseline",
    "text checks not worse by 0.1",
  ])("is one beside a third run, too: %s", (rule) => {
    const [two, three] = [gate(ofTwo, [rule]), gate(ofThree, [rule])];
    expect([two.passed, three.passed]).toEqual([false, false]);
    expect(three.rules.map(({ passed }) => passed)).toEqual([false, true]);
    expect(three.rules[0]?.why).toBe(two.rules[0]?.why);
  });
});

describe("counts of queries", () => {
  it.each([
    ["at most 1 regression", true, 1],
    ["at most 0 regressions", false, 1],
    // Regressions are losses, too.
    ["at most 2 losses", true, 2],
    ["at most 1 loss", false, 2],
  ])("of a report and of a comparison: %s is %j", (rule, expected, value) => {
    for (const result of [aReport(), aScoreComparison()])
      expect(one(result, rule)).toMatchObject({ passed: expected, value });
  });
  it("say how many", () =>
    expect(why(aReport(), "at most 1 loss")).toBe("2 queries got worse, 1 of them lost everything; 1 may"));
  it("a score that is missing was lost; a fall within the tolerance is none", () => {
    const result = aScoreComparison({
      per_query: [
        aQuery("gone", [[0.5], [null]]),
        aQuery("new", [[null], [0.5]]),
        aQuery("little", [[0.3], [0.29]]),
      ],
    });
    expect(one(result, "at most 1 regression")).toMatchObject({ value: 1, passed: true });
    expect(one(result, "at most 2 losses")).toMatchObject({ value: 2, passed: true });
    // 0.3 - 0.29 is 0.010000000000000009 in binary.
    expect(
      one({ ...result, settings: { ...result.settings, tolerance: 0.01 } }, "at most 1 loss"),
    ).toMatchObject({ value: 1, passed: true });
  });
  it("of a metric that is better when lower count falls to its highest value", () => {
    const result = aScoreComparison({
      metric_cards: { "nDCG@10": { higher_is_better: false, range: [0, 1] } },
      per_query: [aQuery("lost", [[0.5], [1]]), aQuery("better", [[0.5], [0]])],
    });
    expect(one(result, "at most 1 regression").value).toBe(1);
    expect(one(result, "at most 1 loss").value).toBe(1);
  });
  it("are of a report's first hits and of its primary metric: what either shows got worse", () => {
    const both = [0, 1, 2, 3, 4].map((id) => `q${id}`);
    const golden = [
      ...both.map((id) => query(id, { expected_chunk_ids: [`high-${id}`, `low-${id}`] })),
      query("judged", { judgments: [{ chunk_id: "c", grade: 1 }] }),
    ];
    const found = (id: string, chunks: readonly string[]) =>
      result(
        id,
        chunks.map((chunk, at) => hit(chunk, at + 1)),
      );
    const before = [...both.map((id) => found(id, [`high-${id}`, `low-${id}`])), found("judged", ["c"])];
    const after = [...both.map((id) => found(id, [`low-${id}`, "x"])), found("judged", ["x"])];
    const report = compareRuns(
      aRun({ run_id: "a", results: before }),
      aRun({ run_id: "b", results: after }),
      golden,
      { metrics: [parseMetric("nDCG@10")] },
    );
    expect(report.counts).toMatchObject({ loss: 0, regression: 0 });
    expect(why(report, "at most 0 losses")).toBe("6 queries got worse, 1 of them lost everything; 0 may");
    expect(one(report, "at most 0 regressions").value).toBe(1);
  });
  it("warn where chunks were matched by their documents alone", () => {
    expect(one(aReport(), "at most 1 regression")).not.toHaveProperty("warning");
    expect(one(aReport({ fallback_queries: 3 }), "at most 1 regression")).toMatchObject({
      passed: true,
      warning: "3 queries had an expected chunk of unknown place, for which any hit in its document counts",
    });
  });
  it("of failed results have one name in all results", () => {
    const failed = { failed: 2, results: 40, failures: [] };
    const [baseline, run] = aScoreComparison().runs;
    const runs = [present(baseline), { ...present(run), failed_results: failed }];
    expect(one(aScoreComparison({ runs }), "failed_queries == 2").passed).toBe(true);
    expect(one(aScoreComparison({ runs }), "failed_results.failed == 2").passed).toBe(true);
  });
  it("are of answers that got worse, in a report where both runs have any", () => {
    const judged = { ...anAggregate().support, groundedness: 40 };
    const [, fell] = aReport().per_query;
    const report = aReport({
      aggregate_a: anAggregate({ support: judged }),
      aggregate_b: anAggregate({ support: { ...judged, groundedness: 1 } }),
      per_query: [{ ...present(fell), answer_lost: ["text", "citations"] }, present(fell)],
    });
    expect(one(report, "at most 1 worse answer")).toMatchObject({ value: 1, passed: true });
    expect(one(report, "at most 0 worse answers")).toMatchObject({ value: 1, passed: false });
    expect(why(report, "at most 0 worse answers")).toBe("1 answer got worse; 0 may");
    const old = { ...present(fell), answer_lost: undefined };
    const kept = { ...report, per_query: [...report.per_query, old] };
    expect(one(kept, "at most 99 worse answers").passed).toBe(false);
    expect(why(kept, "at most 99 worse answers")).toBe(
      "the report does not say which answers got worse; make it anew",
    );
    const code = "CITATIONS_NOT_CHECKED";
    const unchecked = { ...report.aggregate_b, warnings: [{ code, message: "no chunks" }] };
    expect(one({ ...report, aggregate_b: unchecked }, "at most 1 worse answer").warning).toMatch(
      /^citations were not checked/,
    );
    expect(one(report, "at most 1 worse answer").warning).toBeUndefined();
    const silent = { ...report, aggregate_b: anAggregate({ support: { ...judged, groundedness: 0 } }) };
    expect(one(silent, "at most 99 worse answers").passed).toBe(false);
    expect(why(silent, "at most 99 worse answers")).toBe(
      "`after` has no answer that anything is expected of",
    );
    expect(why(aScoreComparison(), "at most 99 worse answers")).toBe(
      "answers are compared in a comparison of two recorded runs only",
    );
  });
  it.each(["at most 1 loss of nDCG@10", "nDCG@10 not worse by 2", "nDCG@10 within 5 of the baseline"])(
    "are no rules where they allow anything: %s",
    (rule) => {
      expect(one(aScoreComparison(), rule)).toMatchObject({ value: null, passed: false });
      expect(why(aScoreComparison(), rule)).toMatch(
        /^two scores of nDCG@10 are never further apart than 1, so \d allows anything$/,
      );
    },
  );
  it("fail where nothing was compared", () => {
    expect(
      why(aReport({ counts: { win: 0, loss: 0, regression: 0, draw: 0 } }), "at most 2 regressions"),
    ).toBe("no query has a result in either run");
    expect(why(aScoreComparison({ per_query: [] }), "at most 2 regressions")).toBe(
      "no query has a score of nDCG@10 in both runs",
    );
    expect(
      why(
        aScoreComparison({ settings: { ...aScoreComparison().settings, primary: null } }),
        "at most 2 regressions",
      ),
    ).toBe("the comparison has no primary metric to count by");
  });
  it.each([
    ["at most 10% worse queries of nDCG@10", true],
    ["at most 9.99% worse queries of nDCG@10", false],
  ])("as a share, 4 of 40: %s is %j", (rule, expected) =>
    expect(one(aScoreComparison(), rule)).toMatchObject({ value: 10, passed: expected }),
  );
  it("a share of no queries is none", () =>
    expect(why(withDifference({ pairs: 0, worse: 0 }), "at most 10% worse queries of nDCG@10")).toBe(
      "nDCG@10 was not compared query by query",
    ));
});

describe("the verdict, slices and unjudged hits", () => {
  it.each([
    ["verdict is better", ["better"]],
    ["verdict is not worse", ["better", "equivalent", "inconclusive"]],
    ["verdict is better or equivalent", ["better", "equivalent"]],
    ["verdict is not worse or inconclusive", ["better", "equivalent"]],
  ])("%s passes for %j", (rule, expected) => {
    const kinds = ["better", "worse", "equivalent", "inconclusive", "not_comparable"] as const;
    expect(kinds.filter((kind) => passed(withVerdict({ kind }), rule))).toEqual(expected);
  });
  it.each([
    [
      "a significant loss",
      [aSlice("lang", "ko"), aSlice("lang", "en", { difference: 0.1 })],
      false,
      1,
      "1 of 2 slices has a significant loss of nDCG@10: `lang ko`",
    ],
    [
      "a loss by chance",
      [aSlice("lang", "ko", { p_adjusted: 0.3 })],
      true,
      0,
      "none of 1 slices has a significant loss of nDCG@10",
    ],
    [
      "a gain",
      [aSlice("lang", "en", { difference: 0.1 }), aSlice("lang", "xx", { p_adjusted: null })],
      true,
      0,
      "none of 1 slices has a significant loss of nDCG@10; 1 with too few queries or intents to test",
    ],
    [
      "a loss that is 0 at four decimals, and sure",
      [aSlice("lang", "en", { difference: 0, interval: { low: -0.00004, high: -0.00001 } })],
      false,
      1,
      "1 of 1 slices has a significant loss of nDCG@10: `lang en`",
    ],
    [
      "no tested slice",
      [aSlice("lang", "xx", { p_adjusted: null })],
      false,
      null,
      "none of the 1 slices has enough queries, or intents of theirs, to test nDCG@10",
    ],
    ["no slice", [], false, null, "the comparison has no slices"],
    [
      "another metric's loss",
      [aSlice("lang", "ko", { metric: "RR" }), aSlice("lang", "en", { difference: 0, interval: null })],
      true,
      0,
      "none of 1 slices has a significant loss of nDCG@10; 1 with too few queries or intents to test",
    ],
  ])("no slice worse: %s", (_, slices, expected, value, text) => {
    const result = aScoreComparison({ comparisons: [aRunComparison("after", { slices })] });
    expect(one(result, "no slice worse")).toMatchObject({ passed: expected, value, why: text });
  });
  it.each([
    ["no", true],
    ["yes", false],
    ["perhaps", false],
  ] as const)("unjudged cannot overturn: %s is %j", (could_overturn, expected) => {
    const unjudged = { could_overturn, bounds: null, unjudged_a: 3, unjudged_b: 5 };
    expect(one(withVerdict({ unjudged }), "unjudged cannot overturn")).toMatchObject({
      passed: expected,
      value: could_overturn,
    });
  });
  it("count one hit as one", () =>
    expect(
      why(
        withVerdict({ unjudged: { could_overturn: "no", bounds: null, unjudged_a: 1, unjudged_b: 5 } }),
        "unjudged cannot overturn",
      ),
    ).toContain("(1 unjudged hit in the baseline, 5 in the run)"));
  it("fail where the comparison does not say", () =>
    expect(why(withVerdict({ unjudged: null }), "unjudged cannot overturn")).toBe(
      "the comparison does not say what unjudged hits could change",
    ));
});

describe("a comparison of two runs", () => {
  // Every third of 30 queries falls from rank 1 to 5, and one more is lost.
  const ids = Array.from({ length: 30 }, (_, index) => `q${index}`);
  const golden = ids.map((id, index) =>
    query(id, { expected_chunk_ids: ["d#1"], lang: index % 2 === 0 ? "en" : "ko" }),
  );
  const run = (run_id: string, rankOf: (index: number) => number) =>
    aRun({
      run_id,
      results: ids.map((id, index) =>
        result(
          id,
          Array.from({ length: 10 }, (_, at) => hit(at + 1 === rankOf(index) ? "d#1" : `x#${at}`, at + 1)),
        ),
      ),
    });
  const report = compareRuns(
    run("before", () => 1),
    run("after", (index) => (index === 1 ? 99 : index % 3 === 0 ? 5 : 1)),
    golden,
  );

  it.each([
    // 29 of 30; 19 + 10 / 5 = 21 of 30.
    ["hit@5 == 0.9667", true],
    ["mrr == 0.7", true],
    ["no loss of hit@1", false],
    ["no significant loss of mrr", false],
    ["no significant loss of MRR@10", false],
    ["no significant loss of hit@5", true],
    ["hit_at_k.10 within 0.04 of the baseline", true],
    ["at most 1 regression", true],
    ["at most 10 losses", false],
    ["at most 11 losses", true],
    ["at most 36.6667% worse queries of mrr", true],
    ["verdict is worse", true],
    ["failed_queries == 0", true],
  ])("%s is %j", (rule, expected) => {
    expect(passed(report, rule)).toBe(expected);
    // What only the report knows is not asked of its statistics.
    if (!rule.startsWith("failed")) expect(passed(present(report.statistics), rule)).toBe(expected);
  });
});

describe("every kind of rule", () => {
  it.each(gateRuleKinds.flatMap(({ examples }) => [...examples]))(
    "%s finds something, or says why not, in every kind of result",
    (rule) => {
      for (const result of [
        anAggregate(),
        anEvaluation(),
        aScoreComparison(),
        aReport(),
        aReport({ statistics: aScoreComparison() }),
      ]) {
        const found = one(result, rule);
        expect(found.why).toMatch(/^\S.*\S$/);
        if (found.value === null) expect(found.passed).toBe(false);
      }
    },
  );
});
