import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  benchScores,
  caseScores,
  runBench,
  standardSystems,
  type BenchFixture,
  type BenchOptions,
  type StandardSystemsOptions,
} from "../../src/bench/index.js";
import { asScoredRun, parseVectors } from "../../src/formats/index.js";
import { readBenchFixture } from "../../src/node/index.js";
import { hashEmbedder, runRetriever, storedVectors, type Retriever } from "../../src/retrieve/index.js";
import type { BenchReport } from "../../src/records/index.js";
import { IS_SAMPLE, oracle, runOf, WITHOUT_ORACLES } from "../support/oracles.js";
import { paperbotValues, type PaperbotCase } from "../support/paperbot.js";

describe("the scores of PaperBot's rankings", () => {
  const folder = oracle("interop-paperbot");
  if (folder === null) return it.skip(WITHOUT_ORACLES, () => undefined);
  const { cases, aggregation } = paperbotValues(folder);
  const scored = (
    { name, judgments, ranked }: PaperbotCase,
    topK: number,
  ): { ndcg: number; mrr: number; recall: number; is_hit: boolean } => {
    const scores = caseScores(
      [
        {
          case_id: name,
          query: "",
          query_type: "a",
          top_k: topK,
          grades: new Map(Object.entries(judgments)),
        },
      ],
      new Map([[name, ranked]]),
    ).get(name);
    if (scores === undefined) throw new Error(`no scores for ${name}`);
    return scores;
  };

  it.each(cases.filter(({ relevant_threshold }) => relevant_threshold === 1))("$name", (one) => {
    for (const score of ["ndcg", "mrr", "recall"] as const)
      expect(scored(one, one.k[score])[score]).toBeCloseTo(one.expected[score], 12);
  });
  it("their means and latencies over all cases, and by query type", () => {
    const rows = cases.map((one, index) => ({
      ...one.expected,
      is_hit: false,
      latency_ms: (37 * index) % 101,
      type: index % 2 === 1 ? "a" : "b",
    }));
    const check = (type: string | null, expected: Readonly<Record<string, number>>): void => {
      const scores = benchScores(
        rows.filter((row) => type === null || row.type === type),
        null,
      ) as Readonly<Record<string, number>>;
      expect(scores["case_count"]).toBe(expected["case_count"]);
      expect(scores["ndcg_at_k"]).toBeCloseTo(expected["ndcg_at_10"] ?? NaN, 4);
      expect(scores["mrr_at_k"]).toBeCloseTo(expected["mrr_at_10"] ?? NaN, 4);
      expect(scores["recall_at_k"]).toBeCloseTo(expected["recall_at_50"] ?? NaN, 4);
      expect(scores["avg_latency_ms"]).toBeCloseTo(expected["avg_latency_ms"] ?? NaN, 3);
      expect(scores["p95_latency_ms"]).toBe(expected["p95_latency_ms"]);
    };
    check(null, aggregation.expected.overall);
    for (const [type, expected] of Object.entries(aggregation.expected.by_query_type)) check(type, expected);
  });
  it("its fixture runs as it is, in all modes, with stable references", async () => {
    const fixture = await readBenchFixture(join(folder, "upstream", "bench_v1.json"));
    const { report } = await runBench(fixture, await standardSystems(fixture, { embedder: hashEmbedder() }));
    expect(report.modes.map(({ mode, overall }) => [mode, overall.case_count])).toEqual([
      ["fts_only", 2],
      ["embedding_only", 2],
      ["hybrid", 2],
    ]);
    expect(fixture.chunks.map(({ chunk_id }) => chunk_id)).toEqual([
      "101:overview:0",
      "101:abstract:0",
      "101:method:0",
      "101:findings:0",
      "101:limitations:0",
      "102:overview:0",
      "102:abstract:0",
      "102:method:0",
      "102:findings:0",
      "102:limitations:0",
    ]);
    expect(report.modes[0]?.overall).toMatchObject({ recall_at_5: 1, evidence_hit_rate: 1 });
    expect(report.decision, "two cases are too few").toMatchObject({
      outcome: "inconclusive",
      run: "fts_only",
    });
  });
});

describe("decisions on real collections", () => {
  const folders = { cranfield: oracle("cranfield"), faq: oracle("faq-ko") };
  if (folders.cranfield === null || folders.faq === null) return it.skip(WITHOUT_ORACLES, () => undefined);
  const { cranfield, faq } = folders as Record<"cranfield" | "faq", string>;
  const reportOf = async (
    fixture: BenchFixture,
    systems: StandardSystemsOptions,
    options: BenchOptions = {},
  ): Promise<BenchReport> =>
    (
      await runBench(fixture, await standardSystems(fixture, systems), {
        repeats: 1,
        warmUp: 0,
        ...options,
      })
    ).report;
  const lsa = ({ chunks }: BenchFixture): Retriever =>
    storedVectors(
      chunks,
      ...(["docs", "queries"].map((name) =>
        parseVectors(readFileSync(join(cranfield, "vectors", `${name}.jsonl`))),
      ) as [Map<string, Float32Array>, Map<string, Float32Array>]),
    );

  it("hashes lose: fall back", async () => {
    const { decision, modes } = await reportOf(await readBenchFixture(cranfield), {
      embedder: hashEmbedder(),
    });
    expect(decision).toMatchObject({ outcome: "fall_back_to_fts_only", rule: "no_gain" });
    expect(modes.map(({ overall }) => (overall as Readonly<Record<string, number>>)["ndcg_at_10"])).toEqual([
      0.5459,
      expect.closeTo(0.184, 2),
      expect.closeTo(0.364, 2),
    ]);
  });
  it.skipIf(IS_SAMPLE)("a better second channel wins: keep", async () => {
    const fixture = await readBenchFixture(cranfield);
    const { decision } = await reportOf(fixture, {
      own: [{ mode: "embedding_only", retriever: lsa(fixture) }],
      hybrid: { method: "wsum(weights=0.7/0.3)" },
    });
    expect(decision).toMatchObject({ outcome: "keep_hybrid", rule: "hybrid_improves", run: "hybrid" });
  });
  it.skipIf(IS_SAMPLE)("unless it is too slow: fall back, by the latency", async () => {
    const fixture = await readBenchFixture(cranfield);
    const slow = (() => {
      let time = 0;
      return () => (time += 300);
    })();
    const { decision } = await reportOf(
      fixture,
      {
        own: [{ mode: "embedding_only", retriever: lsa(fixture) }],
        hybrid: { method: "wsum(weights=0.7/0.3)" },
      },
      { now: slow },
    );
    expect(decision).toMatchObject({ outcome: "fall_back_to_fts_only", rule: "latency" });
  });
  it(
    "tf-idf of character pairs is no different: undecided, with the number of cases that would " +
      "settle it",
    async () => {
      const tfidf = runRetriever(asScoredRun(runOf(join(faq, "runs", "tfidf.run")), "doc"));
      const { decision } = await reportOf(await readBenchFixture(faq), {
        own: [{ mode: "embedding_only", retriever: tfidf }],
      });
      expect(decision).toMatchObject({ outcome: "inconclusive", rule: "undecided", run: "fts_only" });
      expect(decision?.cases_needed).toBeGreaterThan(1000);
      expect(decision?.cases_needed).toBeLessThan(2500);
    },
  );
});
