import { describe, expect, it } from "vitest";
import {
  completeSample,
  drawPairs,
  drawSample,
  type SampledPair,
  type SampledQuery,
} from "../../src/audit/index.js";
import { auditSampleSchema } from "../../src/records/schema/index.js";

const LANGUAGES = ["de", "en", "en", "en", "fr", "en"];
const queries: SampledQuery[] = Array.from({ length: 60 }, (_, at) => ({
  id: at === 7 ? "__proto__" : `q${at}`,
  query: `words ${at}`,
  stratum: LANGUAGES[at % 6],
}));
const plain = queries.map(({ id, query }) => ({ id, query }));
const source = { dataset: "shop", tenant: "default", sampleId: "s", createdAt: "2026-11-22T10:15:00.000Z" };
const draw = (all: readonly SampledQuery[], size: number, seed = 1) =>
  drawSample(all, { ...source, size, seed });
const idsOf = (drawn: readonly { readonly query_id: string }[]): string[] =>
  drawn.map(({ query_id }) => query_id).sort();

describe("a sample of queries", () => {
  it("has the probability by which each was drawn, and what it was drawn from", () => {
    const sample = draw(plain, 15);
    expect(auditSampleSchema.parse(sample)).toEqual(sample);
    expect(sample).toMatchObject({ purpose: "estimate", unit: "query", seed: 1 });
    expect(sample.frame).toHaveLength(60);
    expect(sample.strata).toEqual([{ name: "all", queries: 60, drawn: 15 }]);
    expect(new Set(sample.drawn.map(({ probability }) => probability))).toEqual(new Set([15 / 60]));
  });

  it.each([plain, queries])(
    "of a larger size holds the smaller one of its seed, also by strata",
    (...all) => {
      for (let size = 6; size < 60; size++) {
        const [smaller, larger] = [idsOf(draw(all, size).drawn), new Set(idsOf(draw(all, size + 1).drawn))];
        expect(smaller.filter((id) => !larger.has(id))).toEqual([]);
      }
    },
  );

  it("does not depend on the order of the queries, and does on the seed", () => {
    expect(idsOf(draw([...plain].reverse(), 9).drawn)).toEqual(idsOf(draw(plain, 9).drawn));
    expect(idsOf(draw(plain, 9, 2).drawn)).not.toEqual(idsOf(draw(plain, 9).drawn));
  });

  it("has of each kind its share, and never fewer than 2", () => {
    const { strata, drawn } = draw(queries, 12);
    expect(strata).toEqual([
      { name: "de", queries: 10, drawn: 2 },
      { name: "en", queries: 40, drawn: 8 },
      { name: "fr", queries: 10, drawn: 2 },
    ]);
    expect(drawn.find(({ stratum }) => stratum === "en")?.probability).toBe(8 / 40);
    expect(draw(queries, 6).strata.map((stratum) => stratum.drawn)).toEqual([2, 2, 2]);
  });

  it("draws as many of each kind as it is told", () => {
    const counts = new Map([
      ["de", 10],
      ["en", 3],
      ["fr", 2],
    ]);
    const sample = drawSample(queries, { ...source, size: 15, seed: 4, counts });
    expect(sample.strata.map(({ drawn }) => drawn)).toEqual([10, 3, 2]);
  });

  it("draws each query about as often as it says", () => {
    const times = new Map<string, number>();
    for (let seed = 0; seed < 2000; seed++)
      for (const id of idsOf(draw(plain, 15, seed).drawn)) times.set(id, (times.get(id) ?? 0) + 1);
    // 2000 x 1/4, five standard deviations of a binomial count.
    for (const { id } of plain) expect(Math.abs((times.get(id) ?? 0) - 500), id).toBeLessThan(97);
  });

  it.each([
    [() => draw(plain, 61), "at most the 60 queries"],
    [() => draw(plain, 0), "size"],
    [() => draw(queries, 5), "5 queries are too few for 3 kinds: at least 2 of each, 6 in all"],
    [() => drawSample(queries, { ...source, size: 1, seed: 1, counts: new Map([["xx", 2]]) }), "`xx`"],
    [
      () => drawSample(queries, { ...source, size: 1, seed: 1, counts: new Map([["de", 1]]) }),
      "from 2 to 10 for the kind `de`, got `1`",
    ],
  ])("refuses what cannot be drawn %#", (drawing, message) => expect(drawing).toThrow(message));
});

describe("a sample of pairs", () => {
  const pairs: SampledPair[] = plain.flatMap(({ id }, at) =>
    Array.from({ length: 5 }, (_, rank) => ({
      queryId: id,
      item: `i${rank}`,
      weight: rank === 4 ? 0 : (at % 2 === 0 ? 1 : -1) / (rank + 1),
      spread: rank === 3 ? 0 : 1,
    })),
  );
  const drawn = (size: number, seed = 1) => drawPairs(plain, pairs, { ...source, size, seed });

  it("prefers pairs that move much, and leaves out only what moves nothing", () => {
    const times = new Map<string, number>();
    let all = 0;
    for (let seed = 0; seed < 300; seed++)
      for (const { item, probability, weight } of drawn(40, seed).pairs ?? []) {
        all++;
        times.set(item, (times.get(item) ?? 0) + 1);
        expect(probability).toBeGreaterThan(0);
        expect(Math.abs(weight as number)).toBeGreaterThan(0);
      }
    // The sum of the probabilities is the size.
    expect(Math.abs(all / 300 - 40)).toBeLessThan(1.5);
    expect(times.get("i0")).toBeGreaterThan(1.5 * (times.get("i1") as number));
    // By the floor, though its spread is 0: a tenth of 40 / 240 for each of 60.
    expect(times.get("i3")).toBeGreaterThan(200);
    expect(times.has("i4")).toBe(false);
  });

  it("of a larger size holds the smaller one of its seed", () => {
    const named = (size: number) =>
      (drawn(size).pairs ?? []).map(({ query_id, item }) => `${query_id} ${item}`);
    for (const size of [10, 20, 40, 80]) expect(named(2 * size)).toEqual(expect.arrayContaining(named(size)));
  });

  it("says of a query by which probability it is in", () => {
    const sample = drawn(40);
    expect(auditSampleSchema.parse(sample)).toEqual(sample);
    expect(sample).toMatchObject({ unit: "pair", purpose: "estimate" });
    expect(idsOf(sample.drawn)).toEqual([...new Set(idsOf(sample.pairs ?? []))]);
    for (const { probability } of sample.drawn) expect(probability).toBeLessThanOrEqual(1);
  });

  it.each([
    [[{ queryId: "none", item: "i", weight: 1, spread: 1 }], "has query `none`"],
    [
      [
        { queryId: "q1", item: "i", weight: 1, spread: 1 },
        { queryId: "q1", item: "i", weight: 2, spread: 1 },
      ],
      "item `i` of query `q1` is there twice",
    ],
  ])("refuses what cannot be drawn %#", (wrong, message) =>
    expect(() => drawPairs(plain, wrong, { ...source, size: 1, seed: 1 })).toThrow(message),
  );
});

describe("what a sample lacks", () => {
  it("keeps the probabilities of its queries, and leaves out what is of others", () => {
    const sample = draw(plain, 10);
    const [first, second] = sample.drawn;
    const wanted = [
      { queryId: first?.query_id ?? "", item: "a" },
      { queryId: "elsewhere", item: "b" },
    ];
    const complete = completeSample(sample, wanted, { sampleId: "c", createdAt: source.createdAt });
    expect(auditSampleSchema.parse(complete)).toEqual(complete);
    expect(complete).toMatchObject({
      sample_id: "c",
      purpose: "complete",
      unit: "pair",
      drawn: [first],
      pairs: [{ query_id: first?.query_id, item: "a", probability: 1 }],
    });
    expect(complete.drawn).not.toContain(second);
    expect(complete.frame).toEqual(sample.frame);
  });
});

describe("kinds of queries", () => {
  const source = { dataset: "shop", tenant: "default", sampleId: "s", createdAt: "2026-11-23T00:00:00.000Z" };
  const parallel = Array.from({ length: 30 }, (_, at) =>
    ["de", "en"].map((lang) => ({ id: `${lang}-${at}`, query: `${lang} ${at}`, stratum: lang })),
  ).flat();
  it("are drawn each in an order of its own, so that translations are not drawn together", () => {
    const drawn = drawSample(parallel, { ...source, size: 10, seed: 1 }).drawn.map(
      ({ query_id }) => query_id,
    );
    const of = (lang: string): string[] => drawn.filter((id) => id.startsWith(lang)).map((id) => id.slice(3));
    expect(of("de")).toHaveLength(5);
    expect(of("de")).not.toEqual(of("en"));
  });
  it("of one query are one together, or a part of the largest: alone they would have no variance", () => {
    const rare = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ id: `r${at}`, query: `r${at}`, stratum: `rare ${at}` }));
    const strata = (count: number) =>
      drawSample([...parallel, ...rare(count)], { ...source, size: 12, seed: 1 }).strata;
    expect(strata(1).map(({ name, queries }) => [name, queries])).toEqual([
      ["de", 31],
      ["en", 30],
    ]);
    expect(strata(2).map(({ name, queries }) => [name, queries])).toEqual([
      ["de", 30],
      ["en", 30],
      ["other kinds", 2],
    ]);
  });
});
