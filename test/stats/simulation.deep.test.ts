import { showProof } from "../support/proof.js";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../src/foundation/numbers/index.js";
import {
  adjustPValues,
  differenceIntervals,
  cohenDz,
  detectableEffect,
  mean,
  pairedTTest,
  pairsNeeded,
  randomizationTest,
  randomizationTests,
  randomizedTukey,
  signTest,
  wilcoxonSignedRank,
  type Interval,
  type PValueAdjustment,
} from "../../src/stats/index.js";

/*
 * The design was settled before the first figure was seen, and each seed was used once. Populations are
 * lists of differences such as search gives, made once and then drawn from with replacement, so that their
 * mean is known exactly. What a sample of samples may be off is 3.5 of its standard errors: one check in two
 * thousand would fail by chance, were the seeds not fixed.
 */
const ALPHA = 0.05;
const DEVIATIONS = 3.5;
const reach = (share: number, samples: number): number =>
  DEVIATIONS * Math.sqrt((share * (1 - share)) / samples);

const POPULATION = 5000;

/**
 * nDCG@10 of one relevant item or more at discrete ranks: the sum of 1 / log2(rank + 1) over that of the best
 * order.
 */
function ndcg(ranks: readonly number[]): number {
  const gain = (list: readonly number[]): number =>
    list.reduce((sum, rank) => sum + (rank <= 10 ? 1 / Math.log2(rank + 1) : 0), 0);
  return gain(ranks) / gain(ranks.map((_, i) => i + 1));
}
const reciprocalRank = (ranks: readonly number[]): number =>
  Math.min(...ranks) <= 10 ? 1 / Math.min(...ranks) : 0;
const success = (ranks: readonly number[]): number => Number(Math.min(...ranks) <= 10);

/** A population: which metric, how many queries the change moves at all, and which way it moves them. */
interface Population {
  readonly metric: (ranks: readonly number[]) => number;
  /** Share of queries whose ranks change. */
  readonly moved: number;
  /** Of those that change, the share that gets better. */
  readonly better: number;
}

/**
 * Differences of a query's metric between two runs: ranks from 1 on, those that change multiplied or divided
 * by up to 6.
 */
function populationOf({ metric, moved, better }: Population, seed: number): Float64Array {
  const random = seededRandom(seed);
  return Float64Array.from({ length: POPULATION }, () => {
    const before = Array.from({ length: 1 + Math.floor(3 * random()) }, () => Math.ceil(20 * random() ** 2));
    if (random() >= moved) return 0;
    const isBetter = random() < better;
    const after = before.map((rank) =>
      Math.max(1, Math.round(isBetter ? rank / (1 + 5 * random()) : rank * (1 + 5 * random()))),
    );
    return metric(after) - metric(before);
  });
}

const drawn = (population: Float64Array, count: number, random: () => number): Float64Array =>
  Float64Array.from({ length: count }, () => population[Math.floor(random() * population.length)] as number);
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

const usual: Readonly<Record<string, Population>> = {
  "nDCG@10, 60 % of the queries moved": { metric: ndcg, moved: 0.6, better: 0.6 },
  "RR@10, 40 % of the queries moved": { metric: reciprocalRank, moved: 0.4, better: 0.6 },
};
/**
 * A change for few queries, nearly always for the better: half of the samples of 50 hold four changes or
 * fewer.
 */
const rare: Readonly<Record<string, Population>> = {
  "nDCG@10, 8 % of the queries moved, most of them up": { metric: ndcg, moved: 0.08, better: 0.9 },
  "Success@10, 8 % of the queries moved, most of them up": { metric: success, moved: 0.08, better: 0.9 },
};

const INTERVAL_SAMPLES = 2000;
const RESAMPLES = 1000;

interface Coverage {
  readonly bca: number;
  readonly t: number;
  /** Of the one that is printed: at each end the wider of both. */
  readonly interval: number;
}

function coverageOf(population: Float64Array, count: number, seed: number): Coverage {
  const random = seededRandom(seed);
  const truth = mean(population);
  const held = { bca: 0, t: 0, interval: 0 };
  const holds = (found: Interval | null): number => {
    // Differences that are all equal have no interval, and say nothing else.
    const { low, high } = found ?? { low: 0, high: 0 };
    return Number(low <= truth && truth <= high);
  };
  for (let sample = 0; sample < INTERVAL_SAMPLES; sample++) {
    const differences = drawn(population, count, random);
    const [found] = differenceIntervals([differences], { resamples: RESAMPLES, seed: sample, most: [1] });
    held.bca += holds(found?.bca ?? null);
    held.t += holds(found?.t ?? null);
    held.interval += holds(found?.interval ?? null);
  }
  return {
    bca: held.bca / INTERVAL_SAMPLES,
    t: held.t / INTERVAL_SAMPLES,
    interval: held.interval / INTERVAL_SAMPLES,
  };
}

describe("95 % intervals hold the true mean", () => {
  it.each(
    Object.keys(usual).flatMap((name) => [10, 20, 50, 200].map((count): [string, number] => [name, count])),
  )("%s: the printed one in 93 to 97 of 100 samples of %d queries, of 10 in 88 at least", (name, count) => {
    const { interval } = coverageOf(populationOf(usual[name] as Population, 1), count, 3);
    showProof(`coverage of the 95 % interval, ${name}, ${count} queries`, { interval });
    expect(interval).toBeGreaterThanOrEqual(count < 20 ? 0.88 : 0.93);
    if (count >= 20) expect(interval).toBeLessThanOrEqual(0.97);
  });
  it.each<[string, number, readonly (keyof Coverage)[]]>([
    ["nDCG@10, 60 % of the queries moved", 50, ["bca", "t"]],
    ["nDCG@10, 60 % of the queries moved", 200, ["bca", "t"]],
    ["RR@10, 40 % of the queries moved", 50, ["t"]],
    ["RR@10, 40 % of the queries moved", 200, ["bca", "t"]],
  ])("%s: in 93 to 97 of 100 samples of %d queries (%s)", (name, count, kinds) => {
    const coverage = coverageOf(populationOf(usual[name] as Population, 1), count, 2);
    for (const kind of kinds) {
      expect(coverage[kind], kind).toBeGreaterThanOrEqual(0.93);
      expect(coverage[kind], kind).toBeLessThanOrEqual(0.97);
    }
  });
  // Where the intervals fall short of 95 %, and by how much. A sample with few changes says little of how
  // large changes can be: its resamples repeat what it has. BCa suffers more from it than t, whose quantile
  // is wider and whose centre stays. SciPy's BCa covers as much (600 samples: 0.898 for RR, 0.895 for nDCG,
  // 0.463 and 0.830 for Success), so it is the method and not its implementation.
  it.each<[string, number, number, number, string]>([
    [
      "RR@10, 40 % of the queries moved",
      50,
      0.89,
      0.945,
      "13 of 50 differ, most by little and few by 0.5 or more",
    ],
    ["nDCG@10, 8 % of the queries moved, most of them up", 50, 0.889, 0.883, "4 of 50 differ"],
    ["nDCG@10, 8 % of the queries moved, most of them up", 200, 0.942, 0.937, "15 of 200 differ"],
    [
      "Success@10, 8 % of the queries moved, most of them up",
      50,
      0.415,
      0.502,
      "0.7 of 50 differ: half of the samples hold none",
    ],
    ["Success@10, 8 % of the queries moved, most of them up", 200, 0.845, 0.887, "3 of 200 differ"],
  ])("%s, %d queries: BCa in %d, t in %d of the samples (%s)", (name, count, bca, t) => {
    const coverage = coverageOf(populationOf({ ...usual, ...rare }[name] as Population, 1), count, 2);
    expect(Math.abs(coverage.bca - bca)).toBeLessThan(0.01);
    expect(Math.abs(coverage.t - t)).toBeLessThan(0.01);
  });
});

const NULL_SAMPLES = 4000;
const DRAWS = 1999;

describe(`differences that are chance are found in ${ALPHA} of the samples`, () => {
  const tests: Readonly<Record<string, (differences: Float64Array, seed: number) => number>> = {
    randomization: (differences, seed) => randomizationTest(differences, { permutations: DRAWS, seed }).p,
    t: (differences) => pairedTTest(differences).p,
    wilcoxon: (differences) => wilcoxonSignedRank(differences).p,
    sign: (differences) => signTest(differences).p,
  };
  /**
   * The share of samples of 50 queries with p below alpha where either run might as well have been the other.
   */
  function found(
    test: (differences: Float64Array, seed: number) => number,
    population: Float64Array,
    count = 50,
  ): number {
    const random = seededRandom(3);
    let below = 0;
    for (let sample = 0; sample < NULL_SAMPLES; sample++) {
      const differences = drawn(population, count, random).map((difference) =>
        random() < 0.5 ? difference : -difference,
      );
      if (test(differences, sample) < ALPHA) below++;
    }
    return below / NULL_SAMPLES;
  }

  // Discrete tests cannot come nearer from below: with few queries that differ, a step of p is worth some
  // hundredths. The sign test, which has the fewest steps, is the most conservative.
  it.each(
    Object.entries(usual).flatMap(([name, population]) =>
      Object.keys(tests).map((test) => [name, test, population] as const),
    ),
  )("%s, %s test: not more, and not much less", (_, test, population) => {
    const share = found(tests[test] as (typeof tests)[string], populationOf(population, 4));
    expect(share).toBeLessThanOrEqual(ALPHA + reach(ALPHA, NULL_SAMPLES));
    expect(share).toBeGreaterThanOrEqual((test === "sign" ? 0.02 : 0.04) - reach(0.04, NULL_SAMPLES));
  });
  it.each(Object.keys(tests))(
    "normal differences, %s test: exactly so, but for the steps of the sign test",
    (test) => {
      const random = seededRandom(5);
      const share = found(
        tests[test] as (typeof tests)[string],
        Float64Array.from({ length: POPULATION }, () => normal(random)),
      );
      // Of 50 coins 17 or fewer, or 33 or more, fall so: 0.0328; one more would be 0.065.
      expect(Math.abs(share - (test === "sign" ? 0.0328 : ALPHA))).toBeLessThanOrEqual(
        reach(ALPHA, NULL_SAMPLES),
      );
    },
  );
  it("changes that are rare, 4 of 50: no test finds more", () => {
    const population = populationOf(Object.values(rare)[0] as Population, 4);
    for (const test of Object.keys(tests))
      expect(found(tests[test] as (typeof tests)[string], population), test).toBeLessThanOrEqual(ALPHA);
  });
});

const FAMILIES = 2000;
const METRICS = 10;

/**
 * Differences of ten metrics on the same queries, correlated by 0.6 as metrics of one ranking are; the first
 * ones have an effect.
 */
function metricsOf(random: () => number, count: number, effects: readonly number[]): Float64Array[] {
  const shared = Float64Array.from({ length: count }, () => normal(random));
  return Array.from({ length: METRICS }, (_, metric) =>
    shared.map((own) => Math.sqrt(0.6) * own + Math.sqrt(0.4) * normal(random) + (effects[metric] ?? 0)),
  );
}

/**
 * Over many families: how often a metric without an effect is found at all, the mean share of such findings
 * among all, and how many effects are found.
 */
function findings(
  effects: readonly number[],
  methods: readonly PValueAdjustment[],
): Record<string, { anyFalse: number; falseShare: number; power: number }> {
  const random = seededRandom(6);
  const counts = Object.fromEntries(
    methods.map((method) => [method, { anyFalse: 0, falseShare: 0, power: 0 }]),
  );
  for (let family = 0; family < FAMILIES; family++) {
    const p = randomizationTests(metricsOf(random, 50, effects), { permutations: DRAWS, seed: family }).map(
      (test) => test.p,
    );
    for (const method of methods) {
      const isFound = adjustPValues(p, method).map((adjusted) => adjusted < ALPHA);
      const all = isFound.filter(Boolean).length;
      const wrong = isFound.slice(effects.length).filter(Boolean).length;
      const count = counts[method] as { anyFalse: number; falseShare: number; power: number };
      count.anyFalse += Number(wrong > 0) / FAMILIES;
      count.falseShare += wrong / Math.max(1, all) / FAMILIES;
      count.power += (all - wrong) / Math.max(1, effects.length) / FAMILIES;
    }
  }
  return counts;
}

describe("ten correlated metrics", () => {
  const FAMILY_WISE: readonly PValueAdjustment[] = ["bonferroni", "holm", "holm-sidak", "hochberg", "hommel"];
  const DISCOVERY: readonly PValueAdjustment[] = ["benjamini-hochberg", "benjamini-yekutieli"];
  const most = ALPHA + reach(ALPHA, FAMILIES);

  it(
    "without any effect: Holm and its kin keep the chance of any false finding; without them it is " +
      "above 0.2",
    () => {
      const found = findings([], ["none", ...FAMILY_WISE, ...DISCOVERY]);
      for (const method of [...FAMILY_WISE, ...DISCOVERY])
        expect(found[method]?.anyFalse, method).toBeLessThanOrEqual(most);
      expect(found["none"]?.anyFalse).toBeGreaterThan(0.2);
    },
  );
  it(
    "five with an effect: Holm keeps the chance of any false finding, Benjamini-Hochberg the share " +
      "of false ones, and finds more",
    () => {
      const found = findings([0.3, 0.35, 0.4, 0.45, 0.5], ["none", ...FAMILY_WISE, ...DISCOVERY]);
      for (const method of FAMILY_WISE) expect(found[method]?.anyFalse, method).toBeLessThanOrEqual(most);
      for (const method of DISCOVERY) expect(found[method]?.falseShare, method).toBeLessThanOrEqual(most);
      expect(found["none"]?.anyFalse).toBeGreaterThan(0.1);
      const power = (method: PValueAdjustment): number => found[method]?.power ?? NaN;
      expect(power("holm")).toBeGreaterThan(power("bonferroni"));
      expect(power("hommel")).toBeGreaterThanOrEqual(power("holm"));
      expect(power("benjamini-hochberg")).toBeGreaterThan(power("hommel"));
    },
  );
});

describe("five runs", () => {
  const RUNS = 5;
  const SAMPLES = 1000;

  it(
    "that are equally good: the randomised Tukey test finds any two to differ in 0.05 of the " +
      "samples; paired tests by themselves in more than 0.15",
    () => {
      const random = seededRandom(7);
      let [any, anyPaired] = [0, 0];
      for (let sample = 0; sample < SAMPLES; sample++) {
        // A query is as hard for all runs as its first number says; scores are those of a metric with zeros.
        const scores = Array.from({ length: RUNS }, () => new Array<number>(50).fill(0));
        for (let query = 0; query < 50; query++) {
          const difficulty = random();
          for (const run of scores)
            run[query] = random() < 0.3 ? 0 : 1 / Math.ceil(1 + 6 * difficulty * random());
        }
        const { pairs } = randomizedTukey(scores, { permutations: 999, seed: sample });
        if (pairs.some(({ p }) => p <= ALPHA)) any++;
        if (
          pairs.some(
            ({ first, second }) =>
              pairedTTest(
                (scores[first] as number[]).map(
                  (score, query) => score - (scores[second]?.[query] as number),
                ),
              ).p < ALPHA,
          )
        )
          anyPaired++;
      }
      expect(Math.abs(any / SAMPLES - ALPHA)).toBeLessThanOrEqual(reach(ALPHA, SAMPLES));
      expect(anyPaired / SAMPLES).toBeGreaterThan(0.15);
    },
  );
});

describe("power", () => {
  const SAMPLES = 2000;
  const POWER = 0.8;
  /** How often an effect is found, by t and by sign flips. */
  function foundIn(sampleOf: (random: () => number) => Float64Array): { t: number; randomization: number } {
    const random = seededRandom(8);
    const found = { t: 0, randomization: 0 };
    for (let sample = 0; sample < SAMPLES; sample++) {
      const differences = sampleOf(random);
      found.t += Number(pairedTTest(differences).p < ALPHA) / SAMPLES;
      found.randomization +=
        Number(randomizationTest(differences, { permutations: DRAWS, seed: sample }).p < ALPHA) / SAMPLES;
    }
    return found;
  }

  it.each([10, 25, 50, 200])(
    "normal differences: the effect that %d pairs detect is found in 80 of 100 samples",
    (pairs) => {
      const effect = detectableEffect(pairs);
      for (const share of Object.values(
        foundIn((random) => Float64Array.from({ length: pairs }, () => effect + normal(random))),
      ))
        expect(Math.abs(share - POWER)).toBeLessThanOrEqual(reach(POWER, SAMPLES) + 0.005);
    },
  );
  it(
    "differences such as search gives: so many queries as the true effect needs find it in 80 of " +
      "100 samples",
    () => {
      // The power is Student's for normal differences; of others it is an approximation.
      for (const population of Object.values(usual).map((each) =>
        populationOf({ ...each, better: 0.7 }, 9),
      )) {
        const pairs = pairsNeeded(cohenDz(population)) as number;
        for (const share of Object.values(foundIn((random) => drawn(population, pairs, random))))
          expect(Math.abs(share - POWER)).toBeLessThanOrEqual(0.04);
      }
    },
  );
});
