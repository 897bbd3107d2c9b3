import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareSystems, evaluate } from "../../src/index.js";
import type { JudgedRanking, Metric } from "../../src/metrics/index.js";
import { lawRuns } from "../support/arbitraries.js";
import { ownMetric } from "../support/own-metric.js";

const ITEMS = ["a", "b", "c", "d", "e", "f"];
const ranking = fc.shuffledSubarray(ITEMS, { maxLength: 5 });
const judgments = fc.dictionary(fc.constantFrom(...ITEMS), fc.constantFrom(0, 1, 2), { maxKeys: 3 });
const collection = fc.array(fc.tuple(ranking, ranking, judgments), { minLength: 1, maxLength: 2 });

/** Of the usual number of cases: each goes through every labelling. */
const SHARE = 0.15;

/** Every way to label some items with 0, 1 or 2. */
function* labellings(items: readonly string[]): Iterable<[string, number][]> {
  const [item, ...rest] = items;
  if (item === undefined) {
    yield [];
    return;
  }
  for (const labels of labellings(rest)) for (const grade of [0, 1, 2]) yield [[item, grade], ...labels];
}

const doubtOf = (
  a: Record<string, string[]>,
  b: Record<string, string[]>,
  judged: Record<string, Record<string, number>>,
  metric: string | Metric,
) =>
  compareSystems(
    [
      { name: "a", run: new Map(Object.entries(a)) },
      { name: "b", run: new Map(Object.entries(b)) },
    ],
    new Map(Object.entries(judged).map(([id, grades]) => [id, new Map(Object.entries(grades))])),
    [metric],
  ).comparisons[0]?.verdict.unjudged;

it("rounding does not turn a difference around: with every label for b it is 0 and no more", () => {
  const a = { q0: ["f", "c", "d", "b", "e"], q1: ["a", "c", "b", "d"] };
  const b = { q0: ["c", "d", "e", "f", "a"], q1: ["f", "e"] };
  const judged = { q0: { a: 1, e: 1, f: 0, z: 1 }, q1: { a: 1, b: 1, d: 0, f: 0, z: 0 } };
  expect(doubtOf(a, b, judged, "P@3")).toMatchObject({ could_overturn: "no" });
});

describe("doubt about unjudged hits", () => {
  it.each(["RR", "Success@2", "AP", "Rprec", "nDCG@3", "IPrec@0.5"])(
    "%s: rankings that are alike stay so, beside others or without",
    (metric) => {
      const same = { q0: ["a", "b", "c"], q1: ["d", "e"] };
      const judged = { q0: { c: 1 }, q1: { e: 1 } };
      expect(doubtOf(same, same, judged, metric)).toMatchObject({
        could_overturn: "no",
        bounds: { low: 0, high: 0 },
      });
    },
  );
  it("of gains that may fall, and of scores that a larger pool moves, is not bounded", () => {
    const [a, b] = [{ q0: ["x", "a"] }, { q0: ["y", "a"] }];
    const judged = { q0: { a: 1, b: 2 } };
    const perPool = ownMetric({
      bounds: "rising",
      score: () => (each: JudgedRanking) => each.hits.ranks.length / Math.max(1, each.pool.length),
    });
    for (const metric of ["nDCG(gains={1:2,2:1})", perPool])
      expect(doubtOf(a, b, judged, metric)).toMatchObject({ could_overturn: "yes", bounds: null });
  });
  it("what alike rankings have unjudged does not count beside a query that is all judged", () => {
    const a = { q0: ["x", "b"], q1: ["d", "e"], q2: ["u", "c"] };
    const b = { ...a, q1: ["e", "d"] };
    const judged = { q0: { b: 1 }, q1: { d: 0, e: 1 }, q2: { c: 1 } };
    expect(doubtOf(a, b, judged, "RR")).toMatchObject({ could_overturn: "no" });
  });
  it.each(["nDCG@3", "P@3", "AP", "RR", "R@3", "RBP", "DCG@3", "Rprec", "Success@3", "IPrec@0.5"])(
    "%s: what is said holds over every possible labelling",
    (metric) =>
      fc.assert(
        fc.property(collection, (queries) => {
          const ids = queries.map((_, index) => `q${index}`);
          const [a, b] = [0, 1].map(
            (side) => new Map(ids.map((id, index) => [id, queries[index]?.[side] as string[]])),
          );
          const qrels = new Map(
            ids.map((id, index) => [id, new Map(Object.entries(queries[index]?.[2] ?? {}))]),
          );
          // The top grade is 2 wherever it is asked for, as in the labels below.
          qrels.set("top", new Map([["x", 2]]));
          const { comparisons } = compareSystems(
            [
              { name: "a", run: a as Map<string, string[]> },
              { name: "b", run: b as Map<string, string[]> },
            ],
            qrels,
            [metric],
            { permutations: 100, resamples: 100 },
          );
          const doubt = comparisons[0]?.verdict.unjudged;
          if (doubt == null) return;
          // Per query the lowest and highest difference; labels of one query are free of those of another.
          const spans = ids.map((id, index) => {
            const [first = [], second = [], judged = {}] = queries[index] ?? [];
            const inView = metric.endsWith("@3") ? 3 : Infinity;
            const unjudged = [...new Set([...first.slice(0, inView), ...second.slice(0, inView)])].filter(
              (item) => !(item in judged),
            );
            const differences = [...labellings(unjudged)].map((labels) => {
              const labelled = new Map([
                [id, new Map([...Object.entries(judged), ...labels])],
                ["top", new Map([["x", 2]])],
              ]);
              const score = (run: readonly string[]): number =>
                evaluate(new Map([[id, run]]), labelled, [metric]).score(id, metric) ?? NaN;
              return score(second) - score(first);
            });
            const now = differences[0] as number;
            return { now, low: Math.min(...differences), high: Math.max(...differences) };
          });
          const mean = (of: (span: (typeof spans)[number]) => number): number =>
            spans.reduce((sum, span) => sum + of(span), 0) / (spans.length + 1);
          const [low, high] = [mean((span) => span.low), mean((span) => span.high)];
          if (doubt.bounds !== null) {
            expect(doubt.bounds.low).toBeLessThanOrEqual(low + 1e-4);
            expect(doubt.bounds.high).toBeGreaterThanOrEqual(high - 1e-4);
          }
          // All labels 0 come first: the difference as it is.
          const now = mean((span) => span.now);
          if (doubt.could_overturn === "yes" && Math.abs(now) > 1e-12)
            expect(now > 0 ? low : -high).toBeLessThan(1e-12);
          if (doubt.could_overturn === "no" && Math.abs(now) > 1e-12)
            expect(now > 0 ? low : -high).toBeGreaterThan(-1e-9);
        }),
        lawRuns(SHARE),
      ),
  );
});
