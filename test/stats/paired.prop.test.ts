import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  adjustPValues,
  intervalMethods,
  meanInterval,
  meanIntervals,
  cohenDz,
  detectableEffect,
  hedgesGz,
  matchedRankBiserial,
  mean,
  pairedPower,
  pairedTTest,
  pairsNeeded,
  randomizationTest,
  randomizationTests,
  randomizedTukey,
  signTest,
  wilcoxonSignedRank,
  type Alternative,
  type Interval,
  type PValueAdjustment,
  type WilcoxonOptions,
} from "../../src/stats/index.js";
import { corrections, furtherCorrections } from "../../src/stats/corrections/catalog.js";
import { pairsOf, randomizationTestsOfPairs } from "../../src/stats/internal.js";
import { lawRuns, shuffled } from "../support/arbitraries.js";

const ALTERNATIVES: readonly Alternative[] = ["two-sided", "greater", "less"];
const MIRRORED: Readonly<Record<Alternative, Alternative>> = {
  "two-sided": "two-sided",
  greater: "less",
  less: "greater",
};
/** Sums of thirds and tenths are not exact in doubles, so that only whole numbers tell which of them tie. */
const UNITS = [1, 0.1, 1 / 3, 1e-5];
/** Above so many differences the randomization test draws. */
const MOST_EXACT = 20;
/** Of a draw that is new with every run of the laws: once in a billion it is further out. */
const DEVIATIONS = 6;
const PERMUTATIONS = 2000;
const RESAMPLES = 400;

/** Share of the usual number of cases: the same laws hold for each of many tests and intervals. */
const SHARE = 0.4;

function check<T>(arbitrary: fc.Arbitrary<T>, law: (value: T) => void, share = SHARE): void {
  fc.assert(
    fc.property(arbitrary, (value) => {
      law(value);
    }),
    lawRuns(share),
  );
}

interface Scaled {
  readonly whole: readonly number[];
  readonly unit: number;
  /** The differences: whole numbers times the unit. */
  readonly differences: readonly number[];
}

function scaled(minLength: number, maxLength: number, most = 6): fc.Arbitrary<Scaled> {
  const whole = fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: -most, max: most }) },
    { weight: 1, arbitrary: fc.constant(0) },
  );
  return fc
    .tuple(fc.array(whole, { minLength, maxLength }), fc.constantFrom(...UNITS))
    .map(([numbers, unit]) => ({
      whole: numbers,
      unit,
      differences: numbers.map((number) => number * unit),
    }));
}

/** Few queries, of which all flips are counted, or many, of which a sample is drawn. */
const few = scaled(0, 12);
const many = scaled(MOST_EXACT + 15, 90);
const any = fc.oneof(few, many);
/** At least two, as an interval needs. */
const several = scaled(2, 40);

const negated = (values: readonly number[]): number[] => values.map((value) => -value);
const doubled = (values: readonly number[]): number[] => values.map((value) => 2 * value);
const near = (value: number, expected: number, share = 1e-9): void =>
  expect(Math.abs(value - expected)).toBeLessThanOrEqual(share * Math.max(Math.abs(expected), 1e-300));

/**
 * How often a statistic of the flipped numbers is as far out as that of the numbers as they are. All numbers
 * are whole.
 */
function enumerated(sizes: readonly number[], observed: number, alternative: Alternative): number {
  let extreme = 0;
  for (let signs = 0; signs < 2 ** sizes.length; signs++) {
    let sum = 0;
    for (let i = 0; i < sizes.length; i++)
      sum += (signs >> i) & 1 ? -(sizes[i] as number) : (sizes[i] as number);
    if (
      alternative === "two-sided"
        ? Math.abs(sum) >= Math.abs(observed)
        : alternative === "greater"
          ? sum >= observed
          : sum <= observed
    )
      extreme++;
  }
  return extreme / 2 ** sizes.length;
}

/**
 * The same share for many numbers: of each sum, the share of flips that lead to it, one number after another.
 */
function convolved(whole: readonly number[], alternative: Alternative): number {
  let shares = new Map([[0, 1]]);
  for (const number of whole) {
    const next = new Map<number, number>();
    for (const [sum, share] of shares)
      for (const to of [sum + number, sum - number]) next.set(to, (next.get(to) ?? 0) + share / 2);
    shares = next;
  }
  const observed = whole.reduce((sum, number) => sum + number, 0);
  let p = 0;
  for (const [sum, share] of shares)
    if (
      alternative === "two-sided"
        ? Math.abs(sum) >= Math.abs(observed)
        : alternative === "greater"
          ? sum >= observed
          : sum <= observed
    )
      p += share;
  return p;
}

/** What a share that was drawn so often may be off; one more draw keeps shares near 0 from being too sure. */
const reach = (p: number, draws: number): number =>
  DEVIATIONS * Math.sqrt((p * (1 - p) + 1 / draws) / draws) + 1 / draws;

describe("the randomization test", () => {
  it.each(Array.from({ length: 13 }, (_, n) => n))(
    "of %d queries is the share of all sign flips whose sum is as far out",
    (n) => {
      check(fc.oneof(scaled(n, n), scaled(n, n, 1e9)), ({ whole, differences }) => {
        const observed = whole.reduce((sum, number) => sum + number, 0);
        for (const alternative of ALTERNATIVES)
          expect(randomizationTest(differences, { alternative })).toEqual({
            p: enumerated(whole, observed, alternative),
            isExact: true,
          });
      });
    },
  );
  it("is exact up to 20 differences other than 0, whatever the number of zeros", () => {
    check(fc.tuple(scaled(13, MOST_EXACT), fc.nat(60)), ([{ whole, differences }, zeros]) => {
      for (const alternative of ALTERNATIVES) {
        const { p, isExact } = randomizationTest([...differences, ...new Array<number>(zeros).fill(0)], {
          alternative,
        });
        expect(isExact).toBe(true);
        near(p, convolved(whole, alternative));
      }
    });
  });
  it("that is drawn lies around the exact one", () => {
    check(many, ({ whole, differences }) => {
      for (const alternative of ALTERNATIVES) {
        const { p, isExact } = randomizationTest(differences, { alternative, permutations: PERMUTATIONS });
        if (isExact) return;
        const exact = convolved(whole, alternative);
        expect(Math.abs(p - exact)).toBeLessThanOrEqual(reach(exact, PERMUTATIONS));
      }
    });
  });
  it(
    "that is drawn lies within 4 standard errors of the exact one, for each of 50 seeds, and " +
      "around it on average",
    () => {
      // 30 queries, two of them without a difference; the exact p is 0.0327.
      const whole = Array.from({ length: 30 }, (_, i) => ((i * 7) % 11) - 4 + (i % 3 === 0 ? 1 : 0));
      const exact = convolved(whole, "two-sided");
      const draws = 20_000;
      const error = Math.sqrt((exact * (1 - exact)) / draws);
      const drawn = Array.from(
        { length: 50 },
        (_, seed) => randomizationTest(whole, { seed, permutations: draws }).p,
      );
      for (const p of drawn) expect(Math.abs(p - exact)).toBeLessThanOrEqual(4 * error);
      expect(Math.abs(mean(drawn) - exact)).toBeLessThanOrEqual((4 * error) / Math.sqrt(50));
      // Seeds that shared their draws would lie closer together than chance has it.
      const spread = Math.sqrt(mean(drawn.map((p) => (p - exact) ** 2)));
      expect(spread / error).toBeGreaterThan(0.6);
      expect(spread / error).toBeLessThan(1.5);
    },
  );
  it("has p above 0, at most 1, and 1 for equal runs", () => {
    check(fc.tuple(any, fc.integer({ min: 1, max: 50 })), ([{ differences }, permutations]) => {
      for (const alternative of ALTERNATIVES) {
        const { p } = randomizationTest(differences, { alternative, permutations });
        expect(p).toBeGreaterThan(0);
        expect(p).toBeLessThanOrEqual(1);
        expect(
          randomizationTest(
            differences.map(() => 0),
            { alternative },
          ).p,
        ).toBe(1);
      }
    });
    // All flips but one of a million million are nearer: b = 0.
    expect(randomizationTest(new Array<number>(40).fill(1), { permutations: 999 }).p).toBe(1 / 1000);
  });
  it("of one column depends neither on the other columns nor on its place among them", () => {
    check(
      fc.tuple(fc.array(any, { minLength: 1, maxLength: 4 }), fc.nat(100), fc.constantFrom(...ALTERNATIVES)),
      ([columns, seed, alternative]) => {
        const options = { seed, alternative, permutations: 700 };
        const alone = columns.map(({ differences }) => randomizationTest(differences, options));
        const together = (list: readonly Scaled[]): unknown =>
          randomizationTests(
            list.map(({ differences }) => differences),
            options,
          );
        expect(together(columns)).toEqual(alone);
        expect(together([...columns].reverse())).toEqual([...alone].reverse());
      },
    );
  });
  it("has the same bytes for the same seed, and stays within its error for another", () => {
    check(fc.tuple(many, fc.nat(1000), fc.nat(1000)), ([{ whole, differences }, seed, other]) => {
      const test = (of: number): number =>
        randomizationTest(differences, { seed: of, permutations: PERMUTATIONS }).p;
      expect(test(seed)).toBe(test(seed));
      expect(Math.abs(test(seed) - test(other))).toBeLessThanOrEqual(
        Math.SQRT2 * reach(convolved(whole, "two-sided"), PERMUTATIONS),
      );
    });
  });
  it("of two runs is the randomised Tukey test", () => {
    check(scaled(1, 30), ({ whole, differences }) => {
      const p = randomizedTukey([[...differences], differences.map(() => 0)], { permutations: PERMUTATIONS })
        .pairs[0]?.p as number;
      const exact = convolved(whole, "two-sided");
      expect(Math.abs(p - exact)).toBeLessThanOrEqual(reach(exact, PERMUTATIONS));
    });
  });
});

/** Every paired test, all of it that a swap, a scale or a zero could change. */
const tests: Readonly<Record<string, (differences: readonly number[], alternative: Alternative) => number>> =
  {
    randomization: (differences, alternative) =>
      randomizationTest(differences, { alternative, permutations: 700 }).p,
    wilcoxon: (differences, alternative) => wilcoxonSignedRank(differences, { alternative }).p,
    "wilcoxon, pratt": (differences, alternative) =>
      wilcoxonSignedRank(differences, { alternative, zeros: "pratt" }).p,
    "wilcoxon, approximate": (differences, alternative) =>
      wilcoxonSignedRank(differences, { alternative, method: "approximate", isCorrected: true }).p,
    "wilcoxon, zsplit": (differences, alternative) =>
      wilcoxonSignedRank(differences, { alternative, zeros: "zsplit" }).p,
    sign: (differences, alternative) => signTest(differences, alternative).p,
    t: (differences, alternative) => pairedTTest(differences, alternative).p,
  };
/** Those that know nothing of zeros. */
const WITHOUT_ZEROS = ["randomization", "wilcoxon", "wilcoxon, approximate", "sign"];

describe.each(Object.entries(tests))("every paired test: %s", (name, test) => {
  const each = (
    law: (alternative: Alternative, differences: readonly number[], whole: Scaled) => void,
  ): void =>
    check(any, (all) => ALTERNATIVES.forEach((alternative) => law(alternative, all.differences, all)));

  it("has p above 0 and at most 1, and 1 where no query differs", () => {
    each((alternative, differences) => {
      const p = test(differences, alternative);
      // One pair, or a deviation of 0, has no t.
      if (name !== "t" || !Number.isNaN(p)) expect(p > 0 && p <= 1).toBe(true);
      if (differences.length > 1)
        expect(
          test(
            differences.map(() => 0),
            alternative,
          ),
        ).toBe(1);
    });
  });
  it("keeps its p when the runs change places, and mirrors a one-sided one", () =>
    each((alternative, differences) =>
      expect(test(negated(differences), MIRRORED[alternative])).toBe(test(differences, alternative)),
    ));
  it("keeps its p when all differences are doubled", () =>
    each((alternative, differences) =>
      expect(test(doubled(differences), alternative)).toBe(test(differences, alternative)),
    ));
  if (WITHOUT_ZEROS.includes(name))
    it("keeps its p when queries without a difference are added", () => {
      each((alternative, differences) =>
        expect(test([...differences, 0, -0, 0, ...new Array<number>(40).fill(0)], alternative)).toBe(
          test(differences, alternative),
        ),
      );
    });
  it("keeps its p in another order of queries", () => {
    const ordered = any.chain((all) =>
      shuffled(all.whole).map((order) => ({ ...all, other: order.map((number) => number * all.unit) })),
    );
    check(ordered, ({ whole, differences, other }) => {
      for (const alternative of ALTERNATIVES) {
        const [p, again] = [test(differences, alternative), test(other, alternative)];
        const isDrawn =
          name === "randomization" &&
          differences.filter((difference) => difference !== 0).length > MOST_EXACT;
        if (name === "t" && !Number.isNaN(p)) near(again, p);
        else if (isDrawn)
          expect(Math.abs(again - p)).toBeLessThanOrEqual(
            Math.SQRT2 * reach(convolved(whole, alternative), 700),
          );
        else expect(again).toBe(p);
      }
    });
  });
  it("two sides are twice the smaller one, 1 at most", () => {
    check(few, ({ differences }) => {
      const [both, greater, less] = ALTERNATIVES.map((alternative) => test(differences, alternative)) as [
        number,
        number,
        number,
      ];
      // With its correction the approximation moves towards the middle, which two sides share.
      if (name !== "wilcoxon, approximate" && !Number.isNaN(both))
        near(both, Math.min(1, 2 * Math.min(greater, less)), 1e-12);
    });
  });
});

describe("Wilcoxon's signed-rank test", () => {
  /** Twice the ranks of absolute values, whole numbers: shared ranks are means of two whole numbers. */
  const doubledRanks = (values: readonly number[]): number[] =>
    values.map(
      (value) =>
        2 * values.filter((other) => Math.abs(other) < Math.abs(value)).length +
        values.filter((other) => Math.abs(other) === Math.abs(value)).length +
        1,
    );

  it.each<Exclude<WilcoxonOptions["zeros"], "zsplit" | undefined>>(["wilcox", "pratt"])(
    "is the share of all signs whose rank sum is as far out, ties shared, zeros as %s has it",
    (zeros) => {
      check(scaled(0, 10, 4), ({ whole, differences }) => {
        const ranked = zeros === "wilcox" ? whole.filter((value) => value !== 0) : whole;
        const ranks = doubledRanks(ranked).filter((_, i) => ranked[i] !== 0);
        const signs = ranked.filter((value) => value !== 0).map(Math.sign);
        // Sum over signs = above - below; as far out in above is as far out in this.
        const observed = ranks.reduce((sum, rank, i) => sum + rank * (signs[i] as number), 0);
        const total = ranks.reduce((sum, rank) => sum + rank, 0);
        for (const alternative of ALTERNATIVES) {
          const found = wilcoxonSignedRank(differences, { alternative, zeros, method: "exact" });
          near(found.p, enumerated(ranks, observed, alternative), 1e-12);
          expect(found.statistic).toBe(
            (alternative === "two-sided" ? total - Math.abs(observed) : total + observed) / 4,
          );
          expect(found.isExact).toBe(true);
          expect(wilcoxonSignedRank(differences, { alternative, zeros })).toEqual(found);
        }
      });
    },
  );
  it("approximated comes near the exact one from 40 queries without ties", () => {
    check(
      fc
        .uniqueArray(fc.integer({ min: 1, max: 10_000 }), { minLength: 40, maxLength: 50 })
        .chain((sizes) =>
          fc
            .array(fc.boolean(), { minLength: sizes.length, maxLength: sizes.length })
            .map((signs) => sizes.map((size, i) => (signs[i] === true ? size : -size))),
        ),
      (differences) => {
        const [exact, approximate] = (["exact", "approximate"] as const).map(
          (method) => wilcoxonSignedRank(differences, { method, isCorrected: true }).p,
        ) as [number, number];
        expect(Math.abs(exact - approximate)).toBeLessThan(0.005);
      },
    );
  });
});

describe("the sign test", () => {
  /** n over k. */
  function choose(n: number, k: number): bigint {
    let ways = 1n;
    for (let i = 1; i <= k; i++) ways = (ways * BigInt(n - k + i)) / BigInt(i);
    return ways;
  }
  const atLeast = (k: number, n: number): number => {
    let ways = 0n;
    for (let heads = k; heads <= n; heads++) ways += choose(n, heads);
    return Number(ways) / 2 ** n;
  };

  it("is 1 where no sign is rarer than it must be", () => {
    expect(signTest([0.3, 0.3, 0.3, -0.1, -0.1]).p).toBe(1);
    expect(signTest([0.3, -0.1]).p).toBe(1);
  });
  it("is the sum of the binomial distribution", () => {
    check(fc.tuple(fc.nat(90), fc.nat(90), fc.nat(5)), ([above, below, zeros]) => {
      const differences = [
        ...new Array<number>(above).fill(0.3),
        ...new Array<number>(below).fill(-0.1),
        ...new Array<number>(zeros).fill(0),
      ];
      const n = above + below;
      near(signTest(differences, "greater").p, atLeast(above, n), 1e-11);
      near(signTest(differences, "less").p, atLeast(below, n), 1e-11);
      near(signTest(differences).p, Math.min(1, 2 * atLeast(Math.max(above, below), n)), 1e-11);
      expect(signTest(differences)).toMatchObject({ above, below });
    });
  });
});

describe("randomization tests of all pairs of runs", () => {
  // Tenths tie exactly but for rounding; a run and its copy that hardly differs have sums that rounding
  // decides.
  const score = fc.oneof(
    fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
    fc.double({ min: 0, max: 1, noNaN: true }),
  );
  const runs = fc
    .integer({ min: 1, max: 70 })
    .chain((queries) =>
      fc.array(fc.array(score, { minLength: queries, maxLength: queries }), { minLength: 1, maxLength: 3 }),
    );
  it("are those of each pair's differences", () => {
    check(fc.tuple(runs, fc.constantFrom(0, 1e-3, 1e-11, 1e-14)), ([given, step]) => {
      const all = [...given, (given[0] as number[]).map((each, query) => each + (query % 3) * step)];
      const differences = (first: number, second: number): number[] =>
        (all[first] as number[]).map((each, query) => (all[second]?.[query] as number) - each);
      const options = { permutations: 300, seed: 7 };
      expect(randomizationTestsOfPairs(all, differences, options)).toEqual(
        pairsOf(all.length).map(([first, second]) => randomizationTest(differences(first, second), options)),
      );
    });
  });
});

describe("adjusted p values", () => {
  const pValue = fc.oneof(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.constantFrom(0, 1, 0.05, 0.01, 1e-300),
    fc.integer({ min: 1, max: 20 }).map((k) => k / 100),
  );
  const pValues = fc.array(pValue, { maxLength: 9 });
  const TWO_STAGE: readonly PValueAdjustment[] = ["two-stage-bh", "two-stage-bky"];
  const all = Object.keys({ ...corrections, ...furtherCorrections }) as readonly PValueAdjustment[];
  const SINGLE_STAGE = all.filter((method) => !TWO_STAGE.includes(method));
  /** Each is at most the next, for every family of p values. */
  const CHAINS: readonly (readonly PValueAdjustment[])[] = [
    ["none", "hommel", "hochberg", "holm", "bonferroni"],
    ["none", "benjamini-hochberg", "hochberg"],
    ["none", "benjamini-hochberg", "benjamini-yekutieli"],
    ["holm-sidak", "holm"],
    ["holm-sidak", "sidak", "bonferroni"],
  ];
  const notAbove = (value: number | undefined, bound: number | undefined): void =>
    expect(value).toBeLessThanOrEqual((bound as number) * (1 + 1e-12));

  it.each(SINGLE_STAGE)(
    "%s: at least the raw one, at most 1, in the order of the raw ones; one test stays as it is",
    (method) => {
      check(pValues, (raw) => {
        const adjusted = adjustPValues(raw, method);
        adjusted.forEach((p, i) => {
          notAbove(raw[i], p);
          expect(p).toBeLessThanOrEqual(1);
          raw.forEach((other, j) => {
            if (other <= (raw[i] as number)) notAbove(adjusted[j], p);
          });
        });
        for (const p of raw) near(adjustPValues([p], method)[0] as number, p, 1e-12);
      });
    },
  );
  it.each([...SINGLE_STAGE, ...TWO_STAGE])("%s: does not depend on the order of the tests", (method) => {
    check(
      pValues.chain((raw) => shuffled([...raw.keys()]).map((order) => ({ raw, order }))),
      ({ raw, order }) => {
        const adjusted = adjustPValues(raw, method);
        expect(
          adjustPValues(
            order.map((i) => raw[i] as number),
            method,
          ),
        ).toEqual(order.map((i) => adjusted[i]));
      },
    );
  });
  it.each(CHAINS)("%s and so on: from the most findings to the fewest", (...chain) => {
    check(pValues, (raw) => {
      const adjusted = chain.map((method) => adjustPValues(raw, method));
      adjusted.slice(1).forEach((values, step) => values.forEach((p, i) => notAbove(adjusted[step]?.[i], p)));
    });
  });
  it("two stages find at least what the first one finds, at their level", () => {
    check(pValues, (raw) => {
      for (const [method, factor] of [
        ["two-stage-bh", 1],
        ["two-stage-bky", 1.05],
      ] as const) {
        const twoStages = adjustPValues(raw, method, 0.05);
        adjustPValues(raw, "benjamini-hochberg").forEach(
          (p, i) => p <= 0.05 / factor - 1e-12 && expect(twoStages[i]).toBeLessThanOrEqual(0.05),
        );
      }
    });
  });
  // Marcus, Peritz, Gabriel (1976): a hypothesis falls when every set of hypotheses that it is in falls, each
  // by a test of the whole set.
  it.each<[PValueAdjustment, string, (set: readonly number[]) => number]>([
    ["holm", "Bonferroni's", (set) => set.length * Math.min(...set)],
    [
      "hommel",
      "Simes'",
      (set) => Math.min(...[...set].sort((a, b) => a - b).map((p, i) => (set.length * p) / (i + 1))),
    ],
    ["holm-sidak", "Sidak's", (set) => 1 - (1 - Math.min(...set)) ** set.length],
  ])("%s is the closed test of %s inequality", (method, _, ofSet) => {
    check(fc.array(pValue, { minLength: 1, maxLength: 7 }), (raw) => {
      const sets = Array.from({ length: 2 ** raw.length }, (__, bits) =>
        [...raw.keys()].filter((i) => (bits >> i) & 1),
      );
      const p = sets.map((set) => (set.length === 0 ? 0 : ofSet(set.map((i) => raw[i] as number))));
      adjustPValues(raw, method).forEach((adjusted, i) => {
        const closed = Math.min(
          1,
          Math.max(...sets.map((set, at) => (set.includes(i) ? (p[at] as number) : 0))),
        );
        expect(Math.abs(adjusted - closed)).toBeLessThanOrEqual(1e-12);
      });
    });
  });
  it("hommel is to the last bit what trying every number of true hypotheses gives", () => {
    /** Wright (1992), as it is written down. */
    const everySize = (rising: readonly number[]): number[] => {
      const adjusted = [...rising];
      for (let size = rising.length; size > 1; size--) {
        const start = rising.length - size;
        const bound = Math.min(...rising.slice(start).map((p, i) => (size * p) / (i + 1)));
        rising.forEach((p, place) => {
          const own = place < start ? Math.min(bound, size * p) : bound;
          adjusted[place] = Math.max(adjusted[place] as number, own);
        });
      }
      return adjusted.map((p) => Math.min(1, p));
    };
    // Equal steps lie on one line, where only rounding tells the bounds apart; so do shares of flips, nearly.
    const equalSteps = fc
      .tuple(pValue, pValue, fc.integer({ min: 1, max: 40 }))
      .map(([from, step, count]) => Array.from({ length: count }, (_, i) => Math.min(1, from + i * step)));
    const shares = fc.array(fc.integer({ min: 1, max: 100_001 }).map((reached) => reached / 100_001));
    const families = fc
      .array(fc.oneof(fc.array(pValue, { maxLength: 40 }), equalSteps, shares), { maxLength: 3 })
      .map((parts) => parts.flat().sort((a, b) => a - b));
    check(families, (rising) => expect(adjustPValues(rising, "hommel")).toEqual(everySize(rising)));
  });
});

const METHODS = Object.keys(intervalMethods) as (keyof typeof intervalMethods)[];
const LEVELS = [0.8, 0.9, 0.95, 0.99, 0.999, 1 - 1e-9, 1 - 1e-13];
/** Intervals of several levels, by their names. */
const intervalsOf: Readonly<
  Record<string, (differences: readonly number[], confidence: number, seed?: number) => Interval>
> = Object.fromEntries(
  METHODS.map((method) => [
    method,
    (differences: readonly number[], confidence: number, seed = 1) =>
      meanInterval(differences, { method, confidence, seed, resamples: RESAMPLES }) as Interval,
  ]),
);

describe.each(Object.entries(intervalsOf))("intervals: %s", (name, intervalOf) => {
  /** Rounding, in the size of the differences. */
  const slack = (differences: readonly number[]): number =>
    1e-9 * Math.max(...differences.map(Math.abs), 1e-300);

  it("low is at most high, and a higher confidence is no narrower at either end", () => {
    check(several, ({ differences }) => {
      const intervals = LEVELS.map((confidence) => intervalOf(differences, confidence));
      intervals.forEach(({ low, high }, i) => {
        expect(low).toBeLessThanOrEqual(high);
        const wider = intervals[i + 1];
        if (wider === undefined) return;
        expect(wider.low).toBeLessThanOrEqual(low + slack(differences));
        expect(wider.high).toBeGreaterThanOrEqual(high - slack(differences));
      });
    });
  });
  // All of these hold the observed mean as long as the share of resamples below it lies between the tails: of
  // 400 resamples and from a confidence of 80 % always. BCa, too: its shift by the bias and its skewness
  // leave the observed mean where it stands.
  it("the mean lies inside", () => {
    check(several, ({ differences }) => {
      for (const confidence of LEVELS) {
        const { low, high } = intervalOf(differences, confidence);
        expect(low).toBeLessThanOrEqual(mean(differences) + slack(differences));
        expect(high).toBeGreaterThanOrEqual(mean(differences) - slack(differences));
      }
    });
  });
  it("is mirrored when the runs change places: the same seed draws the same queries", () => {
    check(several, ({ differences }) => {
      for (const confidence of LEVELS) {
        const [there, back] = [
          intervalOf(differences, confidence),
          intervalOf(negated(differences), confidence),
        ];
        expect(Math.abs(back.low + there.high)).toBeLessThanOrEqual(slack(differences));
        expect(Math.abs(back.high + there.low)).toBeLessThanOrEqual(slack(differences));
      }
    });
  });
  it("moves and grows with the differences", () => {
    check(fc.tuple(several, fc.integer({ min: -9, max: 9 })), ([{ differences, unit }, shift]) => {
      const moved = differences.map((difference) => 2 * difference + shift * unit);
      const [before, after] = [intervalOf(differences, 0.95), intervalOf(moved, 0.95)];
      expect(Math.abs(after.low - (2 * before.low + shift * unit))).toBeLessThanOrEqual(slack(moved));
      expect(Math.abs(after.high - (2 * before.high + shift * unit))).toBeLessThanOrEqual(slack(moved));
    });
  });
  if (name === "bca" || name === "percentile")
    it("stays among the differences", () => {
      check(several, ({ differences }) => {
        const { low, high } = intervalOf(differences, 0.999);
        expect(low).toBeGreaterThanOrEqual(Math.min(...differences) - slack(differences));
        expect(high).toBeLessThanOrEqual(Math.max(...differences) + slack(differences));
      });
    });
});

describe("bootstrap intervals", () => {
  it("of one column depend neither on the other columns nor on its place among them", () => {
    check(
      fc.tuple(
        fc.array(scaled(0, 30), { minLength: 1, maxLength: 4 }),
        fc.nat(100),
        fc.constantFrom(...METHODS),
      ),
      ([columns, seed, method]) => {
        const options = { seed, method, resamples: RESAMPLES };
        const alone = columns.map(({ differences }) => meanInterval(differences, options));
        const together = (list: readonly Scaled[]): unknown =>
          meanIntervals(
            list.map(({ differences }) => differences),
            options,
          );
        expect(together(columns)).toEqual(alone);
        expect(together([...columns].reverse())).toEqual([...alone].reverse());
        columns.forEach(({ differences }, i) => expect(alone[i] === null).toBe(differences.length < 2));
      },
    );
  });
  it("have the same bytes for the same seed", () =>
    check(fc.tuple(several, fc.nat(1000)), ([{ differences }, seed]) =>
      expect(meanInterval(differences, { seed, resamples: RESAMPLES })).toEqual(
        meanInterval(differences, { seed, resamples: RESAMPLES }),
      ),
    ));
  it("are the mean alone where all differences are the same", () => {
    check(
      fc.tuple(
        fc.integer({ min: 2, max: 50 }),
        // Student's t takes differences at 12 decimals.
        fc.integer({ min: -1e12, max: 1e12 }).map((units) => units / 1e12),
        fc.constantFrom(...METHODS),
      ),
      ([count, difference, method]) => {
        const { low, high } = meanInterval(new Array<number>(count).fill(difference), {
          method,
          resamples: RESAMPLES,
        }) as Interval;
        near(low, difference, 1e-12);
        near(high, difference, 1e-12);
      },
    );
  });
  it("keep both ends where skewness and confidence would send the formula of BCa round the pole", () => {
    // One of fifty queries improved: the acceleration is 0.16, and 6.5 deviations of it are above 1. Before,
    // the upper end was 0, too.
    const skewed = [...new Array<number>(49).fill(0), 1];
    const { low, high } = meanInterval(skewed, { confidence: 1 - 1e-10 }) as Interval;
    expect(low).toBe(0);
    expect(high).toBeGreaterThan(0.1);
    expect(meanInterval(negated(skewed), { confidence: 1 - 1e-10 })).toEqual({ low: -high, high: 0 });
  });
});

describe("effect sizes", () => {
  it(
    "are turned round with the runs, do not know the unit, and the correction of Hedges makes them " +
      "smaller",
    () => {
      check(several, ({ differences }) => {
        for (const size of [cohenDz, hedgesGz, matchedRankBiserial]) {
          expect(size(negated(differences)) + 0).toBe(0 - size(differences));
          expect(size(doubled(differences))).toBe(size(differences));
        }
        const [dz, gz] = [cohenDz(differences), hedgesGz(differences)];
        if (!Number.isNaN(gz)) expect(Math.abs(gz)).toBeLessThanOrEqual(Math.abs(dz));
        const biserial = matchedRankBiserial(differences);
        if (!Number.isNaN(biserial)) expect(Math.abs(biserial)).toBeLessThanOrEqual(1);
      });
    },
  );
});

describe("power", () => {
  const effect = fc.double({ min: 0.02, max: 3, noNaN: true });
  const pairs = fc.integer({ min: 2, max: 2000 });
  const options = fc.record({
    alpha: fc.constantFrom(0.001, 0.01, 0.05, 0.1, 0.3),
    power: fc.constantFrom(0.5, 0.8, 0.9, 0.99),
  });
  /** Power is an integral, good to so many digits. */
  const EXACT = 1e-10;

  it(
    "grows with the effect and with the pairs, is alpha without an effect, and does not know a " +
      "direction",
    () => {
      check(fc.tuple(effect, pairs, options), ([size, count, { alpha }]) => {
        const power = pairedPower(size, count, { alpha });
        expect(power).toBeGreaterThanOrEqual(alpha - EXACT);
        expect(power).toBeLessThanOrEqual(1 + EXACT);
        expect(pairedPower(size * 1.1, count, { alpha })).toBeGreaterThanOrEqual(power - EXACT);
        expect(pairedPower(size, count + 1, { alpha })).toBeGreaterThanOrEqual(power - EXACT);
        expect(pairedPower(size, count, { alpha: 1.5 * alpha })).toBeGreaterThanOrEqual(power - EXACT);
        expect(Math.abs(pairedPower(-size, count, { alpha }) - power)).toBeLessThanOrEqual(EXACT);
        expect(Math.abs(pairedPower(0, count, { alpha }) - alpha)).toBeLessThanOrEqual(EXACT);
      });
    },
  );
  it("so many pairs as an effect needs detect it, and one pair fewer does not", () => {
    check(
      fc.tuple(effect, options),
      ([size, settings]) => {
        const needed = pairsNeeded(size, settings) as number;
        expect(pairsNeeded(-size, settings)).toBe(needed);
        expect(detectableEffect(needed, settings)).toBeLessThanOrEqual(size * (1 + EXACT));
        if (needed > 2) expect(detectableEffect(needed - 1, settings)).toBeGreaterThan(size * (1 - EXACT));
      },
      SHARE / 4,
    );
  });
  it("the effect that so many pairs detect needs so many", () => {
    check(
      fc.tuple(pairs, options),
      ([count, settings]) => {
        expect(pairsNeeded(detectableEffect(count, settings) * (1 + 1e-8), settings)).toBe(count);
        expect(detectableEffect(count + 1, settings)).toBeLessThan(detectableEffect(count, settings));
      },
      SHARE / 4,
    );
  });
  it("large effects need few pairs at every level, and one pair is never asked", () => {
    for (const alpha of [0.01, 0.05, 0.3]) {
      const needed = Array.from({ length: 60 }, (_, i) => pairsNeeded(0.5 + i / 20, { alpha }) as number);
      // Larger effects need no more, and never fewer than a deviation takes.
      needed.forEach((count, i) => expect(count >= 2 && count <= (needed[i - 1] ?? Infinity)).toBe(true));
    }
  });
  it("a power that chance alone reaches needs no effect", () => {
    check(
      fc.tuple(
        pairs,
        fc.double({ min: 0.001, max: 0.999, noNaN: true }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
      ),
      ([count, alpha, share]) => expect(detectableEffect(count, { alpha, power: alpha * share })).toBe(0),
    );
  });
});
