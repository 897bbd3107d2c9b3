import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawSample, type SampledQuery, type SampleOptions } from "../../src/audit/index.js";

const options = (size: number, seed = 1): SampleOptions => ({
  dataset: "shop",
  tenant: "default",
  size,
  seed,
  sampleId: "s",
  createdAt: "2026-11-23T00:00:00.000Z",
});
const queries = (count: number, strata = 1): SampledQuery[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `q${at}`,
    query: `query ${at}`,
    ...(strata > 1 && { stratum: `kind ${at % strata}` }),
  }));
const drawn = (of: readonly SampledQuery[], size: number, seed = 1): string[] =>
  drawSample(of, options(size, seed)).drawn.map(({ query_id }) => query_id);

describe("a sample for people", () => {
  it("of one seed holds the smaller one, whatever the order of the queries", () => {
    const all = queries(60);
    for (const size of [1, 5, 20, 60]) {
      expect(drawn(all, 60).slice(0, size)).toEqual(drawn(all, size));
      expect(drawn([...all].reverse(), size)).toEqual(drawn(all, size));
    }
    expect(drawn(all, 20, 2)).not.toEqual(drawn(all, 20, 1));
  });

  it("gives kinds their shares by the divisors of Sainte-Laguë: 4 of 5 and 3 of 3", () => {
    const of = Array.from({ length: 8 }, (_, at) => ({
      id: `q${at}`,
      query: `query ${at}`,
      stratum: at < 5 ? "more" : "fewer",
    }));
    const counts = drawSample(of, options(7)).drawn.map(({ query_id }) => Number(query_id.slice(1)) < 5);
    expect(counts.filter(Boolean)).toHaveLength(4);
  });

  it("draws every query as often as any other", () => {
    const counts = new Map<string, number>();
    for (let seed = 0; seed < 2000; seed++)
      for (const id of drawn(queries(10), 3, seed)) counts.set(id, (counts.get(id) ?? 0) + 1);
    // 600 each; a deviation is 20.5.
    for (const count of counts.values()) expect(Math.abs(count - 600)).toBeLessThan(90);
    expect(counts.size).toBe(10);
  });

  it("has of each stratum its share, at least 2, with the probability of the draw", () => {
    fc.assert(
      fc.property(fc.integer({ min: 8, max: 60 }), fc.integer({ min: 1, max: 4 }), (count, strata) => {
        for (const size of [2 * strata, Math.floor(count / 2), count].filter((each) => each >= 2 * strata)) {
          const sample = drawSample(queries(count, strata), options(size));
          expect(sample.drawn).toHaveLength(size);
          expect(new Set(sample.drawn.map(({ query_id }) => query_id)).size).toBe(size);
          expect(sample.frame).toHaveLength(count);
          for (const { name, queries: all, drawn: some } of sample.strata) {
            expect(some).toBeGreaterThanOrEqual(Math.min(2, all));
            for (const { stratum, probability } of sample.drawn)
              if (stratum === name) expect(probability).toBe(some / all);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it("refuses more than there are, and too few for its kinds", () => {
    expect(() => drawSample(queries(5), options(6))).toThrow(/at most the 5 queries/);
    expect(() => drawSample(queries(9, 3), options(5))).toThrow(/5 queries are too few for 3 kinds/);
    expect(() => drawSample(queries(5), options(0))).toThrow(/size/);
  });
});
