import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as statistics from "../../src/stats/index.js";
import {
  cheapestMix,
  correctedMean,
  correctedShare,
  drawProbabilities,
  estimateCards,
  mean,
  neymanAllocation,
  pairEstimate,
  stratifiedMean,
  worth,
  type JudgedShare,
  type Stratum,
  type WeighedPair,
} from "../../src/stats/index.js";
import { InputError } from "../../src/foundation/errors/index.js";
import { oracle, WITHOUT_ORACLES } from "../support/oracles.js";

const folder = oracle("estimates");

if (folder === null) it.skip(WITHOUT_ORACLES, () => undefined);

/** Without the oracles there are no cases, and a suite without cases is skipped. */
const againstOracle = describe.skipIf(folder === null);

function read<T>(name: string): T | undefined {
  return folder === null ? undefined : (JSON.parse(readFileSync(join(folder, name), "utf8")) as T);
}

/** Absolute, or relative where the number is above 1. */
function near(found: number | null | undefined, expected: number | null | undefined, tolerance = 1e-9): void {
  if (expected == null) {
    expect(found == null || Number.isNaN(found)).toBe(true);
    return;
  }
  expect(Math.abs((found as number) - expected)).toBeLessThanOrEqual(
    tolerance * Math.max(1, Math.abs(expected)),
  );
}

/** The worth of n and N that has the factor (n - 1)/(n - 2), which the oracle's is without. */
function correctedWorth(n_eff: number, n: number, N: number): number {
  if (n < 3 || n_eff === n) return n;
  const unexplained = ((n * (n + N)) / n_eff - n) / N;
  return (n * (n + N)) / (n + Math.min(1, (unexplained * (n - 1)) / (n - 2)) * N);
}

interface Expected {
  readonly mean?: number;
  readonly se: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

interface MeanCase {
  readonly name: string;
  readonly level: number;
  readonly Y: readonly number[];
  readonly F_labelled: readonly number[];
  readonly F_unlabelled: readonly number[];
  readonly expected: Expected & {
    readonly human: Expected | null;
    readonly lambda: number | null;
    readonly theta: number | null;
    readonly df: number | null;
    readonly rho: number | null;
    readonly n_eff: number | null;
  };
}

againstOracle("a mean by a model's labels, corrected by people's", () => {
  const cases = read<{ cases: MeanCase[] }>("mean.json")?.cases ?? [];

  it.each(cases)("$name", ({ name, level, Y, F_labelled, F_unlabelled, expected }) => {
    const found = correctedMean({ human: Y, model: F_labelled, modelOnly: F_unlabelled }, level);
    if (expected.theta === null) {
      expect(found).toBeNull();
      return;
    }
    const tolerance = name.startsWith("large_offset") ? 1e-6 : 1e-9;
    const scale = name.startsWith("tiny_scale") ? expected.theta : 1;
    const nearly = (value: number | null | undefined, wanted: number | null | undefined): void =>
      near(value == null ? value : value / scale, wanted == null ? wanted : wanted / scale, tolerance);
    nearly(found?.estimate, expected.theta);
    nearly(found?.standardError, expected.se);
    nearly(found?.interval?.low, expected.low);
    nearly(found?.interval?.high, expected.high);
    near(found?.lambda, expected.lambda, tolerance);
    near(found?.correlation, expected.rho, tolerance);
    expect(found?.degrees).toBe(expected.df);
    nearly(found?.human.mean, expected.human?.mean);
    nearly(found?.human.interval?.low, expected.human?.low);
    nearly(found?.human.interval?.high, expected.human?.high);
    near(found?.raw, mean([...F_labelled, ...F_unlabelled]), tolerance);
    near(found?.worth, correctedWorth(expected.n_eff as number, Y.length, F_unlabelled.length));
  });
});

interface StratifiedCase {
  readonly name: string;
  readonly weights: readonly number[];
  readonly strata: readonly Pick<MeanCase, "Y" | "F_labelled" | "F_unlabelled">[];
  readonly budget: number;
  readonly expected: Expected & {
    readonly theta: number;
    readonly df: number;
    readonly human: Expected;
    readonly neyman_shares: readonly number[];
    readonly neyman_counts: readonly number[];
    readonly n_eff_realised: number;
  };
}

againstOracle("a corrected mean over strata", () => {
  const given = read<{ level: number; cases: StratifiedCase[] }>("stratified.json");

  it.each(given?.cases ?? [])("$name", ({ weights, strata, budget, expected }) => {
    const all = strata.map(({ Y, F_labelled, F_unlabelled }, at) => ({
      human: Y,
      model: F_labelled,
      modelOnly: F_unlabelled,
      weight: weights[at] as number,
    }));
    const found = stratifiedMean(all, given?.level);
    near(found.estimate, expected.theta);
    near(found.standardError, expected.se);
    near(found.interval?.low, expected.low);
    near(found.interval?.high, expected.high);
    expect(found.degrees).toBe(expected.df);
    near(found.human.mean, expected.human.mean);
    near(found.human.interval?.low, expected.human.low);
    near(found.human.interval?.high, expected.human.high);
    near(found.worth, expected.n_eff_realised);
    const { shares, counts } = neymanAllocation(all, budget);
    expect(counts).toEqual(expected.neyman_counts);
    shares.forEach((share, at) => near(share, expected.neyman_shares[at]));
  });
});

interface RateCase {
  readonly name: string;
  readonly items: number;
  readonly model_positive: number;
  readonly human_positive: number;
  readonly human_positive_and_model_positive: number;
  readonly human_negative: number;
  readonly human_negative_and_model_negative: number;
  readonly expected: Expected & {
    readonly undefined?: string;
    readonly theta: number;
    readonly theta_clipped: number;
    readonly low_clipped: number;
    readonly high_clipped: number;
  };
}

againstOracle("a share by a judge that errs", () => {
  const given = read<{ level: number; cases: RateCase[] }>("rates.json");

  it.each(given?.cases ?? [])("$name", (rate) => {
    const { expected } = rate;
    const found = correctedShare(
      {
        items: rate.items,
        modelPositive: rate.model_positive,
        humanPositive: rate.human_positive,
        foundPositive: rate.human_positive_and_model_positive,
        humanNegative: rate.human_negative,
        foundNegative: rate.human_negative_and_model_negative,
      },
      given?.level,
    );
    if ("undefined" in found) {
      expect(found.undefined).toBe(expected.undefined);
      return;
    }
    expect(expected.undefined).toBeUndefined();
    near(found.share, expected.theta);
    near(found.standardError, expected.se);
    near(found.interval.low, expected.low);
    near(found.interval.high, expected.high);
    near(found.clipped.share, expected.theta_clipped);
    near(found.clipped.low, expected.low_clipped);
    near(found.clipped.high, expected.high_clipped);
  });
});

interface PairCase {
  readonly name: string;
  readonly queries: number;
  readonly m: "cross-fitted" | Readonly<Record<string, number>>;
  readonly rows: readonly (readonly [
    query: string,
    item: string,
    a: number | null,
    b: number | null,
    weight: number,
    model: number,
    probability: number,
    human: number | null,
  ])[];
  readonly expected: Expected & {
    readonly sampled: number;
    readonly model_part: number;
    readonly correction: number;
    readonly delta: number;
    readonly query_se: number | null;
  };
}

againstOracle("a difference from pairs that were drawn by chance", () => {
  const given = read<{ level: number; cases: PairCase[] }>("pairs.json");

  it.each(given?.cases ?? [])("$name", ({ queries, m, rows, expected }) => {
    const pairs = rows.map(([query, , , , weight, modelGrade, probability, humanGrade]) => ({
      query,
      weight,
      modelGrade,
      probability,
      humanGrade,
    }));
    const found = pairEstimate(pairs, queries, {
      ...(m !== "cross-fitted" && {
        meanGrades: new Map(Object.entries(m).map(([grade, middle]) => [Number(grade), middle])),
      }),
      ...(given && { level: given.level }),
    });
    near(found.estimate, expected.delta);
    near(found.modelPart, expected.model_part);
    near(found.correction, expected.correction);
    near(found.standardError, expected.se);
    near(found.interval?.low, expected.low);
    near(found.interval?.high, expected.high);
    near(found.queryStandardError, expected.query_se);
    expect(found.drawn).toBe(expected.sampled);
  });
});

interface DrawCase {
  readonly w: readonly number[];
  readonly sd: readonly number[];
  readonly budget: number;
  readonly floor: number;
  readonly expected: readonly number[];
}

againstOracle("the probabilities of a draw", () => {
  const cases = read<{ cases: DrawCase[] }>("draw-probabilities.json")?.cases ?? [];

  it.each(cases.map((each, at) => ({ ...each, at })))("case $at", ({ w, sd, budget, floor, expected }) => {
    const found = drawProbabilities(w, sd, budget, floor);
    expected.forEach((probability, at) => near(found[at], probability));
  });
});

interface WorthCases {
  readonly n_eff: readonly {
    readonly rho: number;
    readonly n: number;
    readonly N: number;
    readonly n_eff: number;
  }[];
  readonly cheapest_mix: readonly {
    readonly rho: number;
    readonly cost_ratio: number;
    readonly cost_per_observation: number;
    readonly share_with_human_label: number;
    readonly formula_applies: boolean;
  }[];
}

it("pairs go by people's grades of the other queries, however much one outweighs the rest", () => {
  const heavy = { query: "heavy", weight: 1, modelGrade: 1, humanGrade: 3, probability: 1e-17 };
  const other = { ...heavy, query: "other", humanGrade: 2, probability: 1 };
  const undrawn = { ...heavy, humanGrade: null, probability: 0.5 };
  // What is not drawn of the heavy query is taken for a 2, as people graded the other one.
  const { modelPart } = pairEstimate([heavy, other, undrawn], 2);
  expect(modelPart).toBe((2 + 3 + 2) / 2);
});

againstOracle("what a model's labels are worth", () => {
  const given = read<WorthCases>("worth.json");

  it.each(given?.n_eff ?? [])(
    "correlation $rho, $n of people, $N further: $n_eff",
    ({ rho, n, N, n_eff }) => {
      near(worth(rho, n, N), rho > 0 ? correctedWorth(n_eff, n, N) : n);
    },
  );

  it.each(given?.cheapest_mix ?? [])("the mix at correlation $rho and cost $cost_ratio", (mix) => {
    const found = cheapestMix(mix.rho, mix.cost_ratio);
    near(found.cost, mix.formula_applies ? mix.cost_per_observation : 1 + mix.cost_ratio);
    if (mix.formula_applies) near(found.share, mix.share_with_human_label);
    else expect(found.share).toBe(1);
  });
});

describe("an allocation", () => {
  const even: Stratum = { human: [1, 1], model: [0, 0], modelOnly: [], weight: 0.5 };
  it("is even where nothing varies: 9 queries to 3 strata are 3, 3 and 3", () =>
    expect(neymanAllocation([even, { ...even, weight: 0.25 }, { ...even, weight: 0.25 }], 9)).toEqual({
      shares: [0, 0, 0],
      counts: [3, 3, 3],
    }));
  it("gives what is left to the one stratum that varies", () =>
    expect(neymanAllocation([even, { ...even, human: [0, 1] }], 9)).toEqual({
      shares: [0, 1],
      counts: [2, 7],
    }));
});

describe("an estimate refuses, by its name,", () => {
  const sample = { human: [1], model: [1], modelOnly: [1] };
  const stratum: Stratum = { human: [1, 2], model: [1, 2], modelOnly: [3, 4], weight: 1 };
  const counts: JudgedShare = {
    items: 10,
    modelPositive: 5,
    humanPositive: 2,
    foundPositive: 2,
    humanNegative: 2,
    foundNegative: 2,
  };
  const pair: WeighedPair = { query: "q", weight: 1, modelGrade: 2, probability: 0.5, humanGrade: 1 };
  const draw = (weight: number, spread: number, budget = 1, floor = 0): number[] =>
    drawProbabilities([weight, 1, 1], [spread, 1, 1], budget, floor);

  it.each<[what: string, message: RegExp, call: () => unknown]>([
    [
      "lists of two lengths",
      /^correctedMean: .* one value per pair/,
      () => correctedMean({ ...sample, model: [] }),
    ],
    ["NaN", /^correctedMean: .* got `NaN`/, () => correctedMean({ ...sample, human: [NaN] })],
    [
      "infinity",
      /^correctedMean: .* got `Infinity`/,
      () => correctedMean({ ...sample, modelOnly: [Infinity] }),
    ],
    ["a level of 1", /^level .* got `1`/, () => correctedMean(sample, 1)],
    ["a level of NaN", /^level .* got `NaN`/, () => correctedMean(sample, NaN)],
    ["no strata", /^stratifiedMean: there must be a stratum/, () => stratifiedMean([])],
    ["no strata to give to", /^neymanAllocation: there must be a stratum/, () => neymanAllocation([], 9)],
    [
      "a weight of NaN",
      /stratum 1: weight .* got `NaN`/,
      () => stratifiedMean([{ ...stratum, weight: NaN }]),
    ],
    [
      "weights of 1.5",
      /add up to 1, got `1.5`/,
      () => stratifiedMean([stratum, { ...stratum, weight: 0.5 }]),
    ],
    [
      "one query of a stratum",
      /at least 2 of its queries, got 1/,
      () => stratifiedMean([{ ...sample, weight: 1 }]),
    ],
    ["a budget below 2 a stratum", /from 2 to .* got `1`/, () => neymanAllocation([stratum], 1)],
    ["a budget of NaN", /got `NaN`/, () => neymanAllocation([stratum], NaN)],
    ["fewer items than none", /^items .* got `-1`/, () => correctedShare({ ...counts, items: -1 })],
    [
      "more found than there are",
      /^foundPositive .* got `3`/,
      () => correctedShare({ ...counts, foundPositive: 3 }),
    ],
    ["a probability of 0", /^pairEstimate: .* got `0`/, () => pairEstimate([{ ...pair, probability: 0 }], 1)],
    [
      "a pair that counts and could not be drawn",
      /^pairEstimate: .* got `0`/,
      () => pairEstimate([{ ...pair, probability: 0, humanGrade: null }], 1),
    ],
    ["a probability above 1", /got `1.5`/, () => pairEstimate([{ ...pair, probability: 1.5 }], 1)],
    ["a probability of NaN", /got `NaN`/, () => pairEstimate([{ ...pair, probability: NaN }], 1)],
    ["a grade of NaN", /grades .* got `NaN`/, () => pairEstimate([{ ...pair, humanGrade: NaN }], 1)],
    [
      "a mean grade of NaN",
      /grades .* got `NaN`/,
      () => pairEstimate([pair], 1, { meanGrades: new Map([[2, NaN]]) }),
    ],
    ["fewer queries than there are", /queries .* got `0`/, () => pairEstimate([pair], 0)],
    ["weights without spreads", /a weight and a spread, got 1 and 0/, () => drawProbabilities([1], [], 1)],
    ["a weight of NaN", /^drawProbabilities: .* got `NaN` and `1`/, () => draw(NaN, 1)],
    ["a spread below 0", /^drawProbabilities: .* got `1` and `-1`/, () => draw(1, -1)],
    ["a weight times a spread that is infinite", /finite number/, () => draw(1e300, 1e300)],
    ["a budget of NaN to draw", /got `NaN` and `0`/, () => draw(1, 1, NaN)],
    ["a floor above 1", /got `1` and `2`/, () => draw(1, 1, 1, 2)],
    ["a floor above the budget", /a floor of 0.9 for 3 pairs .* budget of 1/, () => draw(1, 1, 1, 0.9)],
    ["a correlation above 1", /^worth: .* got `1.5`/, () => worth(1.5, 10, 20)],
    ["a number of queries that is none", /^further .* got `Infinity`/, () => worth(0.5, 10, Infinity)],
    ["a correlation below 0 to mix by", /^cheapestMix: .* got `-0.5`/, () => cheapestMix(-0.5, 0.1)],
    ["a cost of NaN", /^cheapestMix: .* got `NaN`/, () => cheapestMix(0.5, NaN)],
  ])("%s", (_, message, call) => {
    expect(call).toThrow(InputError);
    expect(call).toThrow(message);
  });
});

describe("the cards of the estimates", () => {
  it.each(estimateCards)("$name is that of a function, and says all", (card) => {
    expect(statistics[card.name as keyof typeof statistics]).toBeTypeOf("function");
    for (const text of Object.values(card)) expect(text).not.toBe("");
  });
});

describe("at the limits of what can be fitted", () => {
  it("a shared lambda is fitted to a stratum that weighs as much as five queries", () => {
    const stratum = {
      human: [0, 1, 0, 1, 0.5],
      model: [0, 1, 0, 1, 0.4],
      modelOnly: [0.1, 0.5, 0.9],
      weight: 1,
    };
    const { lambda } = stratifiedMean([stratum], 0.95, { lambda: "shared" });
    expect(lambda).toBeCloseTo(0.493885, 6);
  });
  it("two queries are worth two, and what is for free is taken", () => {
    expect(worth(1, 2, 20)).toBe(2);
    expect(cheapestMix(0, 0)).toEqual({ cost: 1, share: 1 });
  });
});
