import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { maxT } from "../../src/stats/index.js";

interface Expected {
  readonly observed: (number | string | null)[];
  readonly p_each: number[];
  readonly p_search: number;
  readonly best: number;
}

const { cases } = JSON.parse(
  readFileSync(fileURLToPath(new URL("../../fixtures/oracles/tuning/max-t.json", import.meta.url)), "utf8"),
) as {
  cases: { name: string; current: number[]; variants: number[][]; expected: Record<string, Expected> }[];
};

describe("the largest statistic of a search", () => {
  it.each(cases)("$name", ({ current, variants, expected }) => {
    const columns = variants.map((variant) => variant.map((score, query) => score - (current[query] ?? 0)));
    for (const [name, { observed, p_each, p_search, best }] of Object.entries(expected)) {
      const [statistic, alternative] = name.split("/") as ["mean" | "t", "greater" | "two-sided"];
      const got = maxT(columns, { statistic, alternative });
      expect(got.isExact).toBe(true);
      got.observed.forEach((value, at) => {
        const wanted = observed[at];
        if (typeof wanted === "number") expect(value, name).toBeCloseTo(wanted, 9);
        else expect(Math.abs(value), `${name} ${String(wanted)}`).toBe(Infinity);
      });
      got.pEach.forEach((p, at) => expect(p, `${name}, variant ${at}`).toBeCloseTo(p_each[at] ?? NaN, 12));
      expect(got.p, name).toBeCloseTo(p_search, 12);
      expect(got.best, name).toBe(best);
    }
  });

  it("of one query cannot be less than one in two by either statistic", () => {
    for (const statistic of ["mean", "t"] as const) {
      expect(maxT([[0.5]], { statistic, alternative: "greater" })).toMatchObject({ p: 0.5, best: 0 });
      expect(maxT([[-0.3]], { statistic, alternative: "greater" }).p).toBe(1);
    }
  });

  it("of drawn flips is near the one of all flips, and never 0", () => {
    const seen = cases.find(({ current }) => current.length >= 10);
    const columns = (seen?.variants ?? []).map((variant) =>
      [0, 1].flatMap(() => variant.map((score, query) => score - (seen?.current[query] ?? 0))),
    );
    const { p, isExact, pEach } = maxT(columns, { permutations: 2000, seed: 3 });
    expect(isExact).toBe(false);
    expect(p).toBe(Math.min(...pEach));
    expect(p).toBeGreaterThan(0);
  });
});

it("gains that add up to nothing but rounding have a t of 0", () => {
  expect(maxT([[0.1, 0.2, -0.3]], { statistic: "t" }).observed).toEqual([0]);
});
