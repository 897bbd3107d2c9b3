import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluate } from "../../src/evaluate/index.js";
import { fullFusionName, fuse, rankByScore, type ScoredRun } from "../../src/fusion/index.js";
import { tuneFusion } from "../../src/fusion-tuning/index.js";
import { choosePoint } from "../../src/fusion-tuning/choose-point.js";
import { familyOf } from "../../src/fusion-tuning/families.js";
import { CurveFamily } from "../../src/fusion-tuning/family.js";
import { fuseQueries } from "../../src/fusion-tuning/fused-queries.js";
import { gainTest } from "../../src/fusion-tuning/gain-test.js";
import { parseMetric } from "../../src/metrics/index.js";
import { prepareQrels } from "../../src/records/qrels.js";
import { maxT } from "../../src/stats/index.js";
import { LAW_RUNS } from "../support/arbitraries.js";
import { madeSearch } from "./searches.js";

const IDS = ["__proto__", "10", "2", "", "\u00e9", "e\u0301", "🙂", "a", "b", "c", "d", "e"];
const METHODS = ["wsum", "wmnz", "mixed", "w_bordafuse"];
const NORMALIZERS = ["min-max", "zmuv", "none", "rank", "borda", "sum"];
const METRICS = [
  "nDCG@3",
  "AP",
  "RR@5",
  "P@2",
  "R@4",
  "bpref",
  "nDCG(judged_only=True)@3",
  "RBP",
  "Success@1",
];

/** Scores of few digits, so that lines meet in one point and lie on each other. */
const run: fc.Arbitrary<ScoredRun> = fc
  .array(
    fc
      .uniqueArray(fc.constantFrom(...IDS), { maxLength: IDS.length })
      .chain((ids) =>
        fc
          .array(fc.integer({ min: -3, max: 6 }), { minLength: ids.length, maxLength: ids.length })
          .map((scores) => rankByScore(ids, scores)),
      ),
    { minLength: 4, maxLength: 4 },
  )
  .map((rankings) => new Map(rankings.map((ranking, query) => [`q${query}`, ranking])));
const qrels = fc
  .array(fc.dictionary(fc.constantFrom(...IDS), fc.integer({ min: -1, max: 3 }), { minKeys: 1 }), {
    minLength: 4,
    maxLength: 4,
  })
  .map((queries) =>
    prepareQrels(new Map(queries.map((grades, query) => [`q${query}`, new Map(Object.entries(grades))]))),
  );

function curveOf(
  a: ScoredRun,
  b: ScoredRun,
  judged: Parameters<typeof fuseQueries>[1],
  metric: string,
  [method, normalize]: readonly [string, string],
): CurveFamily {
  const queries = fuseQueries([a, b], judged, parseMetric(metric));
  return familyOf(
    { method, normalize },
    {
      queries,
      runNames: ["a", "b"],
      rule: "plateau",
      runs: [a, b],
      qrels: judged,
      groups: [...queries.keys()],
      seen: () => undefined,
    },
  ) as CurveFamily;
}

/** The score of every query when runs are fused with a weight. */
function direct(
  a: ScoredRun,
  b: ScoredRun,
  judged: Parameters<typeof fuseQueries>[1],
  metric: string,
  [method, normalize]: readonly [string, string],
  weight: number,
): Float64Array {
  const fused = fuse([a, b], { method: `${method}(weights=${1 - weight}/${weight})`, normalize });
  return evaluate(fused, judged, [metric]).columns[0] as Float64Array;
}

/** Whether a weight lies so near to a step that rounding decides. */
function isNearStep({ curve }: CurveFamily, weight: number): boolean {
  return curve.starts.some((start) => start > 0 && Math.abs(start - weight) < 1e-9);
}

describe("the curve of a weight", () => {
  it("is at any weight what fusing and scoring gives, for every query", () => {
    fc.assert(
      fc.property(
        run,
        run,
        qrels,
        fc.constantFrom(...METRICS),
        fc.tuple(fc.constantFrom(...METHODS), fc.constantFrom(...NORMALIZERS)),
        fc.array(fc.double({ min: 0.001, max: 0.999, noNaN: true }), { minLength: 5, maxLength: 5 }),
        (a, b, judged, metric, how, weights) => {
          const family = curveOf(a, b, judged, metric, how);
          for (const weight of weights) {
            if (isNearStep(family, weight)) continue;
            const scores = direct(a, b, judged, metric, how, weight);
            scores.forEach((score, query) =>
              expect(family.curve.functions.at(query, weight), `w = ${weight}`).toBeCloseTo(score, 12),
            );
          }
        },
      ),
      LAW_RUNS,
    );
  });

  it("brings items with one and the same line in by their ids, also when one of them was in before", () => {
    // The law above found it: e\u0301 was overtaken, and stood behind the others of its line.
    const a = new Map([
      ["q", { ids: ["e", "d", "\u00e9", "e\u0301", "c", "b", "10"], scores: [0, 0, -1, -1, -1, -1, -1] }],
    ]);
    const b = new Map([["q", { ids: ["\u00e9", "d"], scores: [1, 0] }]]);
    const judged = prepareQrels({ q: { c: 1 } });
    const family = curveOf(a, b, judged, "nDCG@3", ["mixed", "zmuv"]);
    for (const weight of [0.1, 0.6697, 0.67, 0.9])
      expect(family.curve.functions.at(0, weight)).toBe(
        direct(a, b, judged, "nDCG@3", ["mixed", "zmuv"], weight)[0],
      );
  });

  it("is nowhere on a grid above its maximum", () => {
    const { a, b, qrels: judged } = madeSearch(3, 25, "better");
    const prepared = prepareQrels(judged);
    for (const metric of ["nDCG@10", "AP", "P@5"]) {
      const family = curveOf(a, b, prepared, metric, ["wsum", "min-max"]);
      const all = [...prepared.queries.keys()].map((_, query) => query);
      const { maximum } = choosePoint(family.curve, all, [], "plateau");
      for (let point = 0; point <= 100; point++) {
        const scores = direct(a, b, prepared, metric, ["wsum", "min-max"], point / 100);
        expect(scores.reduce((sum, score) => sum + score, 0) / scores.length).toBeLessThan(maximum + 1e-12);
      }
    }
  });

  it("changes by no query but the one that is added", () => {
    const { a, b, qrels: judged } = madeSearch(4, 12, "equal");
    const steps = (ids: readonly string[]): Map<string, number[][]> => {
      const kept = prepareQrels(new Map([...judged].filter(([id]) => ids.includes(id))));
      const { functions } = curveOf(a, b, kept, "nDCG@10", ["wsum", "min-max"]).curve;
      return new Map(
        [...kept.queries.keys()].sort().map((id, query): [string, number[][]] => {
          const [from, to] = functions.range(query);
          return [
            id,
            Array.from({ length: to - from }, (_, at) => [
              functions.start(from + at),
              functions.value(from + at),
            ]),
          ];
        }),
      );
    };
    const all = steps([...judged.keys()]);
    const some = steps([...judged.keys()].filter((_, at) => at % 3 !== 0));
    for (const [id, own] of some) expect(own).toEqual(all.get(id));
  });

  it("is turned round where the runs are", () => {
    const { a, b, qrels: judged } = madeSearch(5, 10, "better");
    const prepared = prepareQrels(judged);
    const there = curveOf(a, b, prepared, "nDCG@10", ["wsum", "min-max"]).curve;
    const back = curveOf(b, a, prepared, "nDCG@10", ["wsum", "min-max"]).curve;
    expect(back.starts.length).toBe(there.starts.length);
    for (let cell = 0; cell < there.starts.length; cell++) {
      const middle = ((there.starts[cell] ?? 0) + there.end(cell)) / 2;
      expect(back.sums[back.cellAt(1 - middle)]).toBeCloseTo(there.sums[cell] ?? NaN, 9);
    }
  });

  it("has for a part of the queries what is left when the others are taken away", () => {
    const { a, b, qrels: judged } = madeSearch(6, 15, "equal");
    const prepared = prepareQrels(judged);
    const { curve } = curveOf(a, b, prepared, "nDCG@10", ["wsum", "min-max"]);
    const left = [1, 4, 9];
    const sums = curve.without(left);
    for (let cell = 0; cell < sums.length; cell++) {
      const middle = ((curve.starts[cell] ?? 0) + curve.end(cell)) / 2;
      const sum = Array.from({ length: 15 }, (_, query) => query)
        .filter((query) => !left.includes(query))
        .reduce((total, query) => total + curve.functions.at(query, middle), 0);
      expect(sums[cell]).toBeCloseTo(sum, 10);
    }
  });
});

describe("what a held-out query has no say in", () => {
  it("is the point that the others choose, which is that of a search without it", () => {
    fc.assert(
      fc.property(
        run,
        run,
        qrels,
        fc.constantFrom("nDCG@3", "AP", "RR@5"),
        fc.tuple(fc.constantFrom(...METHODS), fc.constantFrom("min-max", "none", "rank")),
        (a, b, judged, metric, how) => {
          const ids = [...judged.queries.keys()].sort();
          const whole = curveOf(a, b, judged, metric, how);
          for (const [left, id] of ids.entries()) {
            const others = new Map([...judged.queries].filter(([other]) => other !== id));
            const alone = curveOf(a, b, { ...judged, queries: others }, metric, how);
            const wanted = alone.choose([...others.keys()].map((_, query) => query));
            const chosen = whole.choose(ids.flatMap((_, query) => (query === left ? [] : [query])));
            expect(chosen.method.name).toBe(wanted.method.name);
            const { normalizer } = whole;
            const fused = fuse([a, b], { method: chosen.method, normalize: normalizer });
            expect(chosen.score(left)).toBe(evaluate(fused, judged, [metric]).columns[0]?.[left]);
          }
        },
      ),
      LAW_RUNS,
    );
  });
});

describe("what a held-out query has no say in, of several families", () => {
  it("is which of them the others choose", () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const { a, b, qrels: judged } = madeSearch(seed, 12, "equal");
      const search = ["min-max", "zmuv", "rank"].map((normalize) => ({ method: "wsum", normalize }));
      const chosen = (qrels: typeof judged) =>
        tuneFusion([a, b], qrels, "nDCG@10", { search, validation: { kind: "leave_one_out" } });
      const whole = chosen(judged);
      for (const [id, held] of whole.heldOut) {
        const { chosen: alone } = chosen(new Map([...judged].filter(([other]) => other !== id))).report;
        expect([id, fullFusionName(held.method), held.normalizer.name]).toEqual([
          id,
          alone.method,
          alone.normalize,
        ]);
      }
    }
  });
});

describe("the p value of a search", () => {
  it("is that of the largest t over all cells, as if each were a variant", () => {
    for (const seed of [1, 2, 3, 4]) {
      const { a, b, qrels: judged } = madeSearch(seed, 9, "equal");
      const { curve } = curveOf(a, b, prepareQrels(judged), "nDCG@10", ["wsum", "min-max"]);
      const current = Array.from({ length: 9 }, (_, query) => curve.functions.at(query, 0.31));
      const columns = Array.from(curve.starts, (start, cell) =>
        current.map((score, query) => {
          const gain = curve.functions.at(query, (start + curve.end(cell)) / 2) - score;
          return Math.abs(gain) < 1e-12 ? 0 : gain;
        }),
      );
      const wanted = maxT(columns, { statistic: "t", alternative: "greater" });
      const apart = current.map((_, query) => query);
      const got = gainTest([curve], current, apart, 1);
      expect(got.isExact).toBe(true);
      expect(got.p).toBeCloseTo(wanted.p, 12);
    }
  });
});
