import { describe, expect, it } from "vitest";
import { averagePrecision, defineMetric, metricCatalog, ndcg, parseMetric, precision, recall, reciprocalRank, success, type JudgedRanking } from "../../src/metrics/index.js";

/** Hits at ranks 2 and 4 stand for items of grade 1 and 3; a third item, of grade 2, was not found. */
const judged: JudgedRanking = { ranks: [2, 4], items: [0, 1], grades: [1, 3, 2] };

describe("metrics by hand", () => {
  it("Success@1 = 0, Success@2 = 1", () => expect([1, 2].map((cutoff) => success({ cutoff }).score(judged))).toEqual([0, 1]));
  it("RR = 1/2, RR@1 = 0, RR(rel=2) = 1/4", () => {
    expect([reciprocalRank(), reciprocalRank({ cutoff: 1 }), reciprocalRank({ parameters: { rel: 2 } })].map((metric) => metric.score(judged))).toEqual([0.5, 0, 0.25]);
  });
  it("P@4 = 2/4, P@10 = 2/10", () => expect([4, 10].map((cutoff) => precision({ cutoff }).score(judged))).toEqual([0.5, 0.2]));
  it("R@4 = 2/3, R(rel=2)@4 = 1/2", () => {
    expect(recall({ cutoff: 4 }).score(judged)).toBe(2 / 3);
    expect(recall({ cutoff: 4, parameters: { rel: 2 } }).score(judged)).toBe(0.5);
  });
  it("AP = (1/2 + 2/4) / 3", () => expect(averagePrecision().score(judged)).toBe(1 / 3));
  it("nDCG = (1/log2 3 + 3/log2 5) / (3/log2 2 + 2/log2 3 + 1/log2 4)", () => {
    const dcg = 1 / Math.log2(3) + 3 / Math.log2(5);
    expect(ndcg().score(judged)).toBeCloseTo(dcg / (3 + 2 / Math.log2(3) + 0.5), 15);
  });
  it("nDCG(dcg='exp-log2')@2 has gains 2^grade - 1 and an ideal cut at 2", () => {
    const metric = ndcg({ cutoff: 2, parameters: { dcg: "exp-log2" } });
    expect(metric.score(judged)).toBeCloseTo(1 / Math.log2(3) / (7 + 3 / Math.log2(3)), 15);
  });
  it("a large chunk around two expected ones earns both in recall, one rank in precision, and nDCG stays below 1", () => {
    const both: JudgedRanking = { ranks: [1, 1], items: [0, 1], grades: [1, 1] };
    expect(recall({ cutoff: 1 }).score(both)).toBe(1);
    expect(precision({ cutoff: 1 }).score(both)).toBe(1);
    expect(averagePrecision().score(both)).toBe(1);
    expect(ndcg().score(both)).toBeLessThan(1);
  });
  it("the parts of a split chunk count each in precision, once in recall, AP and nDCG", () => {
    const parts: JudgedRanking = { ranks: [1, 2], items: [0, 0], grades: [1] };
    expect([precision({ cutoff: 2 }), recall({ cutoff: 2 }), averagePrecision(), ndcg()].map((metric) => metric.score(parts))).toEqual([1, 1, 1, 1]);
  });
});

describe.each(metricCatalog.map((factory) => [factory.definition.name, factory] as const))("%s", (_, factory) => {
  const { definition } = factory;
  const metric = factory(definition.cutoff === "required" ? { cutoff: 10 } : {});

  it("is parsed from what it prints, and from its aliases", () => {
    expect(parseMetric(metric.name).name).toBe(metric.name);
    for (const alias of definition.aliases ?? []) expect(parseMetric(metric.name.replace(definition.name, alias)).name).toBe(metric.name);
  });
  it("attains its maximum on the ideal ranking and its minimum on an empty one", () => {
    expect(metric.score({ ranks: [1, 2, 3], items: [0, 1, 2], grades: [3, 2, 1] })).toBe(definition.name === "P" ? 0.3 : 1);
    expect(metric.score({ ranks: [], items: [], grades: [1, 2] })).toBe(0);
    expect(metric.score({ ranks: [], items: [], grades: [] })).toBe(0);
  });
  it("has a card without gaps", () => {
    for (const text of [definition.question, definition.formula, definition.edges, definition.agreesWith, definition.paper]) expect(text.length).toBeGreaterThan(10);
  });
});

describe("names and parameters", () => {
  it.each(["nDCG(dcg='exp-log2')@10", "P(rel=2)@5", "RR", "AP@100", "Success(rel=0.5)@1"])("%s is printed as it is parsed", (name) => expect(parseMetric(name).name).toBe(name));
  it("defaults are not printed, spaces and double quotes are read", () => expect(parseMetric(' nDCG( dcg = "log2" )@10 ').name).toBe("nDCG@10"));
  it.each([
    ["ndgc@10", "unknown metric `ndgc@10`; did you mean `nDCG@10`?"],
    ["Zorp", "unknown metric `Zorp`; known are "],
    ["P", "P needs a cutoff, as in `P@10`"],
    ["P@0", "the cutoff of P must be a whole number from 1, got `0`"],
    ["P(foo=1)@5", "P has no parameter `foo`; it has `rel`"],
    ["P(rel=x)@5", "`P(rel=x)@5`: rel must be a number or a word in quotes, got `x`"],
    ["P(rel=0)@5", "rel of P must be a number from 5e-324 to 1.7976931348623157e+308, got `0`"],
    ["nDCG(dcg='ln')", "dcg of nDCG must be one of `log2`, `exp-log2`, got `ln`"],
    ["nDCG(__proto__=1)", "nDCG has no parameter `__proto__`; it has `dcg`"],
    ["toString", "unknown metric `toString`"],
  ])("%s: %s", (name, message) => expect(() => parseMetric(name)).toThrow(message));
  it("a metric of one's own is defined, parsed and scored like a built-in one", () => {
    const found = defineMetric({ ...recall.definition, name: "Found", aliases: [], cutoff: "none", parameters: {}, fraction: ({ items }) => ({ numerator: new Set(items).size, denominator: 1 }) });
    expect(parseMetric("Found", [...metricCatalog, found]).score(judged)).toBe(2);
    expect(() => parseMetric("Found@3", [found])).toThrow("Found has no cutoff; write `Found`");
  });
  it("a name that could not be parsed back is refused", () => {
    expect(() => defineMetric({ ...recall.definition, name: "my metric", fraction: () => ({ numerator: 0, denominator: 1 }) })).toThrow("metric name must be a letter followed by letters, digits or _, got `my metric`");
  });
});
