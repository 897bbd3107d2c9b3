import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluate } from "../../src/evaluate/index.js";
import { boundsOf } from "../../src/evaluate/unjudged-bounds.js";
import {
  judgeRanking,
  metricCatalog,
  parseMetric,
  type JudgedRanking,
  type Metric,
} from "../../src/metrics/index.js";
import { LAW_RUNS, lawRuns } from "../support/arbitraries.js";
import { present } from "../support/present.js";

const TOP_GRADE = 3;
const UNJUDGED = null;

/** Hits of one query: a score (few values, so that there are ties) and a grade. */
const hits = fc.array(
  fc.record({
    score: fc.integer({ min: 0, max: 2 }),
    grade: fc.oneof(fc.constant(UNJUDGED), fc.integer({ min: 0, max: TOP_GRADE })),
  }),
  { maxLength: 7 },
);
/** Grades of judged items that were not found. */
const missed = fc.array(fc.integer({ min: 0, max: TOP_GRADE }), { maxLength: 3 });

type Hits = readonly { readonly score: number; readonly grade: number | null }[];

function qrelsOf(list: Hits, others: readonly number[]): Map<string, Map<string, number>> {
  // One judgment there must be, or the query is not a judged one.
  const grades = new Map<string, number>([["never found", 0]]);
  list.forEach(({ grade }, index) => {
    if (grade !== UNJUDGED) grades.set(`d${index}`, grade);
  });
  others.forEach((grade, index) => grades.set(`missed${index}`, grade));
  // An item of the top grade for another query fixes the scale.
  return new Map([
    ["q", grades],
    ["other", new Map([["x", TOP_GRADE]])],
  ]);
}

const runOf = (ids: readonly string[], scores: readonly number[]): Map<string, Map<string, number>> =>
  new Map([["q", new Map(ids.map((id, index) => [id, scores[index] as number]))]]);

function permutations<T>(items: readonly T[]): T[][] {
  return items.length === 0
    ? [[]]
    : items.flatMap((item, index) =>
        permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
      );
}

/** All orders of a list by score in which tied hits stand in every way. */
function ordersOf(list: Hits): string[][] {
  const groups = [2, 1, 0].map((score) =>
    list.flatMap((hit, index) => (hit.score === score ? [`d${index}`] : [])),
  );
  return groups.reduce<string[][]>(
    (orders, group) =>
      orders.flatMap((order) => permutations(group).map((permuted) => [...order, ...permuted])),
    [[]],
  );
}

const ranked = (order: readonly string[]): Map<string, readonly string[]> => new Map([["q", order]]);
const scoreOf = (
  run: Parameters<typeof evaluate>[0],
  qrels: Parameters<typeof evaluate>[1],
  metric: Metric,
): number => evaluate(run, qrels, [metric]).score("q", metric.name) as number;

/** A few metrics of every kind that has an exact expectation. */
const withExpectation: Metric[] = metricCatalog.flatMap((factory) => {
  const { cutoff, needs } = factory.definition;
  if (needs !== undefined) return [];
  const metrics =
    cutoff === "required"
      ? [factory({ cutoff: 1 }), factory({ cutoff: 3 })]
      : cutoff === "optional"
        ? [factory(), factory({ cutoff: 2 })]
        : cutoff === "recall level"
          ? []
          : [factory()];
  return metrics.filter(({ expected, linear }) => expected !== undefined || linear !== undefined);
});

describe("ties: expected is the mean over all orders of tied hits", () => {
  it.each(withExpectation.map((metric) => [metric.name, metric] as const))("%s", (name, metric) => {
    fc.assert(
      fc.property(hits, missed, (list, others) => {
        const qrels = qrelsOf(list, others);
        const orders = ordersOf(list);
        const mean =
          orders.reduce((sum, order) => sum + scoreOf(ranked(order), qrels, metric), 0) / orders.length;
        const run = runOf(
          list.map((_, index) => `d${index}`),
          list.map(({ score }) => score),
        );
        expect(evaluate(run, qrels, [metric], { ties: "expected" }).score("q", name)).toBeCloseTo(mean, 10);
      }),
      lawRuns(0.1),
    );
  });
  it.each(["Bpref", "infAP", "IPrec@0.5", "Compat", "INST", "BPM@10", "Accuracy", "G"])(
    "%s has no exact form, and says so",
    (name) => {
      expect(() => evaluate(new Map(), new Map(), [name], { ties: "expected" })).toThrow(
        "has no exact form for the mean over all orders of tied hits",
      );
    },
  );
});

describe("the tie spread is the worst and the best over all orders of tied hits", () => {
  it.each(["nDCG", "AP", "RR", "P@3", "R@2", "ERR@3", "RBP", "F@3"])("%s", (name) => {
    const metric = parseMetric(name);
    fc.assert(
      fc.property(hits, missed, (list, others) => {
        const qrels = qrelsOf(list, others);
        const scores = ordersOf(list).map((order) => scoreOf(ranked(order), qrels, metric));
        const run = runOf(
          list.map((_, index) => `d${index}`),
          list.map(({ score }) => score),
        );
        const { low, high } = present(
          evaluate(run, new Map([["q", present(qrels.get("q"))]]), [metric], { tieSpread: true })
            .aggregates[0]?.tieSpread,
        );
        expect(low).toBeCloseTo(Math.min(...scores), 12);
        expect(high).toBeCloseTo(Math.max(...scores), 12);
      }),
      lawRuns(0.1),
    );
  });
});

/** Every way to grade some unjudged hits. */
function labellings(ids: readonly string[]): Map<string, number>[] {
  return ids.reduce<Map<string, number>[]>(
    (all, id) =>
      all.flatMap((labels) =>
        Array.from({ length: TOP_GRADE + 1 }, (_, grade) => new Map([...labels, [id, grade]])),
      ),
    [new Map()],
  );
}

const bounded: Metric[] = metricCatalog.flatMap((factory) => {
  const { cutoff, bounds } = factory.definition;
  if (bounds === undefined) return [];
  if (cutoff === "recall level") return [factory({ cutoff: 0 }), factory({ cutoff: 0.5 })];
  return cutoff === "required"
    ? [factory({ cutoff: 1 }), factory({ cutoff: 3 })]
    : cutoff === "optional"
      ? [factory(), factory({ cutoff: 2 })]
      : [factory()];
});

describe("bounds are the minimum and the maximum over every labelling of the unjudged hits in view", () => {
  it.each(
    [
      ...bounded,
      parseMetric("nDCG(dcg='exp-log2')@4"),
      parseMetric("P(rel=2)@3"),
      parseMetric("AP(rel=3)"),
    ].map((metric) => [metric.name, metric] as const),
  )("%s", (_, metric) => {
    const depth = metric.definition.cutoff === "recall level" ? Infinity : (metric.cutoff ?? Infinity);
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof({ weight: 2, arbitrary: fc.constant(UNJUDGED) }, fc.integer({ min: 0, max: TOP_GRADE })),
          { maxLength: 5 },
        ),
        missed,
        (grades, others) => {
          const list = grades.map((grade, index) => ({ score: -index, grade }));
          const order = list.map((_, index) => `d${index}`);
          const qrels = qrelsOf(list, others);
          const judged = present(qrels.get("q"));
          const inView = order.slice(0, depth).filter((id) => !judged.has(id));
          const scores = labellings(inView).map((labels) =>
            scoreOf(ranked(order), new Map([["q", new Map([...judged, ...labels])]]), metric),
          );
          const evaluation = evaluate(ranked(order), qrels, [metric], {
            queries: "intersection",
            bounds: true,
          });
          const { bounds, value } = present(evaluation.aggregates[0]);
          const { low, high } = present(bounds);
          const isGeometric = metric.definition.aggregate?.name === "geometric mean";
          const wanted = (score: number): number => (isGeometric ? Math.max(score, 0.00001) : score);
          expect(low).toBeCloseTo(wanted(Math.min(...scores)), 10);
          expect(high).toBeCloseTo(wanted(Math.max(...scores)), 10);
          expect(value).toBeGreaterThanOrEqual(low - 1e-12);
          expect(value).toBeLessThanOrEqual(high + 1e-12);
        },
      ),
      lawRuns(0.2),
    );
  });
});

describe("bounds of long rankings by counted metrics are those of trying every number of labels", () => {
  const METRICS = metricCatalog
    .filter(({ definition }) => definition.bounds === "counted")
    .flatMap((factory) => {
      const { cutoff } = factory.definition;
      const cutoffs = {
        required: [5, 40],
        optional: [undefined, 10],
        none: [undefined],
        "recall level": [0.3],
      };
      return cutoffs[cutoff].flatMap((at) =>
        ("rel" in factory.definition.parameters ? [{ rel: 1 }, { rel: 2 }, { rel: 4 }] : [{}]).map(
          (parameters) => factory({ ...(at !== undefined && { cutoff: at }), parameters }),
        ),
      );
    });
  const grade = fc.integer({ min: 0, max: TOP_GRADE });
  const lists = fc.tuple(
    fc.array(fc.option(grade, { freq: 3 }), { maxLength: 60 }),
    fc.array(grade, { maxLength: 30 }),
  );
  it.each(METRICS.map((metric) => [metric.name, metric] as const))("%s", (_, metric) => {
    fc.assert(
      fc.property(lists, ([list, others]) => {
        const known = list.flatMap((each, index) => (each === null ? [] : [{ rank: index + 1, of: each }]));
        const depth = metric.definition.cutoff === "recall level" ? Infinity : (metric.cutoff ?? Infinity);
        const unjudged = list.flatMap((each, index) => (each === null && index < depth ? [index + 1] : []));
        const labelled = (labels: readonly number[]): JudgedRanking => {
          const hits = [...known, ...labels.map((rank) => ({ rank, of: TOP_GRADE }))].sort(
            (a, b) => a.rank - b.rank,
          );
          const grades = hits.map(({ of }) => of);
          return judgeRanking(
            hits.map(({ rank }) => rank),
            grades,
            [...grades, ...others],
            list.length,
          );
        };
        const counts = [...unjudged.keys(), unjudged.length];
        const scores = (from: (count: number) => number[]): number[] =>
          counts.map((count) => metric.score(labelled(from(count))));
        expect(boundsOf(metric, TOP_GRADE)?.(labelled([]))).toEqual({
          low: Math.min(...scores((count) => unjudged.slice(unjudged.length - count))),
          high: Math.max(...scores((count) => unjudged.slice(0, count))),
        });
      }),
      LAW_RUNS,
    );
  });
});
