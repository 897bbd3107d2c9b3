import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cheapestMix,
  correctedMean,
  correctedShare,
  drawProbabilities,
  mean,
  neymanAllocation,
  pairEstimate,
  stratifiedMean,
  tInterval,
  worth,
  type CorrectedMean,
  type CorrectedSample,
  type JudgedShare,
  type Stratum,
  type WeighedPair,
} from "../../src/stats/index.js";
import { LAW_RUNS, shuffled } from "../support/arbitraries.js";

const TOLERANCE = 1e-9;

/** Absolute, or relative where the number is above 1; NaN is near NaN. */
function near(found: number | undefined, expected: number | undefined): void {
  if (Number.isNaN(expected)) expect(found).toBeNaN();
  else
    expect(Math.abs((found as number) - (expected as number))).toBeLessThanOrEqual(
      TOLERANCE * Math.max(1, Math.abs(expected as number)),
    );
}

function law<T>(name: string, arbitrary: fc.Arbitrary<T>, check: (value: T) => void): void {
  it(name, () => {
    fc.assert(
      fc.property(arbitrary, (value) => {
        check(value);
      }),
      LAW_RUNS,
    );
  });
}

/** Sixteenths, whose sums and products are exact: so a covariance is 0 in every order, or in none. */
const score = fc.integer({ min: -32, max: 32 }).map((whole) => whole / 16);
const MOST_FURTHER = 20;
const samples: fc.Arbitrary<CorrectedSample> = fc
  .tuple(
    fc.array(fc.tuple(score, score), { minLength: 3, maxLength: 12 }),
    fc.array(score, { maxLength: MOST_FURTHER }),
  )
  .map(([both, modelOnly]) => sampleOf(both, modelOnly));

function sampleOf(
  both: readonly (readonly [human: number, model: number])[],
  modelOnly: readonly number[],
): CorrectedSample {
  return { human: both.map(([human]) => human), model: both.map(([, model]) => model), modelOnly };
}

/** People's scores through one line, the model's through another. */
function transformed(
  { human, model, modelOnly }: CorrectedSample,
  ofHuman: (score: number) => number,
  ofModel: (score: number) => number,
): CorrectedSample {
  return { human: human.map(ofHuman), model: model.map(ofModel), modelOnly: modelOnly.map(ofModel) };
}

function estimated(sample: CorrectedSample): CorrectedMean {
  return correctedMean(sample) as CorrectedMean;
}

describe("a corrected mean", () => {
  law("lies in its interval, with a lambda from 0 to 1 and a worth from n to n + N", samples, (sample) => {
    const { estimate, interval, lambda, worth: queries } = estimated(sample);
    expect(lambda).toBeGreaterThanOrEqual(0);
    expect(lambda).toBeLessThanOrEqual(1);
    expect(interval?.low).toBeLessThanOrEqual(estimate);
    expect(interval?.high).toBeGreaterThanOrEqual(estimate);
    expect(queries).toBeGreaterThanOrEqual(sample.human.length);
    expect(queries).toBeLessThanOrEqual(sample.human.length + sample.modelOnly.length);
  });

  law("says beside it what people and the model say alone", samples, (sample) => {
    const { human, raw } = estimated(sample);
    expect(human).toEqual({ mean: mean(sample.human), interval: tInterval(sample.human, 0.95) });
    expect(raw).toBe(mean([...sample.model, ...sample.modelOnly]));
  });

  law(
    "moves and grows with people's scores, whatever the offset of the model's",
    fc.tuple(samples, fc.constantFrom(0.25, 2, 8), score, score),
    ([sample, scale, offset, ofModel]) => {
      const [plain, other] = [
        estimated(sample),
        estimated(
          transformed(
            sample,
            (y) => scale * y + offset,
            (f) => scale * f + ofModel,
          ),
        ),
      ];
      near(other.estimate, scale * plain.estimate + offset);
      near(other.standardError, scale * plain.standardError);
      near(other.lambda, plain.lambda);
      near(other.worth, plain.worth);
    },
  );

  law("changes its sign where both scores do", samples, (sample) => {
    const turn = (value: number): number => -value;
    const [plain, turned] = [estimated(sample), estimated(transformed(sample, turn, turn))];
    near(turned.estimate, -plain.estimate);
    near(turned.standardError, plain.standardError);
    near(turned.p, plain.p);
  });

  law(
    "is the same in another order of queries",
    samples.chain(({ human, model, modelOnly }) =>
      fc.record({
        sample: fc.constant({ human, model, modelOnly }),
        both: shuffled(human.map((y, at) => [y, model[at] as number] as const)),
        further: shuffled(modelOnly),
      }),
    ),
    ({ sample, both, further }) => {
      const [plain, other] = [estimated(sample), estimated(sampleOf(both, further))];
      near(other.estimate, plain.estimate);
      near(other.standardError, plain.standardError);
      near(other.lambda, plain.lambda);
      near(other.worth, plain.worth);
    },
  );

  law("is that of people alone by a constant model, and by one that is inverted", samples, (sample) => {
    const people = estimated({ ...sample, modelOnly: [] });
    const inverted = { ...sample, model: sample.human.map((y) => -y) };
    for (const useless of [estimated(transformed(sample, Number, () => 2)), estimated(inverted)]) {
      expect(useless.lambda).toBe(0);
      expect(useless.estimate).toBe(people.estimate);
      expect(useless.interval).toEqual(people.interval);
      expect(useless.worth).toBe(sample.human.length);
    }
  });
});

/** Samples with weights that add up to 1. */
const strata: fc.Arbitrary<readonly Stratum[]> = fc
  .array(fc.tuple(samples, fc.integer({ min: 1, max: 9 })), { minLength: 1, maxLength: 4 })
  .map((parts) => {
    const whole = parts.reduce((sum, [, share]) => sum + share, 0);
    return parts.map(([sample, share]) => ({ ...sample, weight: share / whole }));
  });

describe("a mean over strata", () => {
  law("of one stratum is the plain one", samples, (sample) => {
    const [plain, one] = [estimated(sample), stratifiedMean([{ ...sample, weight: 1 }])];
    expect(one.estimate).toBe(plain.estimate);
    expect(one.interval).toEqual(plain.interval);
    near(one.lambda, plain.lambda);
  });

  law(
    "is the same in another order of strata",
    strata.chain((all) => fc.tuple(fc.constant(all), shuffled(all))),
    ([all, others]) => {
      const [plain, other] = [stratifiedMean(all), stratifiedMean(others)];
      near(other.estimate, plain.estimate);
      near(other.standardError, plain.standardError);
      expect(other.degrees).toBe(plain.degrees);
      const shared = [all, others].map((each) => stratifiedMean(each, 0.95, { lambda: "shared" }));
      near(shared[1]?.estimate ?? NaN, shared[0]?.estimate ?? NaN);
      near(shared[1]?.standardError ?? NaN, shared[0]?.standardError ?? NaN);
    },
  );

  law("with a shared lambda has one from 0 to 1, and people's mean where it is 0", strata, (all) => {
    const { lambda, estimate, human } = stratifiedMean(all, 0.95, { lambda: "shared" });
    expect(lambda).toBeGreaterThanOrEqual(0);
    expect(lambda).toBeLessThanOrEqual(1 + TOLERANCE);
    if (lambda === 0) near(estimate, human.mean);
  });

  law(
    "is allocated so that moving one query makes it no more certain",
    fc.tuple(strata, fc.integer({ min: 0, max: 30 })),
    ([all, more]) => {
      const budget = 2 * all.length + more;
      const { shares, counts } = neymanAllocation(all, budget);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(budget);
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(2);
      const part = (at: number, count: number): number => (shares[at] as number) ** 2 / count;
      counts.forEach((from, taken) =>
        counts.forEach((to, given) => {
          if (taken === given || from === 2) return;
          const gain = part(given, to) - part(given, to + 1);
          expect(gain).toBeLessThanOrEqual(part(taken, from - 1) - part(taken, from) + TOLERANCE);
        }),
      );
    },
  );
});

/** A judge better than chance, by its errors of each class, and items of which it calls what they say. */
const knownJudges = fc
  .record({
    right: fc.tuple(fc.integer({ min: 6, max: 10 }), fc.integer({ min: 6, max: 10 })),
    positive: fc.integer({ min: 0, max: 20 }),
    negative: fc.integer({ min: 1, max: 20 }),
  })
  .map(({ right: [sensitive, specific], positive, negative }) => ({
    share: positive / (positive + negative),
    counts: {
      items: 10 * (positive + negative),
      modelPositive: positive * sensitive + negative * (10 - specific),
      humanPositive: 10,
      foundPositive: sensitive,
      humanNegative: 10,
      foundNegative: specific,
    } satisfies JudgedShare,
  }));

describe("a corrected share", () => {
  law(
    "is the true one where the judge errs as it did on people's items",
    knownJudges,
    ({ share, counts }) => {
      const found = correctedShare(counts);
      if ("undefined" in found) throw new Error(found.undefined);
      near(found.share, share);
      expect(found.clipped.low).toBeGreaterThanOrEqual(0);
      expect(found.clipped.high).toBeLessThanOrEqual(1);
    },
  );

  law("of no is 1 minus that of yes, as certain", knownJudges, ({ counts }) => {
    const [yes, no] = [
      correctedShare(counts),
      correctedShare({
        items: counts.items,
        modelPositive: counts.items - counts.modelPositive,
        humanPositive: counts.humanNegative,
        foundPositive: counts.foundNegative,
        humanNegative: counts.humanPositive,
        foundNegative: counts.foundPositive,
      }),
    ];
    if ("undefined" in yes || "undefined" in no) throw new Error("one of them is undefined");
    near(no.share, 1 - yes.share);
    near(no.standardError, yes.standardError);
  });
});

interface Pool {
  readonly pairs: readonly WeighedPair[];
  readonly queries: number;
  /** People's grade of every pair, drawn or not. */
  readonly grades: readonly number[];
}

/** Few enough pairs that every draw of them can be tried. */
const pools: fc.Arbitrary<Pool> = fc
  .array(
    fc.record({
      query: fc.constantFrom("a", "b", "c"),
      weight: score,
      modelGrade: fc.integer({ min: 0, max: 1 }),
      probability: fc.constantFrom(0.25, 0.5, 1),
      humanGrade: fc.integer({ min: 0, max: 3 }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((pairs) => ({ pairs, queries: 3, grades: pairs.map(({ humanGrade }) => humanGrade) }));

/** Every draw of a pool with its probability. */
function* drawsOf({ pairs }: Pool): Generator<readonly [probability: number, pairs: readonly WeighedPair[]]> {
  for (let drawn = 0; drawn < 2 ** pairs.length; drawn++) {
    const isDrawn = pairs.map((_, at) => ((drawn >> at) & 1) === 1);
    const chance = pairs.reduce(
      (product, { probability }, at) => product * (isDrawn[at] ? probability : 1 - probability),
      1,
    );
    if (chance > 0)
      yield [chance, pairs.map((pair, at) => (isDrawn[at] ? pair : { ...pair, humanGrade: null }))];
  }
}

function truthOf({ pairs, queries, grades }: Pool): number {
  return pairs.reduce((sum, { weight }, at) => sum + weight * (grades[at] as number), 0) / queries;
}

const TABLE = new Map([
  [0, 0.5],
  [1, 2],
]);

describe("an estimate from pairs", () => {
  law("is right on average over all draws, by a table and cross-fitted", pools, (pool) => {
    for (const options of [{ meanGrades: TABLE }, {}]) {
      let expected = 0;
      for (const [chance, pairs] of drawsOf(pool))
        expected += chance * pairEstimate(pairs, pool.queries, options).estimate;
      near(expected, truthOf(pool));
    }
  });

  law("knows by a table, on average over all draws, how far it is off", pools, (pool) => {
    let [square, variance] = [0, 0];
    for (const [chance, pairs] of drawsOf(pool)) {
      const found = pairEstimate(pairs, pool.queries, { meanGrades: TABLE });
      square += chance * (found.estimate - truthOf(pool)) ** 2;
      // Nothing drawn has no standard error: its part of the sum over the drawn pairs is 0.
      variance += chance * (found.drawn === 0 ? 0 : found.standardError ** 2);
    }
    near(variance, square);
  });

  law("from every pair is what people say, without an error of the draw", pools, (pool) => {
    const all = pool.pairs.map((pair) => ({ ...pair, probability: 1 }));
    const found = pairEstimate(all, pool.queries);
    near(found.estimate, truthOf(pool));
    expect(found.standardError).toBe(0);
  });
});

describe("the probabilities of a draw", () => {
  law(
    "add up to the budget, in proportion to weight times spread between the floor and 1",
    fc.record({
      pairs: fc.array(fc.tuple(score, fc.integer({ min: 1, max: 8 })), { minLength: 1, maxLength: 12 }),
      share: fc.double({ min: 0.1, max: 1, noNaN: true }),
      floor: fc.constantFrom(0, 0.05, 0.1),
    }),
    ({ pairs, share, floor }) => {
      const weights = pairs.map(([weight]) => weight);
      const counted = weights.filter((weight) => weight !== 0).length;
      const budget = share * counted;
      const sizes = pairs.map(([weight, spread]) => Math.abs(weight) * spread);
      const found = drawProbabilities(
        weights,
        pairs.map(([, spread]) => spread),
        budget,
        floor,
      );
      near(
        found.reduce((sum, each) => sum + each, 0),
        budget,
      );
      const scales = found.flatMap((each, at) => {
        if (weights[at] === 0) expect(each).toBe(0);
        else expect(each).toBeGreaterThanOrEqual(floor);
        expect(each).toBeLessThanOrEqual(1);
        return each > floor && each < 1 ? [each / (sizes[at] as number)] : [];
      });
      for (const scale of scales) near(scale, scales[0]);
    },
  );
});

const correlations = fc.double({ min: 0, max: 1, noNaN: true });

describe("what labels are worth", () => {
  law(
    "is from n to n + N, more for a better model",
    fc.tuple(correlations, correlations, fc.integer({ min: 3, max: 50 }), fc.nat(500)),
    ([one, other, n, further]) => {
      const [less, more] = [worth(Math.min(one, other), n, further), worth(Math.max(one, other), n, further)];
      expect(less).toBeGreaterThanOrEqual(n);
      expect(less).toBeLessThanOrEqual(more);
      expect(more).toBeLessThanOrEqual(n + further + TOLERANCE);
    },
  );

  law(
    "is cheapest at the share that is said: no other costs less",
    fc.tuple(
      correlations,
      fc.double({ min: 1e-3, max: 2, noNaN: true }),
      fc.double({ min: 1e-3, max: 1, noNaN: true }),
    ),
    ([rho, ratio, other]) => {
      const { cost, share } = cheapestMix(rho, ratio);
      const costAt = (at: number): number => ((1 - rho ** 2) / at + rho ** 2) * (at + ratio);
      expect(cost).toBeLessThanOrEqual(costAt(other) + TOLERANCE);
      if (share > 0) near(cost, costAt(share));
    },
  );
});
