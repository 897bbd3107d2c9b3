import { describe, expect, it } from "vitest";
import { chooseSample, nextPairs, twiceScored } from "../../src/audit/index.js";
import { parseMetric } from "../../src/metrics/index.js";
import type { EvalRun } from "../../src/records/index.js";
import { aRun, hit, result } from "../support/records.js";

const run = (...rankings: readonly (readonly string[])[]): EvalRun =>
  aRun({
    results: rankings.map((items, at) => ({
      ...result(`q${at + 1}`, []),
      hits_top_k: items.map((id, place) => ({
        ...hit("", place + 1),
        chunk_id: id,
        doc_id: id,
        rank: place + 1,
      })),
    })),
  });
const grades = (byQuery: Record<string, Record<string, number>>) =>
  new Map(Object.entries(byQuery).map(([id, items]) => [id, new Map(Object.entries(items))]));
const NOBODY = grades({});

describe("the pairs to label next", () => {
  const runs = [run(["a", "b", "c"], ["d"]), run(["b", "a", "e"], ["d"])] as const;
  const next = (metric: string, people = NOBODY, model = NOBODY, size = 10) =>
    nextPairs({ runs, metric: parseMetric(metric), people, model, size });

  it("are weighed by what their label moves: for sums over ranks the difference of their discounts", () => {
    const discount = (rank: number): number => 1 / Math.log2(rank + 1);
    const found = next("DCG@3");
    const gain = 3;
    const weights = new Map(found.map(({ queryId, item, weight }) => [`${queryId} ${item}`, weight]));
    // What both return at one rank moves nothing.
    expect([...weights.keys()].sort()).toEqual(["q1 a", "q1 b", "q1 c", "q1 e"]);
    expect(weights.get("q1 a")).toBeCloseTo(gain * (discount(1) - discount(2)), 12);
    expect(weights.get("q1 c")).toBeCloseTo(gain * discount(3), 12);
    expect(weights.get("q1 e")).toBeCloseTo(gain * discount(3), 12);
  });

  it("come in the order of weight² p (1 - p), equal ones by their ids", () => {
    expect(next("P@3").map(({ item, weight }) => [item, weight])).toEqual([
      ["c", 1 / 3],
      ["e", 1 / 3],
    ]);
    // With two pairs of share (g + 1/2) / 4 added: 1/8 for 0, 5/8 for 2.
    const model = grades({ q1: { c: 0, e: 2 } });
    expect(next("P@3", NOBODY, model).map(({ item, chance, grade }) => [item, grade, chance])).toEqual([
      ["e", 2, 5 / 8],
      ["c", 0, 1 / 8],
    ]);
    expect(next("P@3", NOBODY, model, 1).map(({ item }) => item)).toEqual(["e"]);
  });

  it("are asked for once where queries have one text, and weigh what the label moves in all", () => {
    const again = [run(["a"], ["c"], ["a"]), run(["b"], ["d"], ["b"])] as const;
    const texts = new Map([
      ["q1", "shoe"],
      ["q2", "hat"],
      ["q3", "shoe"],
    ]);
    const metric = parseMetric("P@1");
    const found = nextPairs({ runs: again, metric, people: NOBODY, model: NOBODY, texts, size: 10 });
    expect(found.map(({ queryId, item, weight }) => [queryId, item, weight])).toEqual([
      ["q1", "a", 2],
      ["q1", "b", 2],
      ["q2", "c", 1],
      ["q2", "d", 1],
    ]);
    // To one side and to the other: a label of either item changes nothing.
    const apart = [run(["a"], ["c"], ["b"]), run(["b"], ["c"], ["a"])] as const;
    expect(nextPairs({ runs: apart, metric, people: NOBODY, model: NOBODY, texts, size: 10 })).toEqual([]);
    const people = grades({ q1: { a: 3 }, q3: { a: 3 } });
    const [next] = nextPairs({ runs: again, metric, people, model: NOBODY, texts, size: 1 });
    // One relevant pair of one, not two of two: (1 + 2 x 1/2) / (1 + 2).
    expect(next).toMatchObject({ item: "b", chance: 2 / 3 });
  });

  it("learn from people what a grade of the model means, and leave out what people labelled", () => {
    const model = grades({ q1: { c: 2, e: 2 }, q9: { x: 2, y: 2, z: 2 } });
    const people = grades({ q1: { e: 3 }, q9: { x: 0, y: 0, z: 1 } });
    // One of four with grade 2 is relevant: (1 + 2 x 5/8) / (4 + 2).
    expect(next("P@3", people, model)).toEqual([
      { queryId: "q1", item: "c", weight: 1 / 3, grade: 2, chance: 2.25 / 6 },
    ]);
  });

  it("take what a query without hits in one run returns in the other", () => {
    const found = nextPairs({
      runs: [run([]), run(["a"])],
      metric: parseMetric("RR"),
      people: NOBODY,
      model: NOBODY,
      size: 5,
    });
    expect(found).toMatchObject([{ item: "a", weight: 1, chance: 1 / 2 }]);
    expect(() => next("P@3", NOBODY, NOBODY, 0)).toThrow("size must be");
  });

  it("are kept as chosen, from which nothing follows for other queries", () => {
    const sample = chooseSample(next("P@3"), {
      dataset: "shop",
      tenant: "default",
      sampleId: "s",
      createdAt: "2026-11-23T00:00:00.000Z",
    });
    expect(sample).toMatchObject({ purpose: "next", unit: "pair", drawn: [], frame: [] });
    expect(sample.pairs?.[0]).toEqual({ query_id: "q1", item: "c", weight: 1 / 3, probability: null });
  });
});

describe("scores by two sets of labels", () => {
  const systems = [
    { name: "one", run: run(["a", "b"], ["c"]) },
    { name: "two", run: run(["b", "a"], ["d"]) },
  ];
  const metric = parseMetric("nDCG@2");
  const first = grades({ q1: { a: 3, b: 0, z: 3 }, q2: { c: 1 } });
  it("are of queries of which all in view has both labels, with an ideal over what has both", () => {
    const second = grades({ q1: { a: 0, b: 3 }, q2: { c: 1, d: 2 } });
    const half = expect.closeTo(1 / Math.log2(3), 12) as number;
    // z would be in the ideal of the first labels alone; of q2 the second system shows what the first do not
    // know.
    expect(twiceScored(systems, metric, { first, second })).toEqual([
      { name: "one", first: [1], second: [half] },
      { name: "two", first: [half], second: [1] },
    ]);
  });
  it("are none where nothing is whole", () => {
    expect(twiceScored(systems, metric, { first, second: NOBODY })).toEqual([
      { name: "one", first: [], second: [] },
      { name: "two", first: [], second: [] },
    ]);
  });
});
