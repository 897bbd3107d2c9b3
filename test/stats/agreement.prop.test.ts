import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repeatedMeasuresAnova } from "../../src/stats/anova.js";
import { averageOverlap } from "../../src/stats/average-overlap.js";
import { binaryAgreement } from "../../src/stats/binary-agreement.js";
import { cohenKappa } from "../../src/stats/cohen-kappa.js";
import { fleissKappa, randolphKappa } from "../../src/stats/fleiss-kappa.js";
import { friedman } from "../../src/stats/friedman.js";
import { jaccard } from "../../src/stats/jaccard.js";
import { kendallTau } from "../../src/stats/kendall-tau.js";
import { krippendorffAlpha, type LabelLevel } from "../../src/stats/krippendorff-alpha.js";
import { labelConfusion } from "../../src/stats/label-confusion.js";
import { mergeLabels } from "../../src/stats/merge-labels.js";
import { pearson } from "../../src/stats/pearson.js";
import { randomizedTukey } from "../../src/stats/randomized-tukey.js";
import { rankBiasedOverlap } from "../../src/stats/rank-biased-overlap.js";
import { matchPositions } from "../../src/stats/match-positions.js";
import { spearman } from "../../src/stats/spearman.js";
import { tauAp } from "../../src/stats/tau-ap.js";
import { LAW_RUNS, shuffled } from "../support/arbitraries.js";

/** Two lists of one length, with many ties. */
const twoLists = fc
  .array(fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 })), { maxLength: 12 })
  .map((pairs) => [pairs.map(([a]) => a), pairs.map(([, b]) => b)] as const);
const ITEMS = ["a", "b", "__proto__", "constructor", "10", "9", "문서", "🙂", "\uffff"];
const ranking = fc.shuffledSubarray(ITEMS);
const label = fc.option(fc.integer({ min: 0, max: 3 }), { freq: 6 });
/** Up to four raters of up to eight items, some labels missing. */
const raters = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 8 }))
  .chain(([count, items]) =>
    fc.array(fc.array(label, { minLength: items, maxLength: items }), { minLength: count, maxLength: count }),
  );
const twoRaters = fc
  .array(fc.tuple(label, label), { maxLength: 12 })
  .map((pairs) => [pairs.map(([a]) => a), pairs.map(([, b]) => b)] as const);
const scores = fc
  .tuple(fc.integer({ min: 2, max: 4 }), fc.integer({ min: 1, max: 6 }))
  .chain(([runs, queries]) =>
    fc.array(fc.array(fc.integer({ min: 0, max: 5 }), { minLength: queries, maxLength: queries }), {
      minLength: runs,
      maxLength: runs,
    }),
  );

const LEVELS: readonly LabelLevel[] = ["nominal", "ordinal", "interval", "ratio"];
const check = <T>(arbitrary: fc.Arbitrary<T>, law: (value: T) => void): void =>
  fc.assert(fc.property(arbitrary, law), LAW_RUNS);
const near = (got: number | null | undefined, expected: number | null | undefined): void => {
  if (expected === null || expected === undefined || got === null || got === undefined)
    expect(got).toBe(expected);
  else expect(got).toBeCloseTo(expected, 12);
};
const within = (value: number | null, low: number, high: number): void => {
  if (value === null) return;
  expect(value).toBeGreaterThanOrEqual(low - 1e-12);
  expect(value).toBeLessThanOrEqual(high + 1e-12);
};

it("alpha refuses a level that there is not", () => {
  for (const level of ["zz", "toString", undefined])
    expect(() =>
      krippendorffAlpha(
        [
          [1, 2],
          [1, 1],
        ],
        level as LabelLevel,
      ),
    ).toThrow("level must be one of nominal, ordinal, interval, ratio, got");
});

describe("correlations", () => {
  const all = (x: readonly number[], y: readonly number[]): (number | null)[] => {
    const { tauB, tauC, p } = kendallTau(x, y);
    const [rank, line] = [spearman(x, y), pearson(x, y)];
    return [tauB, tauC, rank.rho, line.r, p, rank.p, line.p];
  };
  const SIGNED = 4;

  it("lie between -1 and 1, their p values between 0 and 1", () =>
    check(twoLists, ([x, y]) => all(x, y).forEach((value, i) => within(value, i < SIGNED ? -1 : 0, 1))));
  it("are symmetric", () =>
    check(twoLists, ([x, y]) => all(x, y).forEach((value, i) => near(all(y, x)[i], value))));
  it("change their sign alone when one list is turned round", () =>
    check(twoLists, ([x, y]) =>
      all(x, y).forEach((value, i) =>
        near(
          all(
            x,
            y.map((v) => -v),
          )[i],
          value === null || i >= SIGNED ? value : -value,
        ),
      ),
    ));
  it("do not depend on the order of the pairs", () => {
    check(
      twoLists.chain(([x, y]) => shuffled([...x.keys()]).map((order) => [x, y, order] as const)),
      ([x, y, order]) => {
        all(x, y).forEach((value, i) =>
          near(
            all(
              order.map((j) => x[j] as number),
              order.map((j) => y[j] as number),
            )[i],
            value,
          ),
        );
      },
    );
  });
  it("of orders do not change when values are stretched", () => {
    check(twoLists, ([x, y]) => {
      const stretched = x.map((value) => Math.exp(value));
      expect([kendallTau(stretched, y), spearman(stretched, y)]).toEqual([kendallTau(x, y), spearman(x, y)]);
    });
  });
  it("of a list with itself are 1, or null", () =>
    check(twoLists, ([x]) =>
      [kendallTau(x, x).tauB, spearman(x, x).rho].forEach((value) =>
        expect(value).toBe(new Set(x).size < 2 ? null : 1),
      ),
    ));
  it("tau-b is that of all pairs", () => {
    check(twoLists, ([x, y]) => {
      let [balance, untiedX, untiedY] = [0, 0, 0];
      for (let i = 0; i < x.length; i++) {
        for (let j = 0; j < i; j++) {
          const [a, b] = [
            Math.sign((x[i] as number) - (x[j] as number)),
            Math.sign((y[i] as number) - (y[j] as number)),
          ];
          balance += a * b;
          untiedX += a * a;
          untiedY += b * b;
        }
      }
      near(
        kendallTau(x, y).tauB,
        untiedX === 0 || untiedY === 0 ? null : balance / Math.sqrt(untiedX * untiedY),
      );
    });
  });
  it("the exact p of tau is the share of all permutations that are as extreme", () => {
    check(
      fc.integer({ min: 3, max: 6 }).chain((n) => shuffled(Array.from({ length: n }, (_, i) => i))),
      (order) => {
        const sorted = [...order].sort((a, b) => a - b);
        const size = (permutation: readonly number[]): number =>
          Math.abs(kendallTau(sorted, permutation).tauB as number);
        const every = permutationsOf(sorted);
        near(
          kendallTau(sorted, order).p,
          every.filter((permutation) => size(permutation) >= size(order) - 1e-9).length / every.length,
        );
      },
    );
  });
});

function permutationsOf(items: readonly number[]): number[][] {
  return items.length < 2
    ? [[...items]]
    : items.flatMap((item, i) =>
        permutationsOf(items.filter((_, j) => j !== i)).map((rest) => [item, ...rest]),
      );
}

describe("rankings", () => {
  const overlaps = (a: readonly string[], b: readonly string[]): (number | null)[] => [
    ...Object.values(rankBiasedOverlap(a, b, 0.8) as unknown as Record<string, number | null>),
    averageOverlap(a, b),
    jaccard(a, b),
    jaccard(a, b, 3),
  ];

  it("overlap from 0 to 1, the same both ways, whatever the items are called", () => {
    check(fc.tuple(ranking, ranking), ([a, b]) => {
      const renamed = (list: readonly string[]): string[] => list.map((id) => `x${id}`);
      overlaps(a, b).forEach((value) => within(value, 0, 1));
      overlaps(b, a).forEach((value, i) => near(value, overlaps(a, b)[i]));
      expect(overlaps(renamed(a), renamed(b))).toEqual(overlaps(a, b));
    });
  });
  it("that are the same overlap fully, and those with nothing in common not at all", () => {
    check(ranking, (a) => {
      const [full, none] = [a.length === 0 ? null : 1, a.length === 0 ? null : 0];
      near(rankBiasedOverlap(a, a, 0.8).extrapolated, full);
      near(averageOverlap(a, a), full);
      near(jaccard(a, a), full);
      const others = a.map((id) => `other ${id}`);
      expect([
        rankBiasedOverlap(a, others).extrapolated,
        averageOverlap(a, others),
        jaccard(a, others),
      ]).toEqual([none, none, none]);
    });
  });
  it("overlap within the bounds that what follows leaves", () => {
    check(fc.tuple(ranking, ranking, fc.double({ min: 0.05, max: 0.95, noNaN: true })), ([a, b, p]) => {
      const { extrapolated, truncated, minimum, residual } = rankBiasedOverlap(a, b, p);
      within(extrapolated, minimum ?? 0, (minimum ?? 0) + (residual ?? 0));
      within(truncated, 0, minimum ?? 0);
    });
  });
  it("the first items of longer rankings keep within the bounds of the longer ones", () => {
    check(fc.tuple(ranking, ranking, fc.nat(9), fc.nat(9)), ([a, b, i, j]) => {
      const [cut, whole] = [
        rankBiasedOverlap(a.slice(0, i), b.slice(0, j), 0.8),
        rankBiasedOverlap(a, b, 0.8),
      ];
      if (cut.minimum === null || whole.minimum === null) return;
      within(whole.minimum, cut.minimum, 1);
      within(whole.minimum + (whole.residual as number), 0, cut.minimum + (cut.residual as number));
    });
  });
  it("tau-ap is its definition walked, -1 for the opposite and 1 for the same order", () => {
    check(fc.tuple(ranking, ranking), ([truth, predicted]) => {
      const shared = predicted.filter((id) => truth.includes(id));
      const above = (i: number): number =>
        shared.slice(0, i).filter((id) => truth.indexOf(id) < truth.indexOf(shared[i] as string)).length;
      const walked = shared.slice(1).reduce((sum, _, i) => sum + above(i + 1) / (i + 1), 0);
      near(tauAp(truth, predicted), shared.length < 2 ? null : (2 * walked) / (shared.length - 1) - 1);
      near(tauAp(truth, truth), truth.length < 2 ? null : 1);
      near(tauAp(truth, [...truth].reverse()), truth.length < 2 ? null : -1);
    });
  });
  it("shared positions name the same items", () => {
    check(fc.tuple(ranking, ranking), ([a, b]) => {
      const { first, second } = matchPositions(a, b);
      expect(first.map((position) => a[position])).toEqual(a.filter((id) => b.includes(id)));
      expect(second.map((position) => b[position])).toEqual(a.filter((id) => b.includes(id)));
    });
  });
});

describe("two raters", () => {
  const kappas = (
    a: readonly (number | null)[],
    b: readonly (number | null)[],
    scale?: readonly number[],
  ): (number | null)[] =>
    (["none", "linear", "quadratic"] as const).map((weights) =>
      cohenKappa(a, b, { weights, ...(scale && { scale }) }),
    );

  it("kappa is symmetric, at most 1, and 1 for the same labels", () => {
    check(twoRaters, ([a, b]) => {
      kappas(a, b).forEach((kappa, i) => {
        near(kappas(b, a)[i], kappa);
        within(kappa, -1, 1);
      });
      kappas(a, a).forEach((kappa) => expect(kappa === null || kappa === 1).toBe(true));
    });
  });
  it("unweighted kappa does not know what labels are called; weighted kappa only their places", () => {
    check(twoRaters, ([a, b]) => {
      const swapped = (labels: readonly (number | null)[]): (number | null)[] =>
        labels.map((each) => each && 4 - each);
      near(cohenKappa(swapped(a), swapped(b)), cohenKappa(a, b));
      const spread = (labels: readonly (number | null)[]): (number | null)[] =>
        labels.map((each) => each && each * each + 7);
      const zeroed = (labels: readonly (number | null)[]): (number | null)[] =>
        spread(labels).map((each) => each && each - 7);
      expect(kappas(zeroed(a), zeroed(b))).toEqual(kappas(a, b));
    });
  });
  it("quadratic kappa is 1 minus the mean square of the difference over that of independent raters", () => {
    check(twoRaters, ([a, b]) => {
      const both = a.flatMap((x, i) =>
        x === null || b[i] === null || b[i] === undefined ? [] : [[x, b[i]] as const],
      );
      const observed = both.reduce((sum, [x, y]) => sum + (x - y) ** 2, 0) * both.length;
      const expected = both.reduce(
        (sum, [x]) => sum + both.reduce((inner, [, y]) => inner + (x - y) ** 2, 0),
        0,
      );
      near(
        cohenKappa(a, b, { weights: "quadratic", scale: [0, 1, 2, 3] }),
        expected === 0 ? null : 1 - observed / expected,
      );
    });
  });
  it(
    "swapping the raters turns the confusion round: precision and recall change places, bias its " + "sign",
    () => {
      check(twoRaters, ([a, b]) => {
        const [one, other] = [labelConfusion(a, b), labelConfusion(b, a)];
        expect(other.perLabel.map(({ precision, recall, f1 }) => [precision, recall, f1])).toEqual(
          one.perLabel.map(({ precision, recall, f1 }) => [recall, precision, f1]),
        );
        near(other.meanBias, one.meanBias === null ? null : 0 - one.meanBias);
        expect([other.accuracy, other.meanAbsoluteError, other.macroF1]).toEqual([
          one.accuracy,
          one.meanAbsoluteError,
          one.macroF1,
        ]);
      });
    },
  );
  it("Matthews' coefficient is Pearson's r of yes and no, and the four counts are all items", () => {
    check(twoRaters, ([a, b]) => {
      const { matthews, truePositives, falsePositives, falseNegatives, trueNegatives } = binaryAgreement(
        a,
        b,
        2,
      );
      const both = a.flatMap((x, i) =>
        x === null || b[i] === null || b[i] === undefined
          ? []
          : [[Number(x >= 2), Number(b[i] >= 2)] as const],
      );
      near(
        matthews,
        pearson(
          both.map(([x]) => x),
          both.map(([, y]) => y),
        ).r,
      );
      expect(truePositives + falsePositives + falseNegatives + trueNegatives).toBe(both.length);
    });
  });
});

describe("any number of raters", () => {
  it("alpha is 1 minus the mean distance within items over that of any two labels", () => {
    check(raters, (all) => {
      const items = (all[0] ?? [])
        .map((_, item) => all.flatMap((labels) => labels[item] ?? []))
        .filter((labels) => labels.length > 1);
      const given = items.flat();
      const counts = (value: number): number => given.filter((each) => each === value).length;
      const distance = (level: LabelLevel, a: number, b: number): number => {
        if (a === b) return 0;
        const [low, high] = a < b ? [a, b] : [b, a];
        const between =
          given.filter((each) => each >= low && each <= high).length - (counts(low) + counts(high)) / 2;
        return { nominal: 1, ordinal: between ** 2, interval: (a - b) ** 2, ratio: ((a - b) / (a + b)) ** 2 }[
          level
        ];
      };
      for (const level of LEVELS) {
        const sum = (labels: readonly number[]): number =>
          labels.reduce(
            (total, a) => total + labels.reduce((inner, b) => inner + distance(level, a, b), 0),
            0,
          );
        const observed = items.reduce((total, labels) => total + sum(labels) / (labels.length - 1), 0);
        near(
          krippendorffAlpha(all, level),
          sum(given) === 0 ? null : 1 - ((given.length - 1) * observed) / sum(given),
        );
      }
    });
  });
  it(
    "agreement does not depend on the order of raters or items, nor on what nominal labels are " +
      "called, and is at most 1",
    () => {
      check(
        raters.chain((all) =>
          fc.tuple(fc.constant(all), shuffled(all), shuffled([...(all[0] ?? []).keys()])),
        ),
        ([all, otherRaters, order]) => {
          const measures = (given: readonly (readonly (number | null)[])[]): (number | null)[] => [
            fleissKappa(given),
            randolphKappa(given),
            krippendorffAlpha(given, "nominal"),
          ];
          const names = new Map([
            [0, 9],
            [1, -4],
            [2, 0.5],
            [3, 100],
          ]);
          const moved = otherRaters.map((labels) => order.map((item) => labels[item] ?? null));
          const renamed = all.map((labels) =>
            labels.map((each) => (each === null ? null : (names.get(each) as number))),
          );
          measures(all).forEach((value, i) => {
            within(value, -Infinity, 1);
            near(measures(moved)[i], value);
            near(measures(renamed)[i], value);
          });
        },
      );
    },
  );
  it("is 1 for raters who are the same", () => {
    check(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 2, maxLength: 8 }), (labels) => {
      const full = new Set(labels).size < 2 ? null : 1;
      const all = [labels, labels, labels];
      for (const value of [
        fleissKappa(all),
        randolphKappa(all),
        ...LEVELS.map((level) => krippendorffAlpha(all, level)),
      ])
        near(value, full);
    });
  });
  it("of two labels ordinal, interval and nominal alpha are one", () => {
    check(raters, (all) => {
      const binary = all.map((labels) => labels.map((each) => (each === null ? null : Math.min(each, 1))));
      near(krippendorffAlpha(binary, "ordinal"), krippendorffAlpha(binary, "nominal"));
      near(krippendorffAlpha(binary, "interval"), krippendorffAlpha(binary, "nominal"));
    });
  });
  it("a merged label lies within the labels, and is theirs when all are the same", () => {
    check(fc.array(label, { maxLength: 6 }), (labels) => {
      const given = labels.filter((each) => each !== null);
      for (const merge of ["majority", "median", "mean", "max", "min"] as const) {
        const merged = mergeLabels(labels, merge);
        if (given.length === 0) expect(merged).toBeNull();
        else within(merged, Math.min(...given), Math.max(...given));
      }
    });
  });
});

describe("several runs", () => {
  it("a randomised p value is above 0, at most 1, and falls with the difference", () => {
    check(scores, (runs) => {
      const { pairs } = randomizedTukey(runs, { permutations: 30 });
      for (const a of pairs) {
        within(a.p, 1 / 31, 1);
        for (const b of pairs)
          if (Math.abs(a.difference) > Math.abs(b.difference) + 1e-9) expect(a.p).toBeLessThanOrEqual(b.p);
      }
    });
  });
  it("what is added to all scores of a query changes nothing", () => {
    check(scores, (runs) => {
      const raised = runs.map((each) => each.map((score, query) => score + 3 * query));
      near(repeatedMeasuresAnova(raised).p, repeatedMeasuresAnova(runs).p);
      expect(friedman(raised)).toEqual(friedman(runs));
      expect(randomizedTukey(raised, { permutations: 10 }).pairs).toEqual(
        randomizedTukey(runs, { permutations: 10 }).pairs,
      );
    });
  });
  it("Friedman's statistic is that of the ranks, at most n (k - 1)", () => {
    check(scores, (runs) => {
      const { statistic, concordance } = friedman(runs);
      within(statistic, 0, (runs[0] as number[]).length * (runs.length - 1));
      within(concordance, 0, 1);
      // With ties, too, it is F of the ranks in another scale: (n - 1) chi^2 / (n (k - 1) - chi^2) (Iman,
      // Davenport).
      const [n, k] = [(runs[0] as number[]).length, runs.length];
      const ranks = runs.map((each) =>
        each.map(
          (score, query) =>
            0.5 +
            runs.reduce(
              (rank, other) =>
                rank + ((other[query] as number) < score ? 1 : other[query] === score ? 0.5 : 0),
              0,
            ),
        ),
      );
      const { f } = repeatedMeasuresAnova(ranks);
      if (n < 2 || statistic === null) return;
      if (f !== null && f !== Infinity)
        expect(f).toBeCloseTo(((n - 1) * statistic) / (n * (k - 1) - statistic), 8);
    });
  });
});
