import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  adjustPValues,
  meanInterval,
  cohenDav,
  cohenDz,
  hedgesGz,
  matchedRankBiserial,
  maxT,
  pairedTTest,
  randomizationTest,
  signTest,
  studentizedRangeQuantile,
  tInterval,
  wilcoxonSignedRank,
  type Alternative,
  type PValueAdjustment,
  type WilcoxonOptions,
} from "../../src/stats/index.js";
import { statisticsOracle } from "../support/statistics.js";

type Value = number | null | "NaN" | "Infinity";
interface Oracle {
  readonly n: number;
  readonly paired_t: Readonly<
    Record<string, { readonly t: Value; readonly p: Value; readonly df: number } | readonly [number, number]>
  >;
  readonly effect_size: Readonly<Record<string, number | null>>;
  readonly wilcoxon: Readonly<
    Record<string, { readonly statistic: number; readonly p: number; readonly error?: string }>
  >;
  readonly sign_test: {
    readonly n: number;
    readonly positive: number;
    readonly p_two_sided: number;
    readonly p_greater: number;
    readonly error?: string;
  };
  readonly randomization_exact?: Readonly<Record<Alternative, number>> & { readonly two_sided: number };
  readonly randomization_monte_carlo: { readonly p_value: number; readonly standard_error: number };
  readonly bootstrap_mean_difference_95?: Readonly<
    Record<
      string,
      {
        readonly low: number | "NaN";
        readonly high: number;
        readonly spread_low: number;
        readonly spread_high: number;
      }
    >
  >;
}

const names = readdirSync(statisticsOracle("paired"))
  .filter((name) => name.endsWith(".json"))
  .map((name) => name.slice(0, -".json".length));
const digits10 = (value: number): number => 1e-10 * Math.max(1, Math.abs(value));
const near = (value: number | undefined, oracle: number): void =>
  expect(Math.abs((value ?? NaN) - oracle)).toBeLessThanOrEqual(digits10(oracle));

function scoresOf(name: string): { a: number[]; b: number[]; differences: number[] } {
  const rows = readFileSync(statisticsOracle(`paired/${name}.tsv`), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t").map(Number));
  const [a, b] = [rows.map((row) => row[1] as number), rows.map((row) => row[2] as number)];
  return { a, b, differences: a.map((score, index) => score - (b[index] as number)) };
}

describe.each(names)("%s, as SciPy has it", (name) => {
  const oracle = JSON.parse(readFileSync(statisticsOracle(`paired/${name}.json`), "utf8")) as Oracle;
  const { a, b, differences } = scoresOf(name);
  const isConstant = name === "constant_difference";
  const isIdentical = name === "identical_systems";

  it("paired t test", () => {
    for (const alternative of ["two-sided", "greater", "less"] as const) {
      const { t, p, df } = oracle.paired_t[alternative] as { t: Value; p: Value; df: number };
      const found = pairedTTest(differences, alternative);
      expect(found.degrees).toBe(df);
      // SciPy has NaN for equal runs, and p = 0 for a deviation of 0: no evidence against chance is p = 1,
      // and p is never 0.
      if (isIdentical) expect(found).toMatchObject({ t: 0, p: 1 });
      else if (isConstant) expect(found).toMatchObject({ t: Infinity, p: NaN });
      else if (t === "NaN") expect(found).toMatchObject({ t: NaN, p: NaN });
      else {
        near(found.t, t as number);
        near(found.p, p as number);
      }
    }
  });
  if (oracle.paired_t["ci95"])
    it("t intervals", () => {
      for (const [key, confidence] of [
        ["ci95", 0.95],
        ["ci99", 0.99],
      ] as const) {
        const [low, high] = oracle.paired_t[key] as readonly [number, number];
        // SciPy's quantiles of t are good to 9 digits here (see distributions.test.ts).
        expect(Math.abs((tInterval(differences, confidence)?.low ?? NaN) - low)).toBeLessThan(1e-8);
        expect(Math.abs((tInterval(differences, confidence)?.high ?? NaN) - high)).toBeLessThan(1e-8);
      }
    });
  it("effect sizes", () => {
    const computed: Readonly<Record<string, number>> = {
      cohen_d_z: cohenDz(differences),
      cohen_d_av: cohenDav(a, b),
      hedges_g_z_approx: hedgesGz(differences),
      matched_rank_biserial: matchedRankBiserial(differences),
    };
    for (const [key, value] of Object.entries(oracle.effect_size)) {
      if (value === null) expect(computed[key]).toBeNaN();
      else near(computed[key], value);
    }
  });
  it.each(Object.keys(oracle.wilcoxon))("Wilcoxon's signed-rank test, %s", (key) => {
    const [method, zeros, correction, alternative] = key.split("/") as [
      "exact" | "approx",
      WilcoxonOptions["zeros"],
      string,
      Alternative,
    ];
    const { statistic, p, error } = oracle.wilcoxon[key] as Oracle["wilcoxon"][string];
    const found = wilcoxonSignedRank(differences, {
      method: method === "exact" ? "exact" : "approximate",
      zeros,
      isCorrected: correction === "corrected",
      alternative,
    });
    if (error !== undefined) expect(found.p).toBe(1);
    else {
      near(found.statistic, statistic);
      near(found.p, p);
    }
  });
  it("sign test", () => {
    const found = signTest(differences);
    if (oracle.sign_test.error !== undefined) expect(found).toEqual({ above: 0, below: 0, p: 1 });
    else {
      expect(found.above).toBe(oracle.sign_test.positive);
      expect(found.above + found.below).toBe(oracle.sign_test.n);
      near(found.p, oracle.sign_test.p_two_sided);
      near(signTest(differences, "greater").p, oracle.sign_test.p_greater);
    }
  });
  it("randomization test", () => {
    const { randomization_exact: exact, randomization_monte_carlo: drawn } = oracle;
    if (exact !== undefined) {
      expect(randomizationTest(differences)).toEqual({ p: exact.two_sided, isExact: true });
      expect(randomizationTest(differences, { alternative: "greater" }).p).toBe(exact.greater);
      expect(randomizationTest(differences, { alternative: "less" }).p).toBe(exact.less);
    }
    const { p } = randomizationTest(differences, { permutations: 200_000 });
    expect(Math.abs(p - drawn.p_value)).toBeLessThanOrEqual(
      4 * Math.hypot(drawn.standard_error, Math.sqrt((p * (1 - p)) / 200_000)),
    );
  });
  if (oracle.bootstrap_mean_difference_95)
    it("bootstrap intervals", () => {
      for (const method of ["percentile", "basic", "BCa"] as const) {
        const expected = oracle.bootstrap_mean_difference_95?.[method] as {
          low: number | "NaN";
          high: number;
          spread_low: number;
          spread_high: number;
        };
        const seeds = [1, 2, 3, 4, 5].map((seed) =>
          meanInterval(differences, {
            method: method === "BCa" ? "bca" : method,
            resamples: 20_000,
            seed,
          }),
        );
        for (const [end, spreadOf] of [
          ["low", "spread_low"],
          ["high", "spread_high"],
        ] as const) {
          const values = seeds.map((interval) => interval?.[end] ?? NaN);
          const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
          // SciPy has NaN where nothing varies: the mean is where the mean is.
          if (expected.low === "NaN") expect(mean).toBeCloseTo(differences[0] as number, 12);
          else {
            const spread = Math.sqrt(
              values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1),
            );
            expect(Math.abs(mean - (expected[end] as number))).toBeLessThanOrEqual(
              4 * Math.hypot(spread, expected[spreadOf]) + 1e-12,
            );
          }
        }
      }
    });
});

it.each([
  ["wilcoxonSignedRank", () => wilcoxonSignedRank([0.1, NaN, 0.2])],
  ["matchedRankBiserial", () => matchedRankBiserial([0.1, NaN, 0.2])],
  ["signTest", () => signTest([0.1, NaN, 0.2])],
  ["randomizationTest", () => randomizationTest([0.1, NaN, 0.2])],
  ["maxT", () => maxT([[0.1, NaN, 0.2]])],
])("%s says nothing of what is no number, rather than something wrong", (name, test) =>
  expect(test).toThrow(`${name}: every difference must be a finite number, got \`NaN\` at position 1`),
);
it("an infinite difference has no chance to be counted", () =>
  expect(() => randomizationTest([Infinity, 1, 2])).toThrow("must be a finite number, got `Infinity`"));

it.each([
  [NaN, 3, 10],
  [0, 3, 10],
  [1, 3, 10],
  [0.95, 3, NaN],
  [0.95, 1, 10],
])("a quantile of the studentized range has to exist: %d, %d, %d", (share, k, degrees) =>
  expect(() => studentizedRangeQuantile(share, k, degrees)).toThrow(
    "studentizedRangeQuantile: share must be above 0 and below 1",
  ),
);

describe("adjusted p values, as statsmodels has them", () => {
  const { alpha, cases } = JSON.parse(readFileSync(statisticsOracle("p-value-adjustment.json"), "utf8")) as {
    alpha: number;
    cases: {
      name: string;
      p: number[];
      methods: Record<string, { adjusted: number[]; reject: boolean[] }>;
    }[];
  };
  const methods: Readonly<Record<string, PValueAdjustment>> = {
    bonferroni: "bonferroni",
    sidak: "sidak",
    "holm-sidak": "holm-sidak",
    holm: "holm",
    "simes-hochberg": "hochberg",
    hommel: "hommel",
    fdr_bh: "benjamini-hochberg",
    fdr_by: "benjamini-yekutieli",
    fdr_tsbh: "two-stage-bh",
    fdr_tsbky: "two-stage-bky",
  };
  it.each(
    cases.flatMap(({ name, p, methods: all }) =>
      Object.entries(all).map(
        ([method, values]) => [`${name}, ${method}`, p, methods[method], values] as const,
      ),
    ),
  )("%s", (_, p, method, { adjusted, reject }) => {
    const found = adjustPValues(p, method as PValueAdjustment, alpha);
    found.forEach((value, index) => near(value, adjusted[index] as number));
    // A value within rounding of alpha is decided by its last bit.
    found.forEach(
      (value, index) => Math.abs(value - alpha) > 1e-12 && expect(value <= alpha).toBe(reject[index]),
    );
  });
});
