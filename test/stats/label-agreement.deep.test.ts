import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { evaluate } from "../../src/evaluate/index.js";
import { binaryAgreement } from "../../src/stats/binary-agreement.js";
import { cohenKappa } from "../../src/stats/cohen-kappa.js";
import { fleissKappa, randolphKappa } from "../../src/stats/fleiss-kappa.js";
import { krippendorffAlpha, type LabelLevel } from "../../src/stats/krippendorff-alpha.js";
import { labelConfusion } from "../../src/stats/label-confusion.js";
import type { Labels } from "../../src/stats/label-pairs.js";
import { mergeLabels, type LabelMerge } from "../../src/stats/merge-labels.js";
import { pairsOf } from "../../src/stats/pairs-of.js";
import { expectCorrelations, type Correlations } from "../support/correlations.js";
import { expectValue, type Expected } from "../support/expected-values.js";
import { oracle, runOf, WITHOUT_ORACLES } from "../support/oracles.js";
import { present } from "../support/present.js";

interface PerLabel {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  readonly support: number;
}

interface Binary extends Omit<PerLabel, "support"> {
  readonly tp: number;
  readonly fp: number;
  readonly fn: number;
  readonly tn: number;
  readonly accuracy: number;
  readonly cohen_kappa: Expected;
  readonly matthews: number;
}

interface Pair extends Readonly<Record<`krippendorff_alpha_${string}` | `cohen_kappa_${string}`, Expected>> {
  readonly n: number;
  readonly labels: readonly number[];
  readonly accuracy: number;
  readonly confusion: { readonly counts: readonly (readonly number[])[] };
  readonly mean_absolute_error: number;
  readonly root_mean_squared_error: number;
  readonly mean_bias_second_minus_first: number;
  readonly rank_correlation: Correlations;
  readonly per_label: Readonly<Record<string, PerLabel>>;
  readonly macro_f1: number;
  readonly weighted_f1: number;
  readonly balanced_accuracy: number;
}

interface Many extends Readonly<Record<`krippendorff_alpha_${string}`, Expected>> {
  readonly items: number;
  readonly raters: number;
  readonly fleiss_kappa?: Expected;
  readonly randolph_kappa?: Expected;
  readonly mean_pairwise_cohen_kappa: Expected;
  readonly pairwise_cohen_kappa: readonly Expected[];
}

const LEVELS: readonly LabelLevel[] = ["nominal", "ordinal", "interval", "ratio"];
const KNOWN = [
  "n",
  "labels",
  "accuracy",
  "confusion",
  "mean_absolute_error",
  "root_mean_squared_error",
  "mean_bias_second_minus_first",
  "rank_correlation",
  "per_label",
  "macro_f1",
  "weighted_f1",
  "balanced_accuracy",
];

/** Compares all that is expected of two raters; a value that this test does not know fails it. */
function expectPair(first: Labels, second: Labels, expected: Pair): void {
  const { labels: scale } = expected;
  const confusion = labelConfusion(first, second, scale);
  expect({ items: confusion.items, scale: confusion.scale, counts: confusion.counts }).toEqual({
    items: expected.n,
    scale,
    counts: expected.confusion.counts,
  });
  expectValue("accuracy", confusion.accuracy, expected.accuracy);
  expectValue("mean absolute error", confusion.meanAbsoluteError, expected.mean_absolute_error);
  expectValue("root mean squared error", confusion.rootMeanSquaredError, expected.root_mean_squared_error);
  expectValue("bias", confusion.meanBias, expected.mean_bias_second_minus_first);
  expectValue("weighted F1", confusion.weightedF1, expected.weighted_f1);
  expectValue("balanced accuracy", confusion.balancedAccuracy, expected.balanced_accuracy);
  // scikit-learn was given the whole scale and counts F1 = 0 for a label that nobody used: perfect agreement
  // on one of two labels has 0.5.
  const used = confusion.perLabel.filter(({ f1 }) => f1 !== null).length;
  expectValue("macro F1", ((confusion.macroF1 as number) * used) / scale.length, expected.macro_f1);
  confusion.perLabel.forEach(({ label, support, ...shares }) => {
    const { support: expectedSupport, ...expectedShares } = present(expected.per_label[String(label)]);
    expect(support).toBe(expectedSupport);
    expectShares(`label ${label}`, shares, expectedShares);
  });
  for (const weights of ["none", "linear", "quadratic"] as const)
    expectValue(
      `kappa ${weights}`,
      cohenKappa(first, second, { weights, scale }),
      present(expected[`cohen_kappa_${weights === "none" ? "unweighted" : weights}`]),
    );
  for (const level of ["nominal", "ordinal", "interval"] as const)
    expectValue(
      `alpha ${level}`,
      krippendorffAlpha([first, second], level),
      present(expected[`krippendorff_alpha_${level}`]),
    );
  expectCorrelations(first as number[], second as number[], expected.rank_correlation);
  const others = Object.keys(expected).filter(
    (key) => !KNOWN.includes(key) && !/^(cohen_kappa|krippendorff_alpha)_/.test(key),
  );
  for (const key of others)
    expectBinary(
      first,
      second,
      Number(present(/^binary_at_(\d+)$/.exec(key))[1]),
      (expected as unknown as Record<string, Binary>)[key] as Binary,
    );
}

/** scikit-learn has 0 for 0 / 0; here that is null. */
function expectShares(
  label: string,
  shares: Readonly<Record<string, number | null>>,
  expected: Readonly<Record<string, number>>,
): void {
  for (const [name, share] of Object.entries(shares))
    expectValue(`${label} ${name}`, share ?? 0, present(expected[name]));
}

function expectBinary(first: Labels, second: Labels, threshold: number, expected: Binary): void {
  const {
    truePositives: tp,
    falsePositives: fp,
    falseNegatives: fn,
    trueNegatives: tn,
    cohenKappa: kappa,
    ...shares
  } = binaryAgreement(first, second, threshold);
  expect({ tp, fp, fn, tn }).toEqual({ tp: expected.tp, fp: expected.fp, fn: expected.fn, tn: expected.tn });
  expectValue("kappa", kappa, expected.cohen_kappa);
  expectShares(`from ${threshold}`, shares, expected as unknown as Record<string, number>);
}

function expectMany(raters: readonly Labels[], scale: readonly number[], expected: Many): void {
  expect([raters[0]?.length, raters.length]).toEqual([expected.items, expected.raters]);
  const isComplete = expected.fleiss_kappa !== undefined;
  expectValue("Fleiss", fleissKappa(raters), isComplete ? present(expected.fleiss_kappa) : "NaN");
  expectValue(
    "Randolph",
    randolphKappa(raters, scale),
    isComplete ? present(expected.randolph_kappa) : "NaN",
  );
  for (const level of LEVELS)
    expectValue(
      `alpha ${level}`,
      krippendorffAlpha(raters, level),
      present(expected[`krippendorff_alpha_${level}`]),
    );
  const kappas = pairsOf(raters.length).map(([first, second]) =>
    cohenKappa(raters[first] as Labels, raters[second] as Labels),
  );
  expect(kappas.length).toBe(expected.pairwise_cohen_kappa.length);
  kappas.forEach((kappa, pair) =>
    expectValue(`pair ${pair}`, kappa, present(expected.pairwise_cohen_kappa[pair])),
  );
  if (!kappas.includes(null))
    expectValue(
      "mean of the pairs",
      (kappas as number[]).reduce((sum, kappa) => sum + kappa, 0) / kappas.length,
      expected.mean_pairwise_cohen_kappa,
    );
}

function columnsOf(path: string): { rows: string[][]; column: (name: string) => number[]; names: string[] } {
  const [head = "", ...lines] = readFileSync(path, "utf8").trimEnd().split("\n");
  const names = head.split("\t");
  const rows = lines.map((line) => line.split("\t"));
  return { rows, names, column: (name) => rows.map((row) => Number(row[names.indexOf(name)])) };
}

describe("label agreement, against scikit-learn, statsmodels, krippendorff and SciPy", () => {
  const folder = oracle("label-agreement");
  const collection = oracle("chorus-electronics");
  if (folder === null || collection === null) {
    it.skip(WITHOUT_ORACLES, () => undefined);
    return;
  }
  const expectedOf = <T>(name: string): T =>
    JSON.parse(readFileSync(join(folder, name, "expected.json"), "utf8")) as T;

  interface Small {
    readonly name: string;
    readonly ratings: readonly Labels[];
    readonly labels: readonly number[];
    readonly many: Many;
    readonly pair?: Pair;
  }
  it.each(expectedOf<{ cases: readonly Small[] }>("small").cases)(
    "small: $name",
    ({ ratings, labels, many, pair }) => {
      const raters = (ratings[0] as Labels).map((_, rater) =>
        ratings.map((item) => item[rater] as number | null),
      );
      expectMany(raters, labels, many);
      if (pair !== undefined) expectPair(raters[0] as Labels, raters[1] as Labels, pair);
    },
  );

  interface Aggregation {
    readonly sum: number;
    readonly first20: readonly number[];
    readonly against_human?: { readonly accuracy: number; readonly cohen_kappa_unweighted: number };
  }
  describe("language-model judges", () => {
    const judges = expectedOf<{
      versus_human: Readonly<Record<string, Pair>>;
      many_raters: { all_raters_and_human: Many; all_raters: Many };
      "per_query_of_h2oloo-zeroshot1": Readonly<
        Record<
          string,
          { n: number; accuracy: number; cohen_kappa_unweighted: number; cohen_kappa_quadratic: number }
        >
      >;
      aggregation_of_raters: Readonly<Record<string, Aggregation>>;
    }>("llm-judges");
    const { rows, column, names } = columnsOf(join(folder, "llm-judges/labels.tsv"));
    const human = column("human");
    const all = names.slice(3).map(column);
    const scale = [...new Set([human, ...all].flat())].sort((a, b) => a - b);

    it.each(Object.entries(judges.versus_human))("%s", (name, pair) => expectPair(human, column(name), pair));
    it("all together, with and without the human", () => {
      expectMany([human, ...all], scale, judges.many_raters.all_raters_and_human);
      expectMany(all, scale, judges.many_raters.all_raters);
    });
    it("per query", () => {
      const judge = column("h2oloo-zeroshot1");
      const queries = Object.entries(judges["per_query_of_h2oloo-zeroshot1"]);
      for (const [query, expected] of queries) {
        const [a, b] = [human, judge].map((labels) =>
          labels.filter((_, item) => rows[item]?.[0] === query),
        ) as [number[], number[]];
        expect(a.length).toBe(expected.n);
        expectValue("accuracy", labelConfusion(a, b).accuracy, expected.accuracy);
        expectValue("kappa", cohenKappa(a, b), expected.cohen_kappa_unweighted);
        expectValue(
          "quadratic",
          cohenKappa(a, b, { weights: "quadratic", scale: [0, 1, 2, 3] }),
          expected.cohen_kappa_quadratic,
        );
      }
      expect(queries.length).toBe(25);
    });
    const MERGES: Readonly<Record<string, LabelMerge>> = {
      majority_lowest_on_tie: "majority",
      median_low: "median",
      mean: "mean",
      max: "max",
      min: "min",
    };
    it.each(Object.entries(judges.aggregation_of_raters))("merged by %s", (name, expected) => {
      const merged = rows.map(
        (_, item) =>
          mergeLabels(
            all.map((labels) => labels[item] as number),
            present(MERGES[name]),
          ) as number,
      );
      expectValue(
        "sum",
        merged.reduce((sum, label) => sum + label, 0),
        expected.sum,
      );
      expect(merged.slice(0, 20)).toEqual(expected.first20);
      if (expected.against_human === undefined) return;
      expectValue("accuracy", labelConfusion(human, merged).accuracy, expected.against_human.accuracy);
      expectValue("kappa", cohenKappa(human, merged), expected.against_human.cohen_kappa_unweighted);
    });
  });

  describe("three raters of a shop", () => {
    type Leaderboards = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, number>>>>>>;
    const chorus = expectedOf<{
      raters_vs_final: Readonly<Record<string, Pair>>;
      rater_pairs: Readonly<Record<string, Pair>>;
      three_raters: Many;
      leaderboard: Leaderboards;
      leaderboard_correlation: Readonly<Record<string, Readonly<Record<string, Correlations>>>>;
    }>("chorus-raters");
    const { rows, column } = columnsOf(join(collection, "raters.tsv"));

    it.each(Object.entries(chorus.raters_vs_final))("%s against the final label", (name, pair) =>
      expectPair(column("final"), column(name), pair),
    );
    it.each(Object.entries(chorus.rater_pairs))("%s", (name, pair) => {
      const [first = "", second = ""] = name.split("_vs_");
      expectPair(column(first), column(second), pair);
    });
    it("all three", () =>
      expectMany(["rater1", "rater2", "rater3"].map(column), [0, 1, 2, 3], chorus.three_raters));
    it.each(Object.entries(chorus.leaderboard))(
      "the scores of four runs under the labels of %s",
      (rater, runs) => {
        const qrels = new Map<string, Map<string, number>>();
        column(rater).forEach((grade, row) => {
          const [query = "", doc = ""] = rows[row] ?? [];
          qrels.set(query, (qrels.get(query) ?? new Map<string, number>()).set(doc, grade));
        });
        for (const [run, scores] of Object.entries(runs)) {
          const evaluation = evaluate(
            runOf(join(collection, "runs", `${run}.run`)),
            qrels,
            Object.keys(scores),
            { profile: "ir_measures", precision: "single" },
          );
          for (const [metric, score] of Object.entries(scores))
            expectValue(`${run} ${metric}`, evaluation.mean(metric), score);
        }
      },
    );
    it("the order of the runs under each rater's labels", () => {
      let compared = 0;
      for (const [metric, raters] of Object.entries(chorus.leaderboard_correlation)) {
        const scores = (rater: string): number[] =>
          Object.values(present(chorus.leaderboard[rater])).map((run) => present(run[metric]));
        for (const [rater, expected] of Object.entries(raters)) {
          expectCorrelations(scores("final"), scores(rater), expected);
          compared++;
        }
      }
      expect(compared).toBe(12);
    });
  });
});

describe("Cohen's kappa", () => {
  it("3 of 4 agree, 1/2 by chance: (3/4 - 1/2) / (1/2) = 1/2", () =>
    expect(cohenKappa([1, 1, 0, 0], [1, 0, 0, 0])).toBe(0.5));
  it("leaves out items without a label of both", () =>
    expect(cohenKappa([1, 1, 0, 0, null, 1], [1, 0, 0, 0, 0, null])).toBe(0.5));
  it("weighs by steps on the scale, so that an unused label between two makes them farther apart", () => {
    const [a, b] = [
      [0, 2, 5, 0, 2, 5],
      [0, 2, 5, 2, 5, 2],
    ];
    expect(cohenKappa(a, b, { weights: "linear", scale: [0, 2, 5] })).toBe(
      cohenKappa(a, b, { weights: "linear" }),
    );
    expect(cohenKappa(a, b, { weights: "linear", scale: [0, 1, 2, 3, 4, 5] })).not.toBe(
      cohenKappa(a, b, { weights: "linear" }),
    );
    expect(cohenKappa(a, b, { scale: [0, 1, 2, 3, 4, 5] })).toBe(cohenKappa(a, b));
  });
  it("refuses a label outside the scale, one that is not finite, and lists of different length", () => {
    expect(() => cohenKappa([10], [1], { scale: [0, 1, 2, 3] })).toThrow(
      "cohenKappa: a label must be in the scale, got `10`; the scale has `0`, `1`, `2`, `3`",
    );
    expect(() => cohenKappa([NaN], [1])).toThrow(
      "cohenKappa: a label must be a finite number, got `NaN`; use null for no label",
    );
    expect(() => binaryAgreement([NaN], [1], 1)).toThrow(
      "binaryAgreement: a label must be a finite number, got `NaN`",
    );
    expect(() => labelConfusion([1], [])).toThrow(
      "labelConfusion: both raters must have one label per item, got `1` and `0` labels; use null " +
        "for an item that a rater left out",
    );
    expect(() => fleissKappa([[1], []])).toThrow(
      "fleissKappa: every rater must have one label per item, got `1` labels of rater 0 and `0` of " +
        "rater 1; use null for an item that a rater left out",
    );
  });
});

describe("several raters", () => {
  it("Fleiss: 3 of 4 pairs agree, labels 3/8 and 5/8: (3/4 - 34/64) / (30/64) = 7/15", () =>
    expect(
      fleissKappa([
        [1, 1, 0, 0],
        [1, 0, 0, 0],
      ]),
    ).toBeCloseTo(7 / 15, 15));
  it("Randolph: (3/4 - 1/2) / (1/2), and with a third label on the scale (3/4 - 1/3) / (2/3)", () => {
    expect(
      randolphKappa([
        [1, 1, 0, 0],
        [1, 0, 0, 0],
      ]),
    ).toBe(0.5);
    expect(
      randolphKappa(
        [
          [1, 1, 0, 0],
          [1, 0, 0, 0],
        ],
        [0, 1, 2],
      ),
    ).toBe(0.625);
  });
  it("raters may change from item to item, as long as each item has as many labels", () =>
    expect(
      fleissKappa([
        [1, null, 0, 0],
        [1, 0, null, 0],
        [null, 1, 0, 0],
      ]),
    ).toBeNull());
  it("Krippendorff: labels 1 1, 1 0, 0 0: one unlike pair of three, 3 x 3 of 15: 1 - 5 * 1 / 9", () =>
    expect(
      krippendorffAlpha(
        [
          [1, 1, 0, 0],
          [1, 0, 0, null],
        ],
        "nominal",
      ),
    ).toBeCloseTo(4 / 9, 15));
  it("Krippendorff refuses ratios of negative labels", () =>
    expect(() => krippendorffAlpha([[-1], [1]], "ratio")).toThrow(
      "krippendorffAlpha: ratios need labels from 0, got `-1`; use `interval`",
    ));
  it("is null where nothing can be said", () => {
    for (const raters of [[], [[]], [[], []], [[1, 2]], [[null], [1]]])
      expect([fleissKappa(raters), randolphKappa(raters), krippendorffAlpha(raters, "interval")]).toEqual([
        null,
        null,
        null,
      ]);
  });
});

describe("labels of one rater against another's", () => {
  it("0 / 0 is null: the second never says 1, the first never 2, and nobody 3", () => {
    const { perLabel, macroF1, balancedAccuracy } = labelConfusion([0, 1], [0, 2], [0, 1, 2, 3]);
    expect(perLabel.map(({ precision, recall, f1 }) => [precision, recall, f1])).toEqual([
      [1, 1, 1],
      [null, 0, 0],
      [0, null, 0],
      [null, null, null],
    ]);
    expect(macroF1).toBeCloseTo(1 / 3, 15);
    expect(balancedAccuracy).toBe(0.5);
  });
  it("nothing in common: every value null", () => {
    expect(labelConfusion([1, null], [null, 1])).toEqual({
      items: 0,
      scale: [],
      counts: [],
      accuracy: null,
      meanAbsoluteError: null,
      rootMeanSquaredError: null,
      meanBias: null,
      perLabel: [],
      macroF1: null,
      weightedF1: null,
      balancedAccuracy: null,
    });
    expect(binaryAgreement([], [], 1)).toMatchObject({
      truePositives: 0,
      precision: null,
      recall: null,
      f1: null,
      accuracy: null,
      cohenKappa: null,
      matthews: null,
    });
  });
  it("a label equal to the threshold is positive", () =>
    expect(binaryAgreement([2, 1], [2, 2], 2)).toMatchObject({
      truePositives: 1,
      falsePositives: 1,
      precision: 0.5,
      recall: 1,
    }));
});

describe("merged labels", () => {
  it("of two that are equally frequent the lower, of two in the middle the lower", () =>
    expect([mergeLabels([2, 1, 2, 1], "majority"), mergeLabels([3, 0, 2, 1], "median")]).toEqual([1, 1]));
  it("leaves out what is missing", () =>
    expect([
      mergeLabels([null, 3, 2], "mean"),
      mergeLabels([null], "max"),
      mergeLabels([], "majority"),
    ]).toEqual([2.5, null, null]));
});
