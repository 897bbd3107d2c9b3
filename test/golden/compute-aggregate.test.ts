import { describe, expect, it } from "vitest";
import { computeAggregate, evaluate } from "../../src/index.js";
import { ndcg, parseMetric } from "../../src/metrics/index.js";
import { answer, aRun, hit, query, result } from "../support/records.js";

describe("records written as constants", () => {
  const GOLDEN = [
    {
      id: "q",
      category: "faq",
      query: "how?",
      expected_chunk_ids: ["d#1"],
      must_contain_any: ["so"],
    },
  ] as const;
  const RUN = {
    run_id: "r",
    suite: "s",
    created_at: "2026-01-01T00:00:00Z",
    config_snapshot: { models: ["a", "b"] },
    results: [{ query_id: "q", latency_ms: 1, hits_top_k: [{ chunk_id: "d#1", doc_id: "d", rank: 1 }] }],
  } as const;

  it("fit the types", () => {
    expect(computeAggregate(RUN, GOLDEN).mrr).toBe(1);
  });
});

describe("a grade below 0", () => {
  const METRICS = ["nDCG@10", "RnDCG", "AvgGrade@2", "Judged@2", "Bpref", "infAP", "Primary_Metric_Score"];
  it.each([
    [{ B: -1, A: 1 }, ["B", "A"]],
    [{ B: -1, A: 0 }, ["B", "A"]],
    [{ B: -1 }, ["B", "A"]],
    [{ B: -2, A: 2, C: 0, D: 1 }, ["C", "B", "X", "A"]],
  ])("is of an item that is not judged, as evaluate has it: %j", (grades, ids) => {
    const judgments = Object.entries(grades).map(([chunk_id, grade]) => ({ chunk_id, grade }));
    const run = aRun({
      results: [
        result(
          "q",
          ids.map((id, at) => hit(id, at + 1)),
        ),
      ],
    });
    const { metrics } = computeAggregate(run, [query("q", { judgments })], {
      metrics: METRICS.map((name) => parseMetric(name)),
    });
    const qrels = new Map([["q", new Map(Object.entries(grades))]]);
    const { aggregates } = evaluate(new Map([["q", ids]]), qrels, METRICS);
    expect(metrics).toEqual(
      Object.fromEntries(aggregates.map(({ metric, rounded }) => [metric.name, rounded])),
    );
  });
});

describe("chunks and documents", () => {
  it("precision divides by k, also when fewer hits came back: 1/1, 1/3, 1/5, 1/10", () => {
    const { precision_at_k_chunk } = computeAggregate(aRun({ results: [result("q", [hit("d#1")])] }), [
      query("q", { expected_chunk_ids: ["d#1"] }),
    ]);
    expect(precision_at_k_chunk).toEqual({ 1: 1, 3: 0.3333, 5: 0.2, 10: 0.1 });
  });
  it("a first hit at rank 11 is a hit nowhere and has no reciprocal rank", () => {
    const { hit_at_k, mrr } = computeAggregate(aRun({ results: [result("q", [hit("d#1", 11)])] }), [
      query("q", { expected_chunk_ids: ["d#1"] }),
    ]);
    expect([hit_at_k["10"], mrr]).toEqual([0, 0]);
  });
  it("queries without the field are skipped, queries without a result are not: 1 of 2", () => {
    const golden = [
      query("a", { expected_chunk_ids: ["d#1"] }),
      query("missing", { expected_chunk_ids: ["d#1"] }),
      query("unlabelled"),
    ];
    const run = aRun({ results: [result("a", [hit("d#1")]), result("unlabelled", [])] });
    const aggregate = computeAggregate(run, golden);
    expect(aggregate.mrr).toBe(0.5);
    expect(aggregate.support["mrr"]).toBe(2);
    expect(aggregate.missing_queries).toEqual(["missing"]);
    expect(computeAggregate(run, golden, { missingQueries: "skip" })).toMatchObject({
      mrr: 1,
      support: { mrr: 1 },
      missing_queries: ["missing"],
    });
  });
  it("document recall counts every expected document once: 2 of 3", () => {
    const { recall_at_k_doc } = computeAggregate(
      aRun({ results: [result("q", [hit("a#1"), hit("a#2"), hit("b#1")])] }),
      [query("q", { expected_doc_ids: ["a", "b", "c", "a"] })],
    );
    expect(recall_at_k_doc).toEqual({ 1: 0.3333, 3: 0.6667, 5: 0.6667, 10: 0.6667 });
  });
  it("a chunk listed twice counts at its best rank; its copy keeps its rank and is not relevant", () => {
    const aggregate = computeAggregate(
      aRun({ results: [result("q", [hit("d#1"), hit("d#1"), hit("d#2")])] }),
      [query("q", { expected_chunk_ids: ["d#1", "d#2"] })],
    );
    expect(aggregate.precision_at_k_chunk).toEqual({ 1: 1, 3: 0.6667, 5: 0.4, 10: 0.2 });
    expect(aggregate.warnings).toEqual([
      {
        code: "DUPLICATE_CHUNKS",
        message: "1 hit repeats a chunk at a better rank and counted as not relevant",
        count: 1,
        query_ids: ["q"],
      },
    ]);
  });
  it(
    "hits count by their ranks, whatever their order in the list; equal ranks keep it, with a " + "warning",
    () => {
      const golden = [query("q", { expected_chunk_ids: ["d#1"] })];
      expect(
        computeAggregate(aRun({ results: [result("q", [hit("d#9", 2), hit("d#1", 1)])] }), golden).mrr,
      ).toBe(1);
      const tied = computeAggregate(aRun({ results: [result("q", [hit("d#9", 1), hit("d#1", 1)])] }), golden);
      expect(tied.mrr).toBe(0.5);
      expect(tied.warnings.map(({ code }) => code)).toEqual(["TIED_RANKS"]);
    },
  );
  it("two hits at rank 1 cannot make a precision of 2", () => {
    const run = aRun({ results: [result("q", [hit("d#1", 1), hit("d#2", 1)])] });
    expect(
      computeAggregate(run, [query("q", { expected_chunk_ids: ["d#1", "d#2"] })]).precision_at_k_chunk,
    ).toEqual({ 1: 1, 3: 0.6667, 5: 0.4, 10: 0.2 });
  });
  it.each([0, -1, 1.5, NaN])("rank %d is an error, also outside the golden set", (rank) => {
    const message = "hit 1: rank must be a whole number from 1";
    expect(() =>
      computeAggregate(aRun({ results: [result("q", [hit("d#1", rank)])] }), [query("q")]),
    ).toThrow(message);
    expect(() =>
      computeAggregate(aRun({ results: [result("z", [hit("d#1", rank)])] }), [query("q")]),
    ).toThrow(message);
  });
  it("failed results stay in: with hits they count, without they are a miss and empty", () => {
    const golden = [query("a", { expected_chunk_ids: ["d#1"] }), query("b", { expected_chunk_ids: ["d#1"] })];
    const aggregate = computeAggregate(
      aRun({ results: [result("a", [hit("d#1")], { error: "late" }), result("b", [], { error: "down" })] }),
      golden,
    );
    expect(aggregate).toMatchObject({
      mrr: 0.5,
      empty_result_rate: 0.5,
      failed_queries: 2,
      total_queries: 2,
    });
  });
  it("a result outside the golden set counts in the totals only", () => {
    const aggregate = computeAggregate(
      aRun({ results: [result("q", [hit("d#1")]), result("zz", [], { error: "x" })] }),
      [query("q", { expected_chunk_ids: ["d#1"] })],
    );
    expect(aggregate).toMatchObject({
      mrr: 1,
      total_queries: 2,
      failed_queries: 1,
      empty_result_rate: 0.5,
      unmatched_results: ["zz"],
    });
  });
  it("a query id twice in one run is an error", () => {
    expect(() => computeAggregate(aRun({ results: [result("q", []), result("q", [])] }), [])).toThrow(
      "run `run`: query `q` has two results; keep one",
    );
  });
  it("a golden id twice is an error", () =>
    expect(() => computeAggregate(aRun(), [query("q"), query("q")])).toThrow(
      "golden query 2: id `q` is duplicated",
    ));
});

describe("answers", () => {
  const refusal = answer("I do not know", { grounded: false });
  const refuse = query("refuse", { expected_doc_ids: [] });

  it(
    "should refuse: an explicitly empty list, or said outright; never a query that does not " + "mention it",
    () => {
      const golden = [
        refuse,
        query("said", { expected_refusal: true, expected_doc_ids: ["d"] }),
        query("unlabelled"),
        query("denied", { expected_refusal: false, expected_doc_ids: [] }),
        query("chunks", { expected_doc_ids: [], expected_chunk_ids: ["c"] }),
      ];
      const run = aRun({ results: golden.map(({ id }) => result(id, [], { answer: refusal })) });
      expect(computeAggregate(run, golden)).toMatchObject({
        refusal_correctness: 1,
        support: { refusal_correctness: 2 },
      });
    },
  );
  it("a crash, a missing answer and a missing result are no refusals: 1 of 4", () => {
    const golden = ["a", "b", "c", "d"].map((id) => query(id, { expected_doc_ids: [] }));
    const run = aRun({
      results: [
        result("a", [], { answer: refusal }),
        result("b", [], { answer: refusal, error: "crashed" }),
        result("c", []),
      ],
    });
    expect(computeAggregate(run, golden)).toMatchObject({
      refusal_correctness: 0.25,
      support: { refusal_correctness: 4 },
    });
  });
  it("an answer without a text is an error that says where", () => {
    const results = [{ ...result("q", []), answer: { text: "yes" } as never }];
    expect(() => computeAggregate(aRun({ results }), [query("q", { must_contain: ["yes"] })])).toThrow(
      "run `run`: results[0].answer.answer must be a string, got `undefined`",
    );
  });

  it.each<[field: string, of: object, message: string]>([
    ...["900", -1, Infinity, NaN].map((elapsed_ms): [string, object, string] => [
      "elapsed_ms",
      { elapsed_ms },
      "results[0].elapsed_ms must be a number of milliseconds from 0, got `",
    ]),
    [
      "grounded",
      { answer: { answer: "a", grounded: "false" } },
      'results[0].answer.grounded must be true or false, got `"false"`',
    ],
    [
      "citations",
      { answer: { answer: "a", citations: ["d#1"] } },
      "results[0].answer.citations[0] must be an object, got `d#1`; give an object with `citation`",
    ],
    [
      "citation",
      { answer: { answer: "a", citations: [{ chunk_id: "d#1" }] } },
      "results[0].answer.citations[0].citation must be an object, got `undefined`",
    ],
    [
      "a cited page",
      { answer: { answer: "a", citations: [{ citation: { kind: "page", path: "d", page: "1" } }] } },
      'results[0].answer.citations[0].citation.page must be a number, got `"1"`',
    ],
    [
      "a place",
      {
        hits_top_k: [
          { chunk_id: "a", doc_id: "a", rank: 1, source_spans: [{ kind: "line", start: "9", end: 10 }] },
        ],
      },
      'results[0].hits_top_k[0].source_spans[0].start must be a number, got `"9"`',
    ],
    ["a failure", { error: false }, "results[0].error must be a string, got `false`"],
  ])("%s of another kind is an error that says where: %j", (_, more, message) => {
    const results = [{ ...result("q", []), ...more }];
    expect(() => computeAggregate(aRun({ results }), [query("q")])).toThrow(`run \`run\`: ${message}`);
  });
  it("spans and citations may have further fields of any kind", () => {
    const source_spans = [
      { kind: "line", start: 1, end: 2, page: "iv" },
      { kind: "caption", page: "iv" },
      { kind: "time", start_ms: 0, end_ms: 10, start: "00:00" },
    ];
    const hits_top_k = [{ chunk_id: "a", doc_id: "a", rank: 1, source_spans }];
    const cited = answer("a", { citations: [{ citation: { chunk_id: "a", page: "iv" } }] });
    const run = aRun({ results: [result("q", hits_top_k as never, { answer: cited })] });
    expect(() => computeAggregate(run, [query("q")])).not.toThrow();
  });
  it.each([
    [{ expected_refusal: "false" }, 'expected_refusal must be true or false, got `"false"`'],
    [{ must_contain: ["a", ""] }, "must_contain[1] must be a string that is not empty"],
    [{ expected_chunk_ids: [""] }, "expected_chunk_ids[0] must be a string that is not empty"],
    [{ query: 5 }, "query must be a string, got `5`"],
    [{ judgments: [{ chunk_id: 5, grade: 1 }] }, "judgments[0].chunk_id must be a string, got `5`"],
    [{ judgments: [{ id: "5", grade: 1 }] }, "judgments[0] must have either a `chunk_id` or a `doc_id`"],
    [
      { judgments: [{ chunk_id: "a", doc_id: "a", grade: 1 }] },
      "judgments[0] must have either a `chunk_id` or a `doc_id`",
    ],
    [{ judgments: [{ chunk_id: "a", grade: "2" }] }, 'judgments[0].grade must be a finite number, got `"2"`'],
    [
      {
        judgments: [
          { chunk_id: "a", grade: 1 },
          { doc_id: "a", grade: 2 },
          { chunk_id: "a", grade: 0 },
        ],
      },
      "judgments[2] gives chunk `a` grade 0, which has grade 1; keep the one that counts",
    ],
    [
      { expected_spans: [{ doc_id: "d", span: { kind: "line", start: "1", end: 2 } }] },
      'expected_spans[0].span.start must be a number, got `"1"`',
    ],
  ])("a golden query is not misread: %j", (more, message) => {
    expect(() => computeAggregate(aRun(), [query("q", more as never)])).toThrow(`golden query 1: ${message}`);
  });

  it("a run without any answers is not judged on refusals", () => {
    expect(computeAggregate(aRun({ results: [result("refuse", [])] }), [refuse])).toMatchObject({
      refusal_correctness: null,
      support: { refusal_correctness: 0 },
    });
  });
  it("groundedness is over answers whose query checks something: no free point for the others", () => {
    const golden = [
      query("checked", { must_contain: ["x"] }),
      query("unchecked"),
      query("forbids", { forbidden: ["y"] }),
    ];
    const run = aRun({
      results: [
        result("checked", [], { answer: answer("nothing") }),
        result("unchecked", [], { answer: answer("anything") }),
        result("forbids", [], { answer: answer("fine") }),
      ],
    });
    expect(computeAggregate(run, golden)).toMatchObject({ groundedness: 0.5, support: { groundedness: 2 } });
  });
  it("citations count when every one of them resolves; an answer without any does not", () => {
    const corpus = { chunks: [{ chunk_id: "d#1", doc_id: "d" }] };
    const cites = (...ids: string[]) =>
      answer("x", { citations: ids.map((chunk_id) => ({ citation: { chunk_id } })) });
    const golden = ["a", "b", "c", "d"].map((id) => query(id));
    const run = aRun({
      results: [
        result("a", [], { answer: cites("d#1") }),
        result("b", [], { answer: cites("d#1", "gone") }),
        result("c", [], { answer: cites() }),
        result("d", [], { answer: refusal }),
      ],
    });
    expect(computeAggregate(run, golden, { corpus })).toMatchObject({
      citation_coverage: 0.3333,
      support: { citation_coverage: 3 },
    });
    expect(computeAggregate(run, golden)).toMatchObject({
      citation_coverage: null,
      support: { citation_coverage: 0 },
    });
    expect(computeAggregate(run, golden).warnings.map(({ code }) => code)).toEqual(["CITATIONS_NOT_CHECKED"]);
  });
});

describe("the rest", () => {
  it("an empty run of an empty golden set has zeros, nulls and no NaN", () => {
    const aggregate = computeAggregate(aRun(), []);
    expect(aggregate).toMatchObject({
      mrr: 0,
      groundedness: 0,
      empty_result_rate: 0,
      citation_coverage: null,
      refusal_correctness: null,
      latency_ms: null,
    });
    expect(JSON.stringify(aggregate)).not.toContain("NaN");
  });
  it("latency: mean exactly, percentiles by nearest rank, results without a time left out", () => {
    const times = [0.1, 0.2, 0.3, 10];
    const run = aRun({
      results: [
        ...times.map((elapsed_ms, index) => result(`q${index}`, [], { elapsed_ms })),
        { query_id: "none", hits_top_k: [] },
      ],
    });
    expect(computeAggregate(run, []).latency_ms).toEqual({ mean: 2.65, p50: 0.2, p95: 10, max: 10 });
  });
  it("further metrics see grades: expected items have 1, judgments overrule them", () => {
    const golden = [
      query("q", {
        expected_chunk_ids: ["d#1"],
        judgments: [
          { chunk_id: "d#2", grade: 3 },
          { doc_id: "d", grade: 2 },
        ],
      }),
      query("none"),
    ];
    const run = aRun({ results: [result("q", [hit("d#1"), hit("d#2")])] });
    const aggregate = computeAggregate(run, golden, {
      metrics: [ndcg({ cutoff: 10 }), parseMetric("RR(rel=3)")],
    });
    const dcg = (1 + 3 / Math.log2(3)) / (3 + 1 / Math.log2(3));
    expect(aggregate.metrics).toEqual({ "nDCG@10": Number(dcg.toFixed(4)), "RR(rel=3)": 0.5 });
    expect(aggregate.support).toMatchObject({ "nDCG@10": 1, "RR(rel=3)": 1 });
    expect(aggregate.metric_cards["nDCG@10"]).toMatchObject({ higher_is_better: true, range: [0, 1] });
    expect(
      computeAggregate(run, golden, { metrics: [parseMetric("R(rel=2)@1")], unit: "doc" }).metrics,
    ).toEqual({ "R(rel=2)@1": 1 });
  });
  it("a metric with the name of a field, which rules could take for it, is refused", () => {
    for (const name of Object.keys(computeAggregate(aRun(), [])))
      expect(() => computeAggregate(aRun(), [], { metrics: [{ ...ndcg(), name }] })).toThrow(
        `a metric cannot have the name of the field \`${name}\``,
      );
  });
  it("a metric that gives no number is named, with the query", () => {
    const broken = { ...ndcg(), name: "broken", score: () => NaN };
    expect(() =>
      computeAggregate(aRun({ results: [result("q", [])] }), [query("q", { expected_chunk_ids: ["c"] })], {
        metrics: [broken],
      }),
    ).toThrow("metric `broken` gave `NaN` for query `q`; a score must be a finite number");
  });
  it(
    "warns when the run was cut above 10, and when its chunker is not the one of the expected " + "chunks",
    () => {
      const corpus = { chunks: [{ chunk_id: "d#1", doc_id: "d", chunker_version: "para@1" }] };
      const run = aRun({
        config_snapshot: { eval_k: 5, chunker_version: "win@2" },
        results: [result("q", [])],
      });
      const codes = (chunks: typeof corpus.chunks): string[] =>
        computeAggregate(run, [query("q", { expected_chunk_ids: ["d#1"] })], {
          corpus: { chunks },
        }).warnings.map(({ code }) => code);
      expect(codes(corpus.chunks)).toEqual(["SHORT_RANKINGS", "OTHER_CHUNKER"]);
      expect(codes([...corpus.chunks, { chunk_id: "d#1", doc_id: "d", chunker_version: "win@2" }])).toEqual([
        "SHORT_RANKINGS",
      ]);
    },
  );
  it("warns of another chunker where the golden set names its own, whatever is known of the chunks", () => {
    const run = aRun({ config_snapshot: { chunker_version: 2 }, results: [result("q", [])] });
    const codes = (chunker_version: string | number | null, options = {}) =>
      computeAggregate(
        run,
        { chunker_version, queries: [query("q", { expected_chunk_ids: ["d#1"] })] },
        options,
      ).warnings.map(({ code }) => code);
    expect(codes(1)).toEqual(["OTHER_CHUNKER"]);
    expect(codes(2)).toEqual([]);
    expect(codes("2", { archive: [{ chunk_id: "d#1", doc_id: "d", chunker_version: "1" }] })).toEqual([]);
    expect(codes(null)).toEqual([]);
    expect(() => codes({} as never)).toThrow("chunker_version must be a text or a number");
  });
});
