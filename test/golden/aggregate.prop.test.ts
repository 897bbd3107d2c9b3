import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { computeAggregate } from "../../src/index.js";
import { averagePrecision, metricCatalog, ndcg } from "../../src/metrics/index.js";
import type { AggregateMetrics, EvalRun, GoldenQuery, SearchHit } from "../../src/records/index.js";
import { CHUNKS, evalRun, goldenSet, LAW_RUNS, shuffled } from "../support/arbitraries.js";

const corpus = { chunks: CHUNKS };
const CUTOFFS = ["1", "3", "5", "10"] as const;
const all = {
  corpus,
  metrics: [
    ...metricCatalog
      .filter(
        ({ definition }) =>
          definition.needs === undefined &&
          definition.range[1] === 1 &&
          ["required", "optional"].includes(definition.cutoff),
      )
      .map((metric) => metric({ cutoff: 5 })),
    averagePrecision(),
    ndcg(),
  ],
};

function law(name: string, holds: (run: EvalRun, golden: GoldenQuery[]) => void): void {
  it(name, () => fc.assert(fc.property(evalRun, goldenSet, holds), LAW_RUNS));
}

/** A golden set's one query with expected chunks, and a run with one result for it. */
const oneQuery = fc.record({
  expected_chunk_ids: fc.subarray(
    CHUNKS.map(({ chunk_id }) => chunk_id),
    { minLength: 1, maxLength: 5 },
  ),
  hits: fc.shuffledSubarray(CHUNKS, { maxLength: 15 }),
});

function scoresOf(expected_chunk_ids: string[], hits: readonly SearchHit[]): AggregateMetrics {
  const golden = [
    {
      id: "q",
      query: "",
      expected_chunk_ids,
      expected_doc_ids: [...new Set(expected_chunk_ids.map((id) => id.split("#")[0] as string))],
    },
  ];
  return computeAggregate(
    {
      run_id: "r",
      suite: "s",
      created_at: "",
      config_snapshot: {},
      results: [{ query_id: "q", hits_top_k: [...hits] }],
    },
    golden,
  );
}

function rankingScores({ hit_at_k, mrr, precision_at_k_chunk, recall_at_k_doc }: AggregateMetrics): number[] {
  return [
    mrr,
    ...CUTOFFS.flatMap((k) => [
      hit_at_k[k],
      (precision_at_k_chunk as Record<string, number>)[k] as number,
      recall_at_k_doc[k],
    ]),
  ];
}

describe("laws of the aggregate", () => {
  law("every score is in 0 to 1, finite, with at most 4 decimals and no -0", (run, golden) => {
    const aggregate = computeAggregate(run, golden, all);
    const { latency_ms, ...scores } = aggregate;
    const numbers: number[] = [];
    JSON.stringify(scores, (_, value: unknown) => {
      if (typeof value === "number") numbers.push(value);
      return value;
    });
    for (const value of [...numbers, ...Object.values(latency_ms ?? {})]) {
      expect(Number.isFinite(value)).toBe(true);
      expect(Object.is(value, -0)).toBe(false);
      expect(value).toBe(Number(value.toFixed(4)));
    }
    for (const value of [
      ...rankingScores(aggregate),
      aggregate.groundedness,
      aggregate.empty_result_rate,
      aggregate.citation_coverage ?? 0,
      aggregate.refusal_correctness ?? 0,
      ...Object.values(aggregate.metrics),
    ]) {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(1);
    }
  });

  law(
    "hit@k and recall@k never fall as k grows; hit@k >= precision@k; MRR lies between hit@1 and hit@10",
    (run, golden) => {
      const { hit_at_k, recall_at_k_doc, precision_at_k_chunk, mrr } = computeAggregate(run, golden);
      CUTOFFS.forEach((k, index) => {
        const before = CUTOFFS[index - 1];
        if (before !== undefined) {
          expect(hit_at_k[k]).toBeGreaterThanOrEqual(hit_at_k[before]);
          expect(recall_at_k_doc[k]).toBeGreaterThanOrEqual(recall_at_k_doc[before]);
        }
        expect(hit_at_k[k]).toBeGreaterThanOrEqual(
          (precision_at_k_chunk as Record<string, number>)[k] as number,
        );
      });
      expect(mrr).toBeGreaterThanOrEqual(hit_at_k["1"]);
      expect(mrr).toBeLessThanOrEqual(hit_at_k["10"]);
    },
  );

  it("adding a miss anywhere never raises a ranking score", () =>
    fc.assert(
      fc.property(oneQuery, fc.nat(15), ({ expected_chunk_ids, hits }, place) => {
        const at = Math.min(place, hits.length);
        const before = rankingScores(scoresOf(expected_chunk_ids, hits));
        const after = rankingScores(
          scoresOf(expected_chunk_ids, [
            ...hits.slice(0, at),
            { chunk_id: "miss", doc_id: "elsewhere" },
            ...hits.slice(at),
          ]),
        );
        after.forEach((score, index) => expect(score).toBeLessThanOrEqual(before[index] as number));
      }),
      LAW_RUNS,
    ));

  it("moving an expected chunk up never lowers hit@k, MRR or precision", () =>
    fc.assert(
      fc.property(oneQuery, fc.nat(14), fc.nat(14), ({ expected_chunk_ids, hits }, from, to) => {
        const moved = hits[from];
        if (moved === undefined || to > from || !expected_chunk_ids.includes(moved.chunk_id)) return;
        const rest = hits.filter((hit) => hit !== moved);
        const a = scoresOf(expected_chunk_ids, hits);
        const b = scoresOf(expected_chunk_ids, [...rest.slice(0, to), moved, ...rest.slice(to)]);
        expect(b.mrr).toBeGreaterThanOrEqual(a.mrr);
        for (const k of CUTOFFS) {
          expect(b.hit_at_k[k]).toBeGreaterThanOrEqual(a.hit_at_k[k]);
          expect((b.precision_at_k_chunk as Record<string, number>)[k]).toBeGreaterThanOrEqual(
            (a.precision_at_k_chunk as Record<string, number>)[k] as number,
          );
        }
      }),
      LAW_RUNS,
    ));

  it("the order of queries, of results, of hits with ranks and of ids in lists changes no bit", () => {
    const reordered = (
      run: EvalRun,
      golden: GoldenQuery[],
    ): fc.Arbitrary<{ run: EvalRun; golden: GoldenQuery[] }> =>
      fc
        .tuple(
          shuffled(run.results).chain((results) =>
            fc.tuple(
              ...results.map((result) =>
                shuffled(result.hits_top_k).map((hits_top_k) => ({ ...result, hits_top_k })),
              ),
            ),
          ),
          shuffled(golden).chain((queries) =>
            fc.tuple(
              ...queries.map((query) =>
                fc
                  .tuple(shuffled(query.expected_chunk_ids ?? []), shuffled(query.expected_doc_ids ?? []))
                  .map(([chunks, docs]) => ({
                    ...query,
                    ...(query.expected_chunk_ids && { expected_chunk_ids: chunks }),
                    ...(query.expected_doc_ids && { expected_doc_ids: docs }),
                  })),
              ),
            ),
          ),
        )
        .map(([results, queries]) => ({ run: { ...run, results }, golden: queries }));
    const case_ = fc
      .tuple(evalRun, goldenSet)
      .chain(([run, golden]) => reordered(run, golden).map((other) => ({ run, golden, other })));
    fc.assert(
      fc.property(
        case_,
        fc.constantFrom("exact" as const, "docSpan" as const),
        ({ run, golden, other }, matching) => {
          expect(JSON.stringify(computeAggregate(other.run, other.golden, { ...all, matching }))).toBe(
            JSON.stringify(computeAggregate(run, golden, { ...all, matching })),
          );
        },
      ),
      LAW_RUNS,
    );
  });

  law(
    "matching by id and by document and span agree when spans are the chunks' own and disjoint",
    (run, golden) => {
      const exact = computeAggregate(run, golden, all);
      const docSpan = computeAggregate(run, golden, { ...all, matching: "docSpan" });
      expect(docSpan).toEqual(exact);
    },
  );

  law("inputs are left as they are, frozen or not", (run, golden) => {
    const deepFreeze = <T>(value: T): T => {
      if (typeof value === "object" && value !== null) {
        Object.values(value).forEach(deepFreeze);
        Object.freeze(value);
      }
      return value;
    };
    computeAggregate(deepFreeze(run), deepFreeze(golden), { ...all, matching: "docSpan" });
  });

  law("means equal those of BigInt fractions, computed anew from the definitions", (run, golden) => {
    const aggregate = computeAggregate(run, golden);
    const hitsOf = (id: string): readonly SearchHit[] =>
      run.results.find(({ query_id }) => query_id === id)?.hits_top_k ?? [];
    const firstRank = (query: GoldenQuery): number =>
      Math.min(
        Infinity,
        ...hitsOf(query.id)
          .filter(({ chunk_id }) => query.expected_chunk_ids?.includes(chunk_id))
          .map(({ rank }) => rank as number),
      );
    const withChunks = golden.filter(({ expected_chunk_ids = [] }) => expected_chunk_ids.length > 0);
    const withDocs = golden.filter(({ expected_doc_ids = [] }) => expected_doc_ids.length > 0);
    for (const k of [1, 3, 5, 10] as const) {
      expect(aggregate.hit_at_k[k]).toBe(mean(withChunks.map((query) => [firstRank(query) <= k ? 1 : 0, 1])));
      expect((aggregate.precision_at_k_chunk as Record<string, number>)[k]).toBe(
        mean(
          withChunks.map((query) => [
            hitsOf(query.id).filter(
              ({ chunk_id, rank }) => (rank as number) <= k && query.expected_chunk_ids?.includes(chunk_id),
            ).length,
            k,
          ]),
        ),
      );
      expect(aggregate.recall_at_k_doc[k]).toBe(
        mean(
          withDocs.map(({ id, expected_doc_ids = [] }) => [
            expected_doc_ids.filter((doc) =>
              hitsOf(id).some(({ doc_id, rank }) => doc_id === doc && (rank as number) <= k),
            ).length,
            expected_doc_ids.length,
          ]),
        ),
      );
    }
    expect(aggregate.mrr).toBe(
      mean(withChunks.map((query) => (firstRank(query) <= 10 ? [1, firstRank(query)] : [0, 1]))),
    );
  });
});

/** The mean of fractions at 4 decimals, half up, without any code of the product. */
function mean(fractions: readonly (readonly [number, number])[]): number {
  if (fractions.length === 0) return 0;
  let numerator = 0n;
  let denominator = 1n;
  for (const [n, d] of fractions) {
    numerator = numerator * BigInt(d) + BigInt(n) * denominator;
    denominator *= BigInt(d);
  }
  denominator *= BigInt(fractions.length);
  const scaled = (numerator * 20_000n + denominator) / (2n * denominator);
  return Number(`${scaled / 10_000n}.${String(scaled % 10_000n).padStart(4, "0")}`);
}
