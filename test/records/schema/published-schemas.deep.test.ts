import { Ajv2020 } from "ajv/dist/2020.js";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { gate } from "../../../src/gate/index.js";
import { compareRuns, computeAggregate, evaluate } from "../../../src/index.js";
import { readGolden } from "../../../src/node/index.js";
import { parseMetric } from "../../../src/metrics/index.js";
import * as shapes from "../../../src/records/schema/index.js";
import {
  anAggregate,
  anEvaluation,
  aQuery,
  aReport,
  aRunComparison,
  aScoreComparison,
  aSlice,
} from "../../support/gated-results.js";
import { aCase, aFixture } from "../../support/bench-fixtures.js";
import { promotedBench, storedBench } from "../../support/bench-report.js";
import { answer, aRun, hit, query, result } from "../../support/records.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const read = (path: string): string => readFileSync(root + path, "utf8");
const { publishedSchemas, madeOfSchemas } = (await import(
  new URL("../../../scripts/schemas.js", import.meta.url).href
)) as {
  publishedSchemas: (schemas: typeof shapes) => Map<string, string>;
  madeOfSchemas: (schemas: typeof shapes) => Promise<Map<string, string>>;
};

/**
 * Everything that a validator finds wrong with a value; empty when nothing is. Unknown keywords in a schema
 * are errors.
 */
function problems(name: string, value: unknown): string[] {
  const validate = new Ajv2020({ strict: true, strictTypes: false, allErrors: true }).compile(
    JSON.parse(read(`schemas/${name}.schema.json`)) as object,
  );
  // As it is in a file.
  return validate(JSON.parse(JSON.stringify(value)))
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ""}`);
}

const golden = [
  query("q", {
    expected_chunk_ids: ["d#1"],
    expected_spans: [{ doc_id: "d", span: { kind: "page", page: 2 } }],
    judgments: [{ chunk_id: "d#1", grade: 2 }],
    meta: { a: [1] },
  }),
];
const run = aRun({
  results: [
    result(
      "q",
      [
        hit("d#1", 1, { citation: { chunk_id: "d#1" } }),
        hit("d#2", 2, { citation: { kind: "line", path: "d.md", start: 1, end: 2 } }),
      ],
      { answer: answer("yes") },
    ),
  ],
});
const full = aScoreComparison({
  comparisons: [
    aRunComparison("after", {
      slices: [aSlice("lang", "ko")],
      judge_next: [{ query_id: "q", item: "d", rank_a: null, rank_b: 1, impact: 0.1 }],
    }),
  ],
  per_query: [
    aQuery(
      "q",
      [
        [1, null],
        [0, 1],
      ],
      {
        query: null,
        labels: { lang: "ko" },
        rankings: [[{ id: "d", grade: null }], []],
        expected: [
          {
            id: "d",
            grade: 1,
            runs: [
              { rank: null, channels: { lexical: 1 }, fate: "lost_by_fusion" },
              { rank: 1, channels: {}, fate: "found" },
            ],
          },
        ],
      },
    ),
  ],
  warnings: [{ code: "X", message: "x", more: 1 }],
});

describe("the published JSON Schemas", async () => {
  it("are what the code says today (else: npm run schemas)", () => {
    const made = publishedSchemas(shapes);
    expect(
      readdirSync(`${root}schemas`)
        .map((name) => `schemas/${name}`)
        .sort(),
    ).toEqual([...made.keys()].sort());
    for (const [path, content] of made) expect(read(path)).toBe(content);
  });
  it("agree with the types, which are made of the same schemas (else: npm run schemas)", async () => {
    for (const [path, source] of await madeOfSchemas(shapes)) expect(read(path)).toBe(source);
  });
  it("and types refuse a schema whose field does not say what it means", async () => {
    const undescribed = {
      ...shapes,
      gateReportSchema: shapes.gateReportSchema.extend({ riddle: z.number() }),
    };
    await expect(madeOfSchemas(undescribed)).rejects.toThrow(/^riddle: describe/);
  });
  it.each<[string, string, unknown]>([
    ["golden-set", "a list", golden],
    ["golden-set", "a set", { version: 1, description: null, queries: golden }],
    ["golden-set", "the demo's", await readGolden(`${root}fixtures/demo/golden.yaml`)],
    ["bench-fixture", "a fixture", aFixture()],
    [
      "bench-fixture",
      "one with fields of its own",
      { ...aFixture({ version: 2, description: null }), source: "x" },
    ],
    ["run", "a run", run],
    [
      "aggregate",
      "one that was computed",
      computeAggregate(run, golden, { metrics: [parseMetric("nDCG@10")] }),
    ],
    ["aggregate", "one by hand", anAggregate()],
    ["aggregate", "one of version 0.1.0", JSON.parse(read("fixtures/results/0.1.0/aggregate.json"))],
    [
      "evaluation",
      "one that was computed",
      evaluate(new Map([["q", ["a", "b"]]]), new Map([["q", new Map([["a", 1]])]]), ["nDCG@10", "RR"], {
        bounds: true,
      }),
    ],
    ["evaluation", "one by hand", anEvaluation({ per_query: [{ query_id: "q", scores: [1, 0.5] }] })],
    ["compare-report", "one that was computed", compareRuns(run, { ...run, run_id: "b" }, golden)],
    ["compare-report", "one of version 0.1.0", JSON.parse(read("fixtures/results/0.1.0/compare.json"))],
    ["compare-report", "one with statistics", aReport({ statistics: full })],
    ["score-comparison", "one by hand", full],
    ["bench-report", "one with a decision", storedBench("keep-hybrid")],
    ["bench-report", "one with one mode", storedBench("one-mode")],
    ["bench-report", "one that people looked at", promotedBench()],
    [
      "gate-report",
      "one that failed",
      gate(aScoreComparison(), ["verdict is better", "citation_coverage > 0", "RR >= 0"]),
    ],
  ])("%s takes %s", (name, _, value) => expect(problems(name, value)).toEqual([]));

  it.each<[string, string, unknown]>([
    ["golden-set", "an unknown key", [{ ...golden[0], expected_docs: [] }]],
    ["golden-set", "a query without an id", { queries: [{ query: "x" }] }],
    [
      "bench-fixture",
      "a grade of 4",
      aFixture({ cases: [aCase({ judgments: [{ paper_id: 1, chunk_ref: "1:abstract:0", relevance: 4 }] })] }),
    ],
    [
      "bench-fixture",
      "a case without a query type",
      { ...aFixture(), cases: [{ ...aCase(), query_type: undefined }] },
    ],
    ["run", "a rank of 0", { ...run, results: [result("q", [hit("d#1", 0)])] }],
    [
      "run",
      "a citation of a kind and nothing else",
      {
        ...run,
        results: [result("q", [{ ...hit("d#1"), citation: { kind: "line", chunk_id: "x" } as never }])],
      },
    ],
    ["aggregate", "a score that is a text", { ...anAggregate(), mrr: "0.5" }],
    ["evaluation", "another schema version", { ...anEvaluation(), schema_version: 2 }],
    [
      "compare-report",
      "an unknown outcome",
      aReport({ per_query: [{ ...aReport().per_query[0], kind: "tie" } as never] }),
    ],
    [
      "score-comparison",
      "a p value above 1",
      aScoreComparison({
        comparisons: [
          aRunComparison("after", { metrics: [{ ...aRunComparison("x").metrics[0], p: 2 } as never] }),
        ],
      }),
    ],
    [
      "bench-report",
      "a tier that is none",
      { ...storedBench("one-mode"), modes: [{ ...storedBench("one-mode").modes[0], tier: "online" }] },
    ],
    [
      "gate-report",
      "a rule without a reason",
      { schema_version: 1, passed: true, rules: [{ rule: "RR >= 0", run: null, value: 1, passed: true }] },
    ],
  ])("%s does not take %s", (name, _, value) => expect(problems(name, value)).not.toEqual([]));
});
