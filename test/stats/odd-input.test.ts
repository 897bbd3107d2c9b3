import { describe, expect, it } from "vitest";
import { InputError } from "../../src/index.js";
import * as stats from "../../src/stats/index.js";

const functions = stats as unknown as Readonly<Record<string, (...given: unknown[]) => unknown>>;
const call =
  (name: string, ...given: unknown[]): (() => unknown) =>
  () =>
    functions[name]?.(...given);

const OF_RUNS = ["friedman", "oneWayAnova", "repeatedMeasuresAnova", "tukeyHsd", "randomizedTukey"];
/** Functions of a list, with what they are given besides. */
const OF_LISTS: [name: string, more: unknown[]][] = [
  ...[...OF_RUNS, "maxT", "meanIntervals", "pairedTTest", "mean"].map((name): [string, unknown[]] => [
    name,
    [],
  ]),
  ...["stratifiedMean", "fleissKappa", "randolphKappa"].map((name): [string, unknown[]] => [name, []]),
  ...["signTest", "wilcoxonSignedRank", "cohenDz", "hedgesGz"].map((name): [string, unknown[]] => [name, []]),
  ["tInterval", [0.95]],
  ["pairEstimate", [10]],
  ["drawProbabilities", [[1, 1], 1]],
  ["adjustPValues", ["holm"]],
  ["krippendorffAlpha", ["nominal"]],
  ["mergeLabels", ["mean"]],
];
const OF_TWO_LISTS = ["pearson", "spearman", "kendallTau", "cohenKappa", "labelConfusion", "binaryAgreement"];

describe("numbers of any size", () => {
  const differences = [0.1, 0.2, -0.05, 0.3, -0.1, 0.2, 0.12, 0.4, 0.01, -0.02];
  const atScale = (scale: number): number[] => differences.map((each) => each * scale);

  it.each([2 ** -400, 2 ** 500, 2 ** 1000])("have the BCa interval and the t of others, at %d", (scale) => {
    const [of, scaled] = [differences, atScale(scale)].map((each) =>
      stats.meanInterval(each, { method: "bca" }),
    );
    expect([(scaled?.low ?? 0) / scale, (scaled?.high ?? 0) / scale]).toEqual([of?.low, of?.high]);
    const t = (each: number[]) => stats.maxT([each], { statistic: "t" });
    expect(t(atScale(scale))).toEqual(t(differences));
  });
  it("are p values up to 1 where rounding goes beyond it", () => {
    for (const method of ["sidak", "holm-sidak", "holm"] as const)
      expect(stats.adjustPValues([1 + 2 ** -52, 0.5], method)[0]).toBe(1);
  });
  it("are refused where an estimate would claim to be certain of half of them", () => {
    const pairs = [0, 1].map((at) => ({
      ...{ query: `q${at}`, weight: 1, modelGrade: 1, probability: 1 },
      humanGrade: at === 0 ? null : 2,
    }));
    expect(() => stats.pairEstimate(pairs, 2)).toThrow("a pair of probability 1 is always drawn");
  });
});

describe("what is no list", () => {
  it.each(OF_LISTS)("is refused by %s", (name, more) => {
    for (const given of [null, 5, {}, undefined])
      expect(call(name, given, ...more)).toThrow(/ takes (?:a list|lists)|must be a list of numbers/);
  });
  it.each(OF_TWO_LISTS)("is refused by %s on either side", (name) => {
    expect(call(name, null, [1, 0], 1)).toThrow(InputError);
    expect(call(name, [1, 0], 7, 1)).toThrow(InputError);
  });
  it.each(OF_RUNS)("is told how to be one: an object of runs, by %s", (name) => {
    expect(call(name, { bm25: [1, 2], dense: [2, 1] })).toThrow(/give `Object.values` of it$/);
    expect(call(name, [1, 2])).toThrow(InputError);
  });
});

describe("typed arrays", () => {
  const [x, y] = [
    [0.1, 0.4, 0.2, 0.9],
    [0.3, 0.1, 0.5, 0.8],
  ];
  const typed = (list: readonly number[] = []) => Float64Array.from(list);
  it.each([...OF_TWO_LISTS.slice(0, 3), "cohenKappa"])("are lists to %s", (name) => {
    expect(call(name, typed(x), typed(y))()).toEqual(call(name, x, y)());
  });
  it.each(OF_RUNS)("are lists to %s", (name) => {
    expect(call(name, [typed(x), typed(y)])()).toEqual(call(name, [x, y])());
  });
  it("of whole numbers are not cut", () => {
    const drawn = call("drawProbabilities", Int32Array.of(1, 2, 3), Int32Array.of(1, 1, 1), 2)();
    expect(drawn).toEqual(stats.drawProbabilities([1, 2, 3], [1, 1, 1], 2));
    expect(stats.adjustPValues(Float64Array.of(0.02, 0.01), "holm")).toEqual([0.02, 0.02]);
  });
});

describe("what no distribution has", () => {
  it.each<[name: string, ...given: unknown[]]>([
    ["studentAbove", 2, -1],
    ["studentTwoSided", 2, 0],
    ["studentQuantile", 0.9, -1],
    ["studentQuantile", 3, 5],
    ["fAbove", 3, -1, 5],
    ["fAbove", 3, 2, 0],
    ["chiSquareAbove", 3, 0],
    ["chiSquareAbove", null, 3],
    ["normalAbove", null],
    ["normalBelow", []],
    ["normalQuantile", 3],
    ["normalQuantile", -1],
    ["worth", "1", 10, 20],
    ["worth", null, 10, 20],
    ["pairsNeeded", "1"],
    ["pairedPower", null, 50],
    ["compactLetters", ["a", "b"], () => true],
    ["compactLetters", 1.5, () => true],
    ["drawProbabilities", ["1", 2], [1, 1], 1],
    ["drawProbabilities", [1, 2], [1, 1], null],
  ])("is refused by %s", (name, ...given) => {
    expect(call(name, ...given)).toThrow(InputError);
  });
  it("is told apart from the ends of one", () => {
    expect([stats.normalQuantile(0), stats.normalQuantile(1)]).toEqual([-Infinity, Infinity]);
  });
});

it("without queries nothing is found", () => {
  expect(stats.maxT([[]])).toMatchObject({ observed: [0], pEach: [1], p: 1 });
  expect(stats.maxT([[], []])).toMatchObject({ p: 1 });
  expect(stats.pairedTTest([])).toEqual({ t: NaN, degrees: 0, p: NaN });
});

it("the sizes of pairs are relative: their unit changes no probability", () => {
  const usual = stats.drawProbabilities([3, 1, 1, 2], [1, 1, 1, 1], 2);
  for (const unit of [2 ** -1060, 2 ** -200, 2 ** 200, 2 ** 1020])
    expect(stats.drawProbabilities([3 * unit, unit, unit, 2 * unit], [1, 1, 1, 1], 2)).toEqual(usual);
  // Nor do sizes that are far apart vanish beside each other.
  expect(stats.drawProbabilities([1e300, 1e-30, 1e-30], [1, 1, 1], 2)).toEqual([1, 0.5, 0.5]);
  const [large = 0, larger = 0] = stats.drawProbabilities([1e308, Number.MAX_VALUE], [1, 1], 1);
  expect(large + larger).toBeCloseTo(1, 9);
});

describe("differences whose sum no number holds", () => {
  it("have no p value", () => {
    for (const size of [6e307, 1e308])
      expect(() => stats.randomizationTest([size, size, -size, size, size])).toThrow(
        "differences are so large that no number holds their sum; scale them",
      );
  });
});
