import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { batchReport, scorecardMetric, type DatasetJudgments } from "../../src/batch/index.js";
import { evaluate } from "../../src/evaluate/index.js";
import type { EvalRun } from "../../src/records/index.js";
import type { Label } from "../../src/label/index.js";
import { oracle, WITHOUT_ORACLES } from "../support/oracles.js";

interface ScorecardQuery {
  readonly labels: Readonly<Record<string, number>>;
  readonly ranking: readonly string[];
}

interface ScorecardCase {
  readonly name: string;
  readonly queries: Readonly<Record<string, ScorecardQuery>>;
  readonly metrics: readonly string[];
  readonly per_query: Readonly<Record<string, readonly number[]>>;
  readonly mean: readonly number[];
  readonly sequences: Readonly<
    Record<
      string,
      {
        readonly top_label_sequence_top10: string;
        readonly top_label_sequence_top20: string;
        readonly labelled_in_top10: number;
        readonly returned_in_top10: number;
        readonly useful_missed_in_top50: number;
        readonly label_distribution_top10: readonly number[];
      }
    >
  >;
}

const folder = oracle("search-evaluation");
const { cases } = (
  folder === null ? { cases: [] } : JSON.parse(readFileSync(join(folder, "scorecard.json"), "utf8"))
) as { readonly cases: readonly ScorecardCase[] };

if (folder === null) it.skip(WITHOUT_ORACLES, () => undefined);

function labelsIn({ queries }: ScorecardCase): Label[] {
  return Object.entries(queries).flatMap(([query, { labels }]) =>
    Object.entries(labels).map(([item, grade]) => ({
      tenant: "default",
      query,
      item,
      grade,
      by: "labeler" as const,
      raters: ["model"],
      votes: 1,
      spread: 0,
      isStale: false,
    })),
  );
}

function judgmentsOf(given: ScorecardCase): DatasetJudgments {
  const labels = labelsIn(given);
  return {
    labels,
    people: [],
    model: labels,
    labeler: "model",
    labelerName: "model",
    labelerModel: null,
    sample: null,
  };
}

function runOf({ name, queries }: ScorecardCase): EvalRun {
  return {
    run_id: name,
    suite: "default",
    created_at: "2026-11-23T00:00:00.000Z",
    config_snapshot: {},
    results: Object.entries(queries).map(([query_id, { ranking }]) => ({
      query_id,
      query: query_id,
      hits_top_k: ranking.map((id) => ({ chunk_id: id, doc_id: id })),
    })),
  };
}

describe.each(cases)("the scorecard of $name", (given) => {
  const ids = Object.keys(given.queries);
  const report = batchReport({
    run: runOf(given),
    dataset: "oracle",
    tenant: "default",
    backend: { name: "recorded", kind: "run" },
    topK: 50,
    queries: ids.map((id) => ({ id, query: id })),
    judgments: judgmentsOf(given),
    items: new Map(),
    scorecard: { name: "oracle", metrics: given.metrics.map(scorecardMetric) },
    evaluatedAt: "2026-11-23T00:00:00.000Z",
  });

  it("has the expected score of every query", () => {
    for (const query of report.per_query)
      given.metrics.forEach((name, column) =>
        expect(query.scores[0]?.[column], `${query.query_id} ${name}`).toBeCloseTo(
          given.per_query[query.query_id]?.[column] as number,
          9,
        ),
      );
  });

  it("has the expected means, of every query", () => {
    expect(report.metrics.map(({ queries }) => queries)).toEqual(given.metrics.map(() => ids.length));
    report.metrics.forEach(({ mean }, column) => {
      const off = Math.abs((mean as number) - (given.mean[column] as number));
      expect(off).toBeLessThan(0.00005 + 1e-12);
    });
  });

  it("has the expected label sequences and counts", () => {
    const counts = [0, 0, 0, 0];
    for (const query of report.per_query) {
      const expected = given.sequences[query.query_id];
      expect(query.top_label_sequence_top10).toBe(expected?.top_label_sequence_top10);
      expect(query.top_label_sequence_top20).toBe(expected?.top_label_sequence_top20);
      const first = query.top_results.slice(0, 10);
      expect(first.length).toBe(expected?.returned_in_top10);
      expect(first.filter(({ label }) => label !== null).length).toBe(expected?.labelled_in_top10);
      expected?.label_distribution_top10.forEach(
        (count, grade) => (counts[grade] = (counts[grade] as number) + count),
      );
    }
    expect(report.labels.top10).toEqual(counts);
  });

  it("names the useful items that are not among the first 50 hits", () => {
    const cut = batchReport({
      run: {
        ...runOf(given),
        results: runOf(given).results.map((result) => ({
          ...result,
          hits_top_k: result.hits_top_k.slice(0, 50),
        })),
      },
      dataset: "oracle",
      tenant: "default",
      backend: { name: "recorded", kind: "run" },
      topK: 50,
      queries: ids.map((id) => ({ id, query: id })),
      judgments: judgmentsOf(given),
      items: new Map(),
      scorecard: { name: "oracle", metrics: [scorecardMetric("nDCG@10")] },
      evaluatedAt: "2026-11-23T00:00:00.000Z",
    });
    for (const { query_id, missed_count } of cut.per_query)
      expect(missed_count, query_id).toBe(given.sequences[query_id]?.useful_missed_in_top50);
  });
});

it("gives names of the catalogue their own defaults, and those of the scorecard theirs", () => {
  expect(scorecardMetric("Strong_Precision@10").name).toBe("Strong_Precision@10");
  expect(scorecardMetric("ERR@10").parameters["max"]).toBe(3);
  expect(scorecardMetric("P(rel=2)@10").name).toBe("P(rel=2)@10");
  expect(() => scorecardMetric("Strong_Precision")).toThrow(/unknown metric/);
  const grades = { q: { a: 3, b: 1 } };
  const run = { q: { b: 2, a: 1 } };
  const metrics = [scorecardMetric("MRR_Exact@10"), scorecardMetric("MRR_Strong@10")];
  const scored = evaluate(run, grades, metrics);
  expect(scored.mean("MRR_Exact@10")).toBe(0.5);
});
