import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aggregateFields } from "../../src/records/aggregate-fields.js";
import { compareRuns, renderReportMd } from "../../src/index.js";
import { parseCompareReport } from "../../src/formats/index.js";
import { parseMetric } from "../../src/metrics/index.js";
import type { EvalRun } from "../../src/records/index.js";
import { CHUNKS, evalRun, goldenSet, LAW_RUNS, lawRuns } from "../support/arbitraries.js";

/**
 * The chunks of another chunker that, to make it harder, numbers its chunks alike: same ids, other places.
 */
const rechunked = new Map(
  CHUNKS.map((chunk, index) => [
    chunk.chunk_id,
    {
      ...chunk,
      chunker_version: "v2",
      source_spans: [{ kind: "line" as const, start: 1 + (index % 4) * 2, end: 4 + (index % 4) * 2 }],
    },
  ]),
);
const corpus = { chunks: [...CHUNKS, ...rechunked.values()] };

function ofOtherChunker(run: EvalRun): EvalRun {
  const results = run.results.map((result) => ({
    ...result,
    hits_top_k: result.hits_top_k.map((hit) => ({ ...hit, ...rechunked.get(hit.chunk_id) })),
  }));
  return { ...run, config_snapshot: { chunker_version: "v2" }, results };
}

const pair = fc.tuple(evalRun, evalRun, goldenSet, fc.boolean()).map(([a, b, golden, otherChunker]) => ({
  a: { ...a, run_id: "a" },
  b: { ...(otherChunker ? ofOtherChunker(b) : b), run_id: "b" },
  golden,
}));

function numbersIn(value: unknown): number[] {
  const found: number[] = [];
  JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === "number") found.push(part);
    return part;
  });
  return found;
}

/** Draws are not what these laws are about. */
const FAST = { permutations: 100, resamples: 100 };
const MIRROR = { win: ["loss", "regression"], loss: ["win"], regression: ["win"], draw: ["draw"] };

describe("laws of the comparison", () => {
  it("a run against itself is all draws and zero deltas", () =>
    fc.assert(
      fc.property(evalRun, goldenSet, (run, golden) => {
        const report = compareRuns(run, run, golden, { corpus, statistics: false });
        expect(
          report.per_query.every(
            ({ kind, note, gained_chunks, lost_chunks }) =>
              kind === "draw" && note === null && gained_chunks.length + lost_chunks.length === 0,
          ),
        ).toBe(true);
        expect(numbersIn(report.deltas).every((delta) => Object.is(delta, 0))).toBe(true);
        expect(report.causes).toEqual([]);
        expect(report.config_diff).toEqual([]);
      }),
      LAW_RUNS,
    ));

  it("swapping the runs negates every delta and exchanges wins with losses and regressions", () =>
    fc.assert(
      fc.property(pair, ({ a, b, golden }) => {
        const there = compareRuns(a, b, golden, { corpus, statistics: false });
        const back = compareRuns(b, a, golden, { corpus, statistics: false });
        expect(numbersIn(back.deltas)).toEqual(numbersIn(there.deltas).map((delta) => 0 - delta));
        expect(back.aggregate_a).toEqual(there.aggregate_b);
        expect(back.aggregate_b).toEqual(there.aggregate_a);
        there.per_query.forEach((query, index) => {
          const other = back.per_query[index];
          expect(MIRROR[query.kind]).toContain(other?.kind);
          expect([other?.a_hit_rank, other?.b_hit_rank]).toEqual([query.b_hit_rank, query.a_hit_rank]);
          expect([other?.gained_chunks, other?.lost_chunks]).toEqual([
            query.lost_chunks,
            query.gained_chunks,
          ]);
        });
      }),
      LAW_RUNS,
    ));

  it("the statistics have the means of the aggregates, and the differences of the deltas", () =>
    fc.assert(
      fc.property(pair, ({ a, b, golden }) => {
        const { statistics, aggregate_a, aggregate_b, deltas } = compareRuns(a, b, golden, {
          corpus,
          metrics: [parseMetric("nDCG@3"), parseMetric("AP")],
          statistics: FAST,
        });
        const [{ metrics = [] } = {}] = statistics?.comparisons ?? [];
        for (const {
          label,
          support,
          path: [field, key],
        } of [
          ...aggregateFields,
          ...["nDCG@3", "AP"].map((name) => ({
            label: name,
            support: name,
            path: ["metrics", name] as const,
          })),
        ]) {
          const tested = metrics.find(({ metric }) => metric === label);
          // Results outside the golden set count in this rate, and have no pair.
          if (tested === undefined || field === "empty_result_rate") continue;
          const at = (record: object): unknown =>
            key === undefined
              ? (record as Record<string, unknown>)[field]
              : (record as Record<string, Record<string, unknown>>)[field]?.[key];
          if (tested.pairs !== aggregate_a.support[support] || tested.pairs !== aggregate_b.support[support])
            continue;
          expect([label, tested.mean_a, tested.mean_b, tested.difference]).toEqual([
            label,
            at(aggregate_a),
            at(aggregate_b),
            at(deltas),
          ]);
        }
      }),
      lawRuns(0.2),
    ));

  it("what is written and read back is the same bytes, and renders", () =>
    fc.assert(
      fc.property(pair, ({ a, b, golden }) => {
        const report = compareRuns(a, b, golden, { corpus, statistics: FAST });
        const text = JSON.stringify(report);
        const again = parseCompareReport(text);
        expect(JSON.stringify(again)).toBe(text);
        expect(renderReportMd(again)).toBe(renderReportMd(report));
        expect(text).not.toMatch(/NaN|Infinity|-0[,}\]]/);
      }),
      lawRuns(0.2),
    ));
});
