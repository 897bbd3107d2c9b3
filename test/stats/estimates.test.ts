import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cheapestMix,
  correctedMean,
  correctedShare,
  drawProbabilities,
  neymanAllocation,
  pairEstimate,
  stratifiedMean,
  worth,
} from "../../src/stats/index.js";
import { oracle, WITHOUT_ORACLES } from "../support/oracles.js";

const folder = oracle("estimates");

it.skipIf(folder !== null)(WITHOUT_ORACLES, () => undefined);

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

describe("a mean by a model's labels, corrected by people's", () => {
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
    // The oracle's worth lacks the correction of rho², so it is an upper bound.
    expect(found?.worth).toBeLessThanOrEqual((expected.n_eff as number) + 1e-9);
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

describe("a corrected mean over strata", () => {
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

describe("a share by a judge that errs", () => {
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

describe("a difference from pairs that were drawn by chance", () => {
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
        meanGrades: new Map(Object.entries(m).map(([grade, mean]) => [Number(grade), mean])),
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

describe("the probabilities of a draw", () => {
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

describe("what a model's labels are worth", () => {
  const given = read<WorthCases>("worth.json");

  it.each(given?.n_eff ?? [])(
    "correlation $rho, $n of people, $N further: $n_eff",
    ({ rho, n, N, n_eff }) => {
      // The oracle's is without the factor (n - 1)/(n - 2), which the correlation makes up for here.
      const unexplained = (1 - rho ** 2) * ((n - 2) / (n - 1));
      if (rho > 0 && n > 2) near(worth(Math.sqrt(1 - unexplained), n, N), n_eff);
      expect(worth(rho, n, N)).toBeLessThanOrEqual(n_eff + 1e-9);
      expect(worth(rho, n, N)).toBeGreaterThanOrEqual(n);
    },
  );

  it.each(given?.cheapest_mix ?? [])("the mix at correlation $rho and cost $cost_ratio", (mix) => {
    const found = cheapestMix(mix.rho, mix.cost_ratio);
    near(found.cost, mix.formula_applies ? mix.cost_per_observation : 1 + mix.cost_ratio);
    if (mix.formula_applies) near(found.share, mix.share_with_human_label);
    else expect(found.share).toBe(1);
  });
});

describe("laws of corrected means", () => {
  const score = fc
    .double({ min: -1, max: 1, noNaN: true, noDefaultInfinity: true })
    .map((x) => Math.fround(x));
  const samples = fc
    .tuple(
      fc.array(fc.tuple(score, score), { minLength: 3, maxLength: 12 }),
      fc.array(score, { maxLength: 20 }),
    )
    .map(([both, modelOnly]) => ({
      human: both.map(([human]) => human),
      model: both.map(([, model]) => model),
      modelOnly,
    }));
  const law = (name: string, check: (sample: Parameters<typeof correctedMean>[0]) => void): void =>
    it(name, () => fc.assert(fc.property(samples, check), { numRuns: 200 }));

  law("the interval holds the estimate, and lambda lies between 0 and 1", (sample) => {
    const found = correctedMean(sample);
    expect(found?.lambda).toBeGreaterThanOrEqual(0);
    expect(found?.lambda).toBeLessThanOrEqual(1);
    expect(found?.interval?.low).toBeLessThanOrEqual(found?.estimate as number);
    expect(found?.interval?.high).toBeGreaterThanOrEqual(found?.estimate as number);
    expect(found?.worth).toBeGreaterThanOrEqual(sample.human.length);
  });

  law("turning both signs turns the estimate", (sample) => {
    const turned = (list: readonly number[]): number[] => list.map((value) => -value);
    const [a, b] = [
      correctedMean(sample),
      correctedMean({
        human: turned(sample.human),
        model: turned(sample.model),
        modelOnly: turned(sample.modelOnly),
      }),
    ];
    near(b?.estimate, -(a?.estimate as number), 1e-7);
    near(b?.standardError, a?.standardError, 1e-7);
  });

  law(
    "a constant model says nothing, and so does one that is turned round",
    ({ human, model, modelOnly }) => {
      const people = correctedMean({ human, model, modelOnly: [] });
      const constant = correctedMean({ human, model: model.map(() => 2), modelOnly: modelOnly.map(() => 2) });
      expect(constant?.estimate).toBe(people?.estimate);
      expect(constant?.interval).toEqual(people?.interval);
      const inverted = correctedMean({
        human,
        model: human.map((y) => -y),
        modelOnly: modelOnly.map((y) => -y),
      });
      expect(inverted?.lambda).toBe(0);
      expect(inverted?.estimate).toBe(people?.estimate);
    },
  );

  law("one stratum is no stratum", (sample) => {
    const [plain, one] = [correctedMean(sample), stratifiedMean([{ ...sample, weight: 1 }])];
    expect(one.estimate).toBe(plain?.estimate);
    expect(one.interval).toEqual(plain?.interval);
  });

  it("refuses what is no score, and lists that do not belong together", () => {
    expect(() => correctedMean({ human: [1], model: [], modelOnly: [] })).toThrow(/one value per pair/);
    expect(() => correctedMean({ human: [1], model: [Infinity], modelOnly: [] })).toThrow(/finite number/);
    expect(() => correctedMean({ human: [1], model: [1], modelOnly: [] }, 1)).toThrow(/level/);
    expect(() => stratifiedMean([])).toThrow(/stratum/);
    expect(() => drawProbabilities([1, 1, 1], [1, 1, 1], 1, 0.9)).toThrow(/floor/);
  });
});
