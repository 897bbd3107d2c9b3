import { describe, expect, expectTypeOf, it } from "vitest";
import {
  asGateRules,
  compareRuns,
  compareSeveralRuns,
  compareSystems,
  computeAggregate,
  computeParaphrases,
  evaluate,
  gate,
  isRankproofError,
  leaderboardOf,
  rankingAgreement,
  renderReportMd,
  reportRun,
  reportSystem,
  tableOfEvaluation,
  type AggregateOptions,
  type CompareOptions,
  type CompareSystemsOptions,
  type EvalRun,
  type EvaluateOptions,
  type ReportRunOptions,
} from "../../src/index.js";
import { recordRun } from "../../src/runs/index.js";
import {
  renderAggregateText,
  renderEvaluationsText,
  renderGateText,
  renderParaphrasesMd,
  renderParaphrasesText,
  renderReportHtml,
  renderRunHtml,
  renderRunReportMd,
  renderRunReportText,
  renderWarningsText,
} from "../../src/report/index.js";
import { OPTION_NAMES } from "../../src/records/check-options.js";
import { combSum, fuse, parseFusion } from "../../src/fusion/index.js";
import { parseMetric } from "../../src/metrics/index.js";
import { functionEmbedder, lexicalIndex, runRetriever } from "../../src/retrieve/index.js";
import { kendallTau, rankBiasedOverlap } from "../../src/stats/index.js";
import { memoryStore } from "../../src/storage/index.js";
import { parseRun } from "../../src/formats/index.js";
import { ownMetric } from "../support/own-metric.js";
import { aRun } from "../support/records.js";

const golden = [{ id: "q", query: "x", expected_chunk_ids: ["c"] }];
const run: EvalRun = aRun({
  results: [{ query_id: "q", hits_top_k: [{ chunk_id: "c", doc_id: "d", rank: 1 }] }],
});
const map = new Map([["q", new Map([["d", 1]])]]);

/** Every argument of the functions that people call first. */
const CALLS: Readonly<Record<string, (value: never) => unknown>> = {
  "computeAggregate: run": (value) => computeAggregate(value, golden),
  "computeAggregate: golden": (value) => computeAggregate(run, value),
  "computeAggregate: options": (value) => computeAggregate(run, golden, value),
  "computeParaphrases: run": (value) => computeParaphrases(value, golden),
  "compareRuns: run a": (value) => compareRuns(value, run, golden),
  "compareRuns: run b": (value) => compareRuns(run, value, golden),
  "compareRuns: golden": (value) => compareRuns(run, run, value),
  "compareRuns: options": (value) => compareRuns(run, run, golden, value),
  "compareSeveralRuns: runs": (value) => compareSeveralRuns(value, golden),
  "compareSystems: systems": (value) => compareSystems(value, map, ["AP"]),
  "reportRun: run": (value) => reportRun(value, golden),
  "reportRun: golden": (value) => reportRun(run, value),
  "reportRun: options": (value) => reportRun(run, golden, value),
  "reportSystem: system": (value) => reportSystem(value, map, ["AP"]),
  "reportSystem: metrics": (value) => reportSystem({ name: "x", run: map }, map, value),
  "leaderboardOf: tables": (value) => leaderboardOf(value),
  "gate: result": (value) => gate(value, ["AP >= 0"]),
  "gate: rules": (value) => gate(evaluate(map, map, ["AP"]), value),
  renderReportMd: (value) => renderReportMd(value),
  renderReportHtml: (value) => renderReportHtml(value),
  renderRunHtml: (value) => renderRunHtml(value),
  renderRunReportMd: (value) => renderRunReportMd(value),
  renderRunReportText: (value) => renderRunReportText(value),
  "evaluate: run": (value) => evaluate(value, map, ["AP"]),
  "evaluate: qrels": (value) => evaluate(map, value, ["AP"]),
  "evaluate: metrics": (value) => evaluate(map, map, value),
  "evaluate: options": (value) => evaluate(map, map, ["AP"], value),
  "fuse: runs": (value) => fuse(value),
  parseMetric: (value) => parseMetric(value),
  "parseRun: defaults": (value) => parseRun("[]", value),
};
const BAD: readonly unknown[] = [
  null,
  {},
  [],
  5,
  "x",
  [null],
  [5],
  { results: 5 },
  { results: [null] },
  { results: [{}] },
  { results: [{ query_id: "q", hits_top_k: [null] }] },
  { queries: 5 },
  { queries: [null] },
  new Map([["q", 5]]),
  { q: 5 },
  { q: { d: "x" } },
  [{ id: "q" }],
  [{ id: "q", query: "x", expected_chunk_ids: 5 }],
  [{ id: "q", query: "x", judgments: [null] }],
  [{ id: "q", query: "x", expected_doc_ids: "d" }],
  [{ id: "q", query: "x", expected_chunk_ids: null }],
  // Ids as numbers, which equal no id.
  new Map([["q", [1, 2]]]),
  new Map([["q", new Map([[1, 1]])]]),
  [{ query_id: "q", doc_id: 7, score: 1, grade: 1 }],
  [{ query_id: "q", chunk_id: "c", score: 1, grade: 1 }],
  { ...run, results: [{ query_id: "q", hits_top_k: [], answer: "text" }] },
];

describe.each(Object.entries(CALLS))("%s", (_, call) => {
  it.each(BAD.map((value) => [value instanceof Map ? "a Map of 5" : JSON.stringify(value), value]))(
    "%s is taken, or an error of ours",
    (_text, value) => {
      try {
        call(value as never);
      } catch (error) {
        expect(isRankproofError(error), String(error)).toBe(true);
      }
    },
  );
});

it.each([
  [
    () => evaluate([{ query_id: "q", doc_id: 7 as never, score: 1 }], map, ["AP"]),
    "run: hit 1: doc_id must be a string, got `7`; write `String(id)`",
  ],
  [
    () => evaluate(new Map([["q", [1 as never]]]), { q: { 1: 1 } }, ["AP"]),
    "query `q`: an id must be a string, got `1`; write `String(id)`",
  ],
  [
    () => evaluate(map, [{ query_id: "q", chunk_id: "c", grade: 1 } as never], ["AP"]),
    "judgment 1: doc_id must be a string, got `undefined`; write `String(id)`",
  ],
  [
    () => evaluate(map, map, ["RR", { ...parseMetric("AP"), name: "RR" }]),
    "two metrics are called `RR`; call one of them something else",
  ],
  [
    () =>
      computeAggregate(run, golden, { metrics: [{ ...parseMetric("AP"), name: "RR" }, parseMetric("RR")] }),
    "two metrics are called `RR`; call one of them something else",
  ],
  [
    () => evaluate({ results: [] } as never, map, ["AP"]),
    "a run with `results` needs a `run_id`, too: the name of the run",
  ],
  [
    () => compareRuns(run, { ...run, run_id: "b" }, golden, { channels: { lexical: run } as never }),
    "channels must be a list, got",
  ],
  [
    () => evaluate(new Map([["q", { ids: ["d"], scores: null as never }]]), map, ["AP"]),
    "query `q`, item `ids`: score must be a finite number",
  ],
  // Ids of two kinds, as tables have them whose columns find their types by themselves.
  [
    () =>
      evaluate(
        map,
        new Map([
          [
            "q",
            new Map<string, number>([
              ["a", 1],
              [2 as never, 1],
            ]),
          ],
        ]),
        ["AP"],
      ),
    "query `q`: an item must be a string, got `2`; write `String(id)`",
  ],
  [
    () => evaluate(map, new Map([[1 as never, new Map([["a", 1]])]]), ["AP"]),
    "qrels: a query id must be a string, got `1`; write `String(id)`",
  ],
  [
    () =>
      evaluate(
        new Map([
          [
            "q",
            new Map<string, number>([
              ["a", 2],
              [2 as never, 1],
            ]),
          ],
        ]),
        map,
        ["AP"],
      ),
    "run: an id must be a string, got `2`; write `String(id)`",
  ],
  [
    () => {
      const ids = ["a", "x", "z", 2 as never, "w", "v", "u", "t"];
      const ranking = new Map<string, number>(ids.map((id, at) => [id, -at]));
      return evaluate(new Map([["q", ranking]]), { q: { a: 1, 2: 1 } }, ["AP"]);
    },
    "query `q`: an id must be a string, got `2`; write `String(id)`",
  ],
  [
    () => evaluate(map, new Map([["q", new Set(["d"]) as never]]), ["AP"]),
    "the judgments of query `q`: must be a Map or an object",
  ],
  [
    () => evaluate(map, map, ["AP"], { tie: "input" } as never),
    "there is no option `tie`; did you mean `ties`?",
  ],
  [
    () => ["AP"].map(parseMetric as never),
    "parseMetric: the catalogue must be a list, got `0`; write `names.map((name) => parseMetric(name))`",
  ],
  [
    () => ["rrf"].map(parseFusion as never),
    "the catalogue of a fusion method must be a list, got `0`; in `map`, pass on the name alone",
  ],
  [
    () => {
      const config: Record<string, unknown> = { depth: 3 };
      config["self"] = { config };
      return compareRuns(run, { ...run, config_snapshot: config }, golden);
    },
    "config_snapshot contains itself at `self.config`, which JSON cannot hold; leave that out",
  ],
  [
    () => computeAggregate(run, [, golden] as never),
    "golden query 1 must be an object, got `undefined`; give an object with `id` and `query`",
  ],
  [
    () => computeAggregate(run, [{ id: "q", query: "x", expected_chunk_ids: null } as never]),
    "golden query 1: expected_chunk_ids must be a list, got `null`; write `[]` when there is nothing",
  ],
  [
    () => computeAggregate(null as never, golden),
    "a run must be an object, got `null`; give an object with `run_id` and `results`",
  ],
  [
    () => computeAggregate({ ...run, results: [{ query_id: "q" }] } as never, golden),
    "run `run`: results[0].hits_top_k must be a list, got `undefined`; write `[]` when there is nothing",
  ],
  [
    () => compareRuns(run, { ...run, config_snapshot: undefined } as never, golden),
    "run `run`: config_snapshot must be an object, got `undefined`; write `{}` when there is " +
      "nothing to remember",
  ],
  [
    () => computeAggregate(run, {} as never),
    "golden set: queries must be a list, got `undefined`; write `[]` when there is nothing",
  ],
  [
    () => computeAggregate(run, [{ id: "q", query: "x", expected_doc_ids: "d" }] as never),
    "golden query 1: expected_doc_ids must be a list, got `d`; write `[]` when there is nothing",
  ],
  [() => evaluate(map, map, [5] as never), 'a metric must be one such as `parseMetric("nDCG@10")`, got `5`'],
  [
    () => computeAggregate(run, golden, { unit: "page" } as never),
    "unit must be `chunk` or `doc`, got `page`",
  ],
  [
    () => computeAggregate(run, golden, { matching: "fuzzy" } as never),
    "matching must be `exact` or `docSpan`, got `fuzzy`",
  ],
  [() => computeAggregate(run, golden, { metrics: "AP" } as never), "metrics must be a list, got `AP`"],
  [
    () => computeAggregate(run, golden, { metrics: ["AP"] } as never),
    'a metric must be one such as `parseMetric("nDCG@10")`, got `AP`',
  ],
  [() => gate(undefined as never, undefined as never), "gate takes a result and a list of rules"],
  [() => renderReportMd({} as never), "the renderer takes what compareRuns or another comparison returned"],
  [
    () => evaluate(map, map, ["AP"], null as never),
    "options must be an object, got `null`; give an object, or leave them out",
  ],
  [() => renderAggregateText(undefined as never), "the renderer takes what computeAggregate returned"],
  [() => renderGateText({} as never), "the renderer takes what `gate` returned, got"],
  [() => renderParaphrasesMd(undefined as never), "the renderer takes what computeParaphrases returned"],
  [() => renderParaphrasesText(5 as never), "the renderer takes what computeParaphrases returned, got `5`"],
  [() => renderWarningsText(null as never), "the renderer takes a comparison or an aggregate, got `null`"],
  [() => fuse("run" as never), "runs to fuse must be a list of Maps by query, got `run`"],
  [
    () => fuse([map] as never),
    "runs[0], query `q`: must be `{ ids, scores }`, best first, as rankByScore makes it",
  ],
  [
    () => compareRuns(run, run, golden, { statistics: { slices: "lang" } } as never),
    "slices must be a list, got `lang`",
  ],
  [
    () => compareRuns(run, run, golden, { statistics: { guards: "RR" } } as never),
    "guards must be a list, got `RR`",
  ],
  [
    () => compareRuns(run, run, golden, { statistics: { primary: 1 } } as never),
    "primary must be a string, got `1`",
  ],
  [() => computeAggregate(run, golden, { corpus: [] } as never), "corpus must be an object, got `[]`"],
  [() => computeAggregate(run, golden, { archive: 5 } as never), "archive must be a list, got `5`"],
  [() => evaluate(map, map, ["AP"], { profile: 1 } as never), "profile must be a string, got `1`"],
  [
    () => computeAggregate(run, [{ id: "q", query: "x", expected_docs_ids: ["d"] } as never]),
    "golden query 1: unknown key `expected_docs_ids`; did you mean `expected_doc_ids`?",
  ],
  [
    () => computeAggregate(run, [{ id: "q", query: "x", expectedChunkIds: ["d"] } as never]),
    "golden query 1: unknown key `expectedChunkIds`; did you mean `expected_chunk_ids`?",
  ],
  [() => parseMetric(undefined as never), "a metric's name must be a text"],
  [() => parseRun("[]", undefined as never), "parseRun needs the run's id"],
  [
    () => computeAggregate(run, golden, { metric: [] } as never),
    "there is no option `metric`; did you mean `metrics`?",
  ],
  [
    () => evaluate(map, map, ["AP"], { preciison: 4 } as never),
    "there is no option `preciison`; did you mean `precision`?",
  ],
  [
    () => compareRuns(run, run, golden, { missing_queries: "zero" } as never),
    "there is no option `missing_queries`; did you mean `missingQueries`?",
  ],
  [() => asGateRules(5 as never), "a gate takes a list of rules, got `5`"],
  [() => asGateRules([null] as never), "rules[0]: has a value that no rule has"],
  [
    () =>
      gate(computeAggregate(run, golden), [
        { kind: "bound", metric: null, operator: ">=", bound: 0 },
      ] as never),
    "rules[0]: has a value that no rule has",
  ],
  [
    () =>
      gate(computeAggregate(run, golden), [
        { kind: "bound", metric: "RR", operator: ">=", bound: "0.9" },
      ] as never),
    "rules[0]: has a value that no rule has",
  ],
  [
    () => fuse([new Map()], combSum() as never),
    "fuse: a method is one of the options; write `{ method: … }`",
  ],
  [() => fuse([new Map()], { metod: "sum" } as never), "there is no option `metod`; did you mean `method`?"],
  [
    () => rankingAgreement({ name: "a", run: map }, { name: "b", run: map }, { cutof: 3 } as never),
    "there is no option `cutof`; did you mean `cutoff`?",
  ],
  [
    () => rankingAgreement({ run: map } as never, { name: "b", run: map }),
    "rankingAgreement: each run needs a `name`, got `undefined`",
  ],
  [
    () => functionEmbedder((() => []) as never, undefined as never),
    "functionEmbedder takes a function and `{ model }`",
  ],
  [
    () => runRetriever(new Map([["q", ["d"]]]) as never),
    "runRetriever: the ranking of query `q` must be an object",
  ],
  [
    () => runRetriever(new Map([["q", { ids: ["a"] }]]) as never),
    "runRetriever: the ranking of query `q`: scores must be a list of numbers, got",
  ],
  [() => runRetriever(5 as never), "runRetriever: the run must be an object, got `5`"],
  [() => lexicalIndex([]).search("a", undefined as never), "search takes a question and `{ limit }`, got"],
  [
    () => lexicalIndex([]).search(null as never, { limit: 1 }),
    "search takes a question and `{ limit }`, got `null`",
  ],
  [() => kendallTau([1, 2], undefined as never), "kendallTau takes lists, got `undefined`"],
  [() => rankBiasedOverlap(["a"], 5 as never), "rankBiasedOverlap takes lists, got `5`"],
  [() => tableOfEvaluation({} as never), "tableOfEvaluation takes what `evaluate` returned"],
  [
    () => evaluate(map, map, [ownMetric({ score: () => 0.5 })]),
    "metric `Own`: `score` must return a function",
  ],
  [() => ownMetric({ score: () => undefined }), "metric `Own`: `score` must return a function"],
  [() => ownMetric({ score: undefined, fraction: () => 5 }), "metric `Own`: `score` must return a function"],
  [() => asGateRules([{ text: 5 }] as never), "rules[0]: must be a text, got `5`"],
  [
    () => evaluate(map, map, [ownMetric({ aggregate: { name: "odd", of: () => NaN } })]).record(),
    "metric `Own` made `NaN` of the scores of its queries; `aggregate.of` must return a number",
  ],
  [
    () => compareSystems([{ name: "a", run: map }], map, ["AP"], { maxP95: 100 } as never),
    "there is no option `maxP95`; did you mean `maxP95Ms`?",
  ],
])("the message says where, what and what to do (%#)", (call, message) => expect(call).toThrow(message));

it("takes options that other functions have", () => {
  const others = { runId: "r", now: 1, texts: [], gates: [], model: "m", tags: [], retries: 2 };
  const ofAll = { unit: "doc", tolerance: 0.1, concurrency: 3, ...others } as const;
  expect(computeAggregate(run, golden, ofAll)).toEqual(computeAggregate(run, golden, { unit: "doc" }));
});

it("knows the names of all options", () => {
  expectTypeOf<(typeof OPTION_NAMES)[number]>().toEqualTypeOf<
    keyof (AggregateOptions & CompareOptions & CompareSystemsOptions & EvaluateOptions & ReportRunOptions)
  >();
});

it.each([
  [undefined, "recordRun needs `golden`: a golden set"],
  [{ golden }, "recordRun needs `runId`: the id of the run"],
  [{ golden, runId: "x" }, "recordRun needs `retrieve`: a function"],
  [{ golden, runId: "x", retrieve: () => [] }, "recordRun needs `config`: what a change is made of, or `{}`"],
  [
    { golden, runId: "x", retrieve: () => [], config: {}, concurency: 8 },
    "there is no option `concurency`; did you mean `concurrency`?",
  ],
])("a recording says what it needs (%#)", async (options, message) => {
  await expect(recordRun(options as never)).rejects.toThrow(message);
});

it("a metric may be called like a member of every object", () => {
  const record = evaluate(map, map, ["AP"]).record();
  for (const name of ["toString", "constructor", "__proto__", "hasOwnProperty"]) {
    const stored = JSON.parse(
      JSON.stringify({ ...record, metric_cards: {} }).replaceAll('"AP"', JSON.stringify(name)),
    ) as typeof record;
    expect(renderEvaluationsText([{ name: "run", record: stored }], { paint: (text) => text })).toContain(
      `${name}  1.0000`,
    );
  }
});

describe("numbers that JSON cannot hold", () => {
  it.each(["1e400", "-1e999", `1${"0".repeat(400)}`])(
    "%.8s in any field of a run is an error with its place",
    (number) => {
      const line = `{"query_id":"q","hits_top_k":[],"more":{"x":[${number}]}}`;
      expect(() => parseRun(`${line}\n`, { run_id: "r" }, "r.jsonl")).toThrow(
        /^r\.jsonl:1:\d+: number `.*` is larger than any number can be here$/,
      );
      expect(() => parseRun(`[${line}]`, { run_id: "r" }, "r.json")).toThrow(
        "is larger than any number can be here",
      );
    },
  );
  it.each(["1e308", "1e-400", "0.1e10", '"1e400"'])("%s is none", (text) =>
    expect(
      parseRun(`{"query_id":"q","hits_top_k":[],"more":${text}}\n`, { run_id: "r" }).results[0]?.["more"],
    ).toBe(JSON.parse(text)),
  );
  it("is not saved as null", async () => {
    const results = [{ query_id: "q", hits_top_k: [], more: [{ x: Infinity }] }];
    await expect(memoryStore().saveRun(aRun({ run_id: "r", results }))).rejects.toMatchObject({
      code: "RUN_SHAPE",
      message:
        "run `r` cannot be written as JSON: `results[0].more[0].x` is no finite number; use null " +
        "for what is not known",
    });
  });
});
