import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { evaluate } from "../../src/evaluate/index.js";
import { oneWayAnova, repeatedMeasuresAnova } from "../../src/stats/anova.js";
import { friedman } from "../../src/stats/friedman.js";
import {
  adjustPValues,
  pairedTTest,
  randomizationTest,
  studentTwoSided,
  type PValueAdjustment,
} from "../../src/stats/index.js";
import { pairsOf } from "../../src/stats/pairs-of.js";
import { randomizedTukey } from "../../src/stats/randomized-tukey.js";
import { studentizedRangeQuantile } from "../../src/stats/studentized-range-quantile.js";
import { tukeyHsd } from "../../src/stats/tukey-hsd.js";
import { expectValue } from "../support/expected-values.js";
import { oracle, qrelsOf, runOf, WITHOUT_ORACLES } from "../support/oracles.js";
import { present } from "../support/present.js";
import { statisticsOracle } from "../support/statistics.js";

type Table = readonly (readonly number[])[];

interface SystemsCase {
  readonly systems: readonly string[];
  readonly n: number;
  readonly tukey_hsd: {
    readonly statistic: Table;
    readonly p: Table;
    readonly ci95_low: Table;
    readonly ci95_high: Table;
  };
  readonly friedman: { readonly statistic: number; readonly p: number; readonly df: number };
  readonly anova_one_way: { readonly F: number; readonly p: number };
  readonly pairwise_paired_t: {
    readonly p: readonly number[];
    readonly adjusted: Readonly<
      Record<string, { readonly adjusted: readonly number[]; readonly reject: readonly boolean[] }>
    >;
  };
  readonly anova_repeated_measures: {
    readonly F: number;
    readonly df1: number;
    readonly df2: number;
    readonly p: number;
  };
}

/**
 * The share of a million shuffles by NumPy (`default_rng(1).permuted`, seen to agree within 0.001 with two
 * million of this generator).
 */
const SHUFFLED: Readonly<Record<string, readonly number[]>> = {
  "chorus-electronics_nDCG10": [0.22155, 0, 0.00666, 0, 0.59195, 0.00023],
  cranfield_AP: [0.01485, 0.00001, 0.95373, 0.28187, 0.00246, 0],
  cranfield_nDCG10: [0.21013, 0.0, 0.99352, 7e-5, 0.33648, 0.0],
};

const ADJUSTMENTS: Readonly<Record<string, PValueAdjustment>> = {
  bonferroni: "bonferroni",
  sidak: "sidak",
  holm: "holm",
  "holm-sidak": "holm-sidak",
  "simes-hochberg": "hochberg",
  hommel: "hommel",
  fdr_bh: "benjamini-hochberg",
  fdr_by: "benjamini-yekutieli",
  fdr_tsbh: "two-stage-bh",
  fdr_tsbky: "two-stage-bky",
};

/** First run minus second, per query. */
function differencesOf(runs: readonly (readonly number[])[], first: number, second: number): number[] {
  return (runs[first] as readonly number[]).map((score, query) => score - (runs[second]?.[query] as number));
}

function systemsCase(name: string): { expected: SystemsCase; runs: number[][] } {
  const expected = JSON.parse(readFileSync(statisticsOracle(`multiple/${name}.json`), "utf8")) as SystemsCase;
  const [, ...lines] = readFileSync(statisticsOracle(`multiple/${name}.tsv`), "utf8")
    .trimEnd()
    .split("\n");
  const rows = lines.map((line) => line.split("\t").slice(1).map(Number));
  expect(rows.length).toBe(expected.n);
  return { expected, runs: expected.systems.map((_, run) => rows.map((row) => row[run] as number)) };
}

describe.each(Object.keys(SHUFFLED))("four systems, %s", (name) => {
  const { expected, runs } = systemsCase(name);

  it("Tukey, one-way: SciPy's differences, p values and intervals", () => {
    const { pairs, degrees } = tukeyHsd(runs, { layout: "one-way" });
    expect({ pairs: pairs.length, degrees }).toEqual({ pairs: 6, degrees: 4 * (expected.n - 1) });
    const at = (table: Table, first: number, second: number): number => table[first]?.[second] as number;
    for (const { first, second, difference, p, low, high } of pairs) {
      expectValue("difference", difference, at(expected.tukey_hsd.statistic, first, second));
      expectValue("p", p, at(expected.tukey_hsd.p, first, second));
      expectValue("p swapped", p, at(expected.tukey_hsd.p, second, first));
      expectValue("low", low, at(expected.tukey_hsd.ci95_low, first, second));
      expectValue("high", high, at(expected.tukey_hsd.ci95_high, first, second));
      expectValue("low swapped", -high, at(expected.tukey_hsd.ci95_low, second, first));
    }
  });
  it("Friedman", () => {
    const { statistic, p, degrees, concordance, meanRanks } = friedman(runs);
    expectValue("statistic", statistic, expected.friedman.statistic);
    expectValue("p", p, expected.friedman.p);
    expect(degrees).toBe(expected.friedman.df);
    expect(concordance).toBeCloseTo(expected.friedman.statistic / (3 * expected.n), 12);
    expect(meanRanks.reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(10, 12);
  });
  it("analysis of variance, one-way and of repeated measures", () => {
    const oneWay = oneWayAnova(runs);
    expectValue("F", oneWay.f, expected.anova_one_way.F);
    expectValue("p", oneWay.p, expected.anova_one_way.p);
    const repeated = repeatedMeasuresAnova(runs);
    expectValue("F", repeated.f, expected.anova_repeated_measures.F);
    expectValue("p", repeated.p, expected.anova_repeated_measures.p);
    expect([repeated.degreesBetween, repeated.degreesWithin]).toEqual([
      expected.anova_repeated_measures.df1,
      expected.anova_repeated_measures.df2,
    ]);
  });
  it("paired t of all pairs, adjusted in ten ways", () => {
    const found = pairsOf(runs.length).map(
      ([first, second]) => pairedTTest(differencesOf(runs, first, second)).p,
    );
    found.forEach((p, pair) => expectValue("p", p, present(expected.pairwise_paired_t.p[pair])));
    for (const [name, { adjusted, reject }] of Object.entries(expected.pairwise_paired_t.adjusted)) {
      const ours = adjustPValues(found, present(ADJUSTMENTS[name]));
      ours.forEach((p, pair) => expectValue(`p ${name}`, p, present(adjusted[pair])));
      expect(ours.map((p) => p <= 0.05)).toEqual(reject);
    }
  });
  it("randomised Tukey is near a million shuffles", () => {
    const permutations = 5000;
    randomizedTukey(runs, { permutations }).pairs.forEach(({ p }, pair) => {
      const share = present(SHUFFLED[name]?.[pair]);
      expect(Math.abs(p - share)).toBeLessThan(
        4 * Math.sqrt((share * (1 - share)) / permutations) + 2 / permutations,
      );
    });
  });
});

describe("ranx", () => {
  type Table = Readonly<
    Record<string, Readonly<Record<string, { p: number; "significant_at_0.05": boolean }>>>
  >;
  const compared = JSON.parse(readFileSync(statisticsOracle("ranx-compare.json"), "utf8")) as {
    runs: readonly string[];
    tests: { tukey: Table; student: Table; fisher: Table };
    mean: Readonly<Record<string, Readonly<Record<string, number>>>>;
    win_tie_loss: Readonly<
      Record<string, Readonly<Record<string, { win: number; tie: number; loss: number }>>>
    >;
  };
  const RANX_SHUFFLES = 20_000;
  const PERMUTATIONS = 20_000;
  const expectRanx = (metric: string, runs: readonly (readonly number[])[]): void => {
    compared.runs.forEach((run, i) =>
      expect((runs[i] as readonly number[]).reduce((sum, score) => sum + score, 0) / 225).toBeCloseTo(
        compared.mean[run]?.[metric] as number,
        12,
      ),
    );
    for (const { first, second, p } of tukeyHsd(runs, { layout: "one-way" }).pairs) {
      const [name, reversed] = [
        `${compared.runs[first]} vs ${compared.runs[second]}`,
        `${compared.runs[second]} vs ${compared.runs[first]}`,
      ];
      const of = (table: Table): { p: number; "significant_at_0.05": boolean } =>
        present(table[name]?.[metric]);
      const differences = differencesOf(runs, first, second);
      expectValue("p of Tukey", p, of(compared.tests.tukey).p);
      expect((p as number) <= 0.05).toBe(of(compared.tests.tukey)["significant_at_0.05"]);
      expectValue("p of t", pairedTTest(differences).p, of(compared.tests.student).p);
      // Both are shares of random shuffles; ranx leaves out the one that was observed, and so says 0.
      const { p: share } = of(compared.tests.fisher);
      expect(Math.abs(randomizationTest(differences, { permutations: PERMUTATIONS }).p - share)).toBeLessThan(
        4 * Math.sqrt(share * (1 - share) * (1 / RANX_SHUFFLES + 1 / PERMUTATIONS)) + 4 / PERMUTATIONS,
      );
      const count = (sign: number): number =>
        differences.filter((difference) => Math.sign(difference) === sign).length;
      const counts = { win: count(1), tie: count(0), loss: count(-1) };
      expect(counts).toEqual(compared.win_tie_loss[name]?.[metric]);
      expect({ win: counts.loss, tie: counts.tie, loss: counts.win }).toEqual(
        compared.win_tie_loss[reversed]?.[metric],
      );
    }
  };
  it("AP: Tukey, t, shuffles, wins and losses", () => expectRanx("map", systemsCase("cranfield_AP").runs));
  it("nDCG@10", () => expectRanx("ndcg@10", systemsCase("cranfield_nDCG10").runs));

  const folder = oracle("cranfield");
  if (folder === null) return it.skip(WITHOUT_ORACLES, () => undefined);
  it("RR@10", () => {
    const qrels = qrelsOf(folder);
    const runs = compared.runs.map((run) => {
      const evaluation = evaluate(runOf(join(folder, "runs", `${run}.run`)), qrels, ["RR@10"], {
        profile: "ranx",
        ties: "trec",
        precision: "single",
      });
      return evaluation.queryIds.map((id) => evaluation.score(id, "RR@10") as number);
    });
    expectRanx("mrr@10", runs);
  });
});

describe("analysis of variance", () => {
  it("groups 1 2 3 and 2 3 4: between 6 * 0.25 = 1.5, within 4 / 4 = 1", () =>
    expect(
      oneWayAnova([
        [1, 2, 3],
        [2, 3, 4],
      ]),
    ).toMatchObject({ f: 1.5, degreesBetween: 1, degreesWithin: 4, meanSquareWithin: 1 }));
  it("groups may have different sizes: 1 and 2 3 4: between 3, within 2 / 2", () =>
    expect(oneWayAnova([[1], [2, 3, 4]]).f).toBeCloseTo(3, 14));
  it("of two runs is the square of paired t: differences 1 1 2, t = (4/3) / sqrt((1/3) / 3) = 4", () => {
    const { f, p } = repeatedMeasuresAnova([
      [1, 2, 4],
      [2, 3, 6],
    ]);
    expect(f).toBeCloseTo(16, 12);
    expect(p).toBeCloseTo(studentTwoSided(4, 2), 14);
  });
  it("F = 0 and p = 1 for runs that are alike, though means of equal scores may differ in a last bit", () => {
    const scores = [0.1, 0.7, 0.3, 1 / 3];
    expect(repeatedMeasuresAnova([scores, scores, scores])).toMatchObject({
      f: 0,
      p: 1,
      meanSquareWithin: 0,
    });
    expect(
      oneWayAnova([
        [0.1, 0.1, 0.1],
        [0.1, 0.1, 0.1],
      ]),
    ).toMatchObject({ f: 0, p: 1 });
  });
  it(
    "a difference that is the same on every query leaves nothing over: F is infinite, and p = 0 " +
      "would say too much",
    () => {
      expect(
        repeatedMeasuresAnova([
          [0.1, 0.5, 0.3],
          [0.3, 0.7, 0.5],
        ]),
      ).toMatchObject({ f: Infinity, p: null, meanSquareWithin: 0 });
    },
  );
  it.each([[[]], [[[1, 2]]], [[[1], [2]]]])("%j: no degrees of freedom, null", (runs: number[][]) => {
    expect(repeatedMeasuresAnova(runs)).toMatchObject({ f: null, p: null, meanSquareWithin: null });
    expect(oneWayAnova(runs)).toMatchObject({ f: null, p: null, meanSquareWithin: null });
    expect(tukeyHsd(runs).pairs).toEqual([]);
  });
});

describe("Tukey's test", () => {
  it("of two runs is paired t", () => {
    const { pairs, degrees } = tukeyHsd([
      [1, 2, 4, 7],
      [2, 3, 6, 7],
    ]);
    const { p } = repeatedMeasuresAnova([
      [1, 2, 4, 7],
      [2, 3, 6, 7],
    ]);
    expect(degrees).toBe(3);
    expect(pairs[0]?.p).toBeCloseTo(p as number, 12);
  });
  it("a pair is significant exactly when its interval leaves out 0", () => {
    const { runs } = systemsCase("cranfield_AP");
    for (const confidence of [0.8, 0.95, 0.99])
      for (const { p, low, high } of tukeyHsd(runs, { confidence }).pairs)
        expect((p as number) <= 1 - confidence).toBe(low >= 0 || high <= 0);
  });
  it("without noise: null for a difference, 1 for none", () => {
    const { pairs } = tukeyHsd([
      [0.1, 0.5],
      [0.1, 0.5],
      [0.3, 0.7],
    ]);
    expect(pairs.map(({ p }) => p)).toEqual([1, null, null]);
  });
  it("the quantile and the probability are inverse", () => {
    // scipy.stats.studentized_range.ppf(0.95, 3, 10); tables have 3.877.
    expect(studentizedRangeQuantile(0.05, 3, 10)).toBeCloseTo(3.876776750013158, 12);
    // Two means: q = t sqrt 2, and t with one degree of freedom is tan(pi (1/2 - share / 2)).
    for (const share of [0.5, 0.2, 0.05])
      expect(
        studentizedRangeQuantile(share, 2, 1) / (Math.SQRT2 * Math.tan(Math.PI * (0.5 - share / 2))),
      ).toBeCloseTo(1, 10);
  });
  it("refuses runs over different queries, scores that are not finite and impossible options", () => {
    expect(() => tukeyHsd([[1, 2], [1]])).toThrow(
      "tukeyHsd: every run must have a score for every query, got `2` scores of run 0 and `1` of " +
        "run 1; leave out queries that a run lacks",
    );
    expect(() =>
      friedman([
        [1, NaN],
        [1, 2],
      ]),
    ).toThrow("friedman: every score must be a finite number, got `NaN` at position 1 of run 0");
    expect(() => tukeyHsd([], { confidence: 1 })).toThrow("confidence must be above 0 and below 1, got `1`");
    expect(() => randomizedTukey([], { permutations: 0 })).toThrow(
      "permutations must be a whole number from 1, got `0`",
    );
    expect(() => randomizedTukey([], { seed: 0.5 })).toThrow(
      "seed must be a whole number from -2147483648 to 4294967295, got `0.5`",
    );
  });
});

/** Every order of some numbers. */
function orders(numbers: readonly number[]): number[][] {
  return numbers.length < 2
    ? [[...numbers]]
    : numbers.flatMap((number, i) =>
        orders(numbers.filter((_, j) => j !== i)).map((rest) => [number, ...rest]),
      );
}

describe("randomised Tukey", () => {
  it("comes near the share of all 6^4 shuffles, ties counted", () => {
    const rows = [
      [3, 1, 2],
      [4, 4, 0],
      [2, 1, 1],
      [5, 3, 1],
    ];
    const runs = [0, 1, 2].map((run) => rows.map((row) => row[run] as number));
    let sums = [[0, 0, 0]];
    for (const row of rows)
      sums = sums.flatMap((sum) =>
        orders(row).map((order) => sum.map((value, run) => value + (order[run] as number))),
      );
    const permutations = 50_000;
    for (const { first, second, p } of randomizedTukey(runs, { seed: 7, permutations }).pairs) {
      const [a, b] = [first, second].map((run) =>
        (runs[run] as number[]).reduce((sum, score) => sum + score, 0),
      ) as [number, number];
      const share =
        sums.filter((each) => Math.max(...each) - Math.min(...each) >= Math.abs(a - b)).length / sums.length;
      expect(Math.abs(p - share)).toBeLessThan(
        4 * Math.sqrt((share * (1 - share)) / permutations) + 2 / permutations,
      );
    }
  });
  it("ties that only rounding tells apart are ties: tenths give what whole numbers give", () => {
    const whole = [
      [3, 1, 2, 7, 1, 6],
      [1, 2, 7, 3, 6, 1],
    ];
    const tenths = whole.map((scores) => scores.map((score) => score / 10));
    const p = ([pair]: readonly { p: number }[]): number | undefined => pair?.p;
    expect(p(randomizedTukey(tenths, { permutations: 2000 }).pairs)).toBe(
      p(randomizedTukey(whole, { permutations: 2000 }).pairs),
    );
    // The sums are equal: every shuffle has a difference at least as large.
    expect(p(randomizedTukey(tenths, { permutations: 2000 }).pairs)).toBe(1);
  });
  it("is the same for the same seed, is never 0, and says what it did", () => {
    const runs = [
      Array.from({ length: 40 }, (_, i) => i),
      Array.from({ length: 40 }, (_, i) => i + 1),
      Array.from({ length: 40 }, () => 0),
    ];
    const once = randomizedTukey(runs, { seed: 3, permutations: 500 });
    expect(randomizedTukey(runs, { seed: 3, permutations: 500 })).toEqual(once);
    expect(randomizedTukey(runs, { seed: 4, permutations: 500 }).pairs[0]?.p).not.toBe(once.pairs[0]?.p);
    expect(once).toMatchObject({ seed: 3, permutations: 500, queries: 40 });
    expect(once.pairs[1]?.p).toBe(1 / 501);
  });
  it("runs that are alike: p = 1; no queries or one run: no pairs", () => {
    expect(
      randomizedTukey(
        [
          [1, 2],
          [1, 2],
        ],
        { permutations: 10 },
      ).pairs,
    ).toEqual([{ first: 0, second: 1, difference: 0, p: 1 }]);
    expect(randomizedTukey([[], []]).pairs).toEqual([]);
    expect(randomizedTukey([[1]]).pairs).toEqual([]);
  });
  it("pairs come in the order of the runs", () =>
    expect(pairsOf(3)).toEqual([
      [0, 1],
      [0, 2],
      [1, 2],
    ]));
});

describe("Friedman's test", () => {
  it(
    "three runs in one order on two queries: 12 * 2 * (4 + 0 + 4) / (2 * 3 * 8) = 4, full " + "concordance",
    () => {
      expect(
        friedman([
          [1, 1],
          [2, 2],
          [3, 3],
        ]),
      ).toMatchObject({
        statistic: 4,
        degrees: 2,
        concordance: 1,
        meanRanks: [1, 2, 3],
        p: expect.closeTo(Math.exp(-2), 14) as number,
      });
    },
  );
  it("ties share ranks, and the correction for them counts: 1 1 2 and 1 2 2", () => {
    // Ranks 1.5 1.5 3 and 1 2.5 2.5; sums 2.5 4 5.5; 12 * 2 * (2.25 + 2.25) / (2 * 3 * 8 - 12) = 3
    expect(
      friedman([
        [1, 1],
        [1, 2],
        [2, 2],
      ]).statistic,
    ).toBe(3);
  });
  it("is 0 where every query ties all runs, and not defined without queries", () => {
    expect(
      friedman([
        [1, 2],
        [1, 2],
      ]),
    ).toEqual({ statistic: 0, degrees: 1, p: 1, concordance: null, meanRanks: [1.5, 1.5] });
    expect(friedman([[], []])).toMatchObject({ statistic: null, meanRanks: [1.5, 1.5] });
    expect(friedman([])).toMatchObject({ statistic: null, degrees: 0, meanRanks: [] });
  });
});
