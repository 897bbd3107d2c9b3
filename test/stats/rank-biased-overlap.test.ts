import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { averageOverlap } from "../../src/stats/average-overlap.js";
import { jaccard } from "../../src/stats/jaccard.js";
import { rankBiasedOverlap } from "../../src/stats/rank-biased-overlap.js";
import { expectValue } from "../support/expected-values.js";
import { present } from "../support/present.js";
import { statisticsOracle } from "../support/statistics.js";

type OverlapCase = { readonly a: readonly string[]; readonly b: readonly string[] } & Readonly<
  Record<string, number>
>;

const { cases } = JSON.parse(readFileSync(statisticsOracle("rank-biased-overlap.json"), "utf8")) as {
  cases: readonly OverlapCase[];
};

describe("overlap of rankings, against the Python package rbo", () => {
  it.each(cases.map((each, index) => [index, each] as const))("case %d", (_, { a, b, ...values }) => {
    for (const [name, expected] of Object.entries(values)) {
      const [, kind, p] = present(/^rbo_(truncated|ext)_p=(.*)$/.exec(name));
      const { truncated, extrapolated } =
        p === "1.0"
          ? { truncated: averageOverlap(a, b), extrapolated: null }
          : rankBiasedOverlap(a, b, Number(p));
      expectValue(name, kind === "ext" ? extrapolated : truncated, expected);
    }
    expect(Object.keys(values).length).toBe(7);
  });
});

/** The sum itself, to where what is left weighs nothing. */
function walked(a: readonly string[], b: readonly string[], p: number): number {
  let sum = 0;
  let shared = 0;
  const [inA, inB] = [new Set<string>(), new Set<string>()];
  for (let d = 1, weight = 1 - p; weight > 1e-18; d++, weight *= p) {
    const [x, y] = [a[d - 1], b[d - 1]];
    if (x !== undefined && inB.has(x)) shared++;
    if (x !== undefined) inA.add(x);
    if (y !== undefined && inA.has(y)) shared++;
    if (y !== undefined) inB.add(y);
    sum += (weight * shared) / d;
  }
  return sum;
}

/** Rankings of many items, so long that what follows them weighs nothing. */
const FAR = 8000;
const invented = (name: string): string[] => Array.from({ length: FAR }, (_, i) => `${name}${i}`);

/** Both rankings going on with nothing in common, and with everything as early as it can be. */
function continued(
  a: readonly string[],
  b: readonly string[],
): { worst: [string[], string[]]; best: [string[], string[]] } {
  const [long, short] = a.length >= b.length ? [a, b] : [b, a];
  const onlyLong = long.filter((id) => !short.includes(id));
  const onlyShort = short.filter((id) => !long.includes(id));
  // While the longer one stands still, the shorter one takes up what that has already; both end with the same
  // new items.
  const best: [string[], string[]] = [
    [...long, ...onlyShort, ...invented("new")],
    [...short, ...onlyLong, ...invented("new")],
  ];
  return {
    worst: [
      [...long, ...invented("x")],
      [...short, ...invented("y")],
    ],
    best,
  };
}

describe("rank-biased overlap", () => {
  it(
    "a, b against b, a with p = 1/2: at depth 1 nothing, at depth 2 all: 0 + 1/4, then 1/4 for all " +
      "that follows",
    () => {
      expect(rankBiasedOverlap(["a", "b"], ["b", "a"], 0.5)).toMatchObject({
        truncated: 0.25,
        extrapolated: 0.5,
      });
    },
  );
  it.each([0.2, 0.5, 0.9, 0.98])(
    "the least and the most it can be are those of the endless rankings, p = %d",
    (p) => {
      for (const { a, b } of cases) {
        const { minimum, residual, extrapolated } = rankBiasedOverlap(a, b, p) as Record<
          "minimum" | "residual" | "extrapolated",
          number
        >;
        const { worst, best } = continued(a, b);
        expect(minimum).toBeCloseTo(walked(...worst, p), 12);
        expect(minimum + residual).toBeCloseTo(walked(...best, p), 12);
        expect(extrapolated).toBeGreaterThanOrEqual(minimum - 1e-12);
        expect(extrapolated).toBeLessThanOrEqual(minimum + residual + 1e-12);
      }
    },
  );
  it("is null for two empty rankings and 0 against an empty one", () => {
    expect(rankBiasedOverlap([], [])).toEqual({
      extrapolated: null,
      truncated: null,
      minimum: null,
      residual: null,
    });
    expect(rankBiasedOverlap(["a"], [])).toMatchObject({ extrapolated: 0, truncated: 0, minimum: 0 });
    expect([averageOverlap([], []), averageOverlap([], ["a"])]).toEqual([null, 0]);
  });
  it("refuses p that is no probability of going on and stopping, and repeated items", () => {
    expect(() => rankBiasedOverlap([], [], 1)).toThrow(
      "rankBiasedOverlap: p must be above 0 and below 1, got `1`; for p = 1 use averageOverlap",
    );
    expect(() => rankBiasedOverlap(["a", "a"], [], 0.9)).toThrow(
      "rankBiasedOverlap: an item may stand once in a ranking, got `a` at positions 0 and 1; keep the first",
    );
  });
  it("takes linear steps: 200,000 items within seconds", () => {
    const items = invented("d").flatMap((id) => Array.from({ length: 25 }, (_, i) => `${id}.${i}`));
    expect(items.length).toBe(200_000);
    expect(rankBiasedOverlap(items, [...items].reverse(), 0.999).extrapolated).toBeLessThan(1e-3);
    expect(averageOverlap(items, items)).toBeCloseTo(1, 12);
  });
});

describe("jaccard", () => {
  it("two of four: a, b, c and b, c, d share 2 of 4", () =>
    expect(jaccard(["a", "b", "c"], ["b", "c", "d"])).toBe(0.5));
  it("counts the first items only, whatever their order", () =>
    expect([jaccard(["a", "b", "c"], ["b", "a", "d"], 2), jaccard(["a", "b"], ["b", "a"], 1)]).toEqual([
      1, 0,
    ]));
  it("a short ranking counts with what it has: 1 of 3", () =>
    expect(jaccard(["a"], ["a", "b", "c"], 10)).toBe(1 / 3));
  it("is null when both are empty", () =>
    expect([jaccard([], [], 5), jaccard([], ["a"], 5)]).toEqual([null, 0]));
  it.each([0, -1, 1.5, NaN])("refuses a cutoff of %d", (cutoff) =>
    expect(() => jaccard([], [], cutoff)).toThrow("jaccard: the cutoff must be a whole number from 1"),
  );
});
