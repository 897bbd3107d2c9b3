import { checkLists } from "./check-pairs.js";
import { checkChoice, checkShare } from "./check-settings.js";
import { checkKnownOptions, wholeNumber } from "../foundation/checks/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { exactSum } from "../foundation/numbers/index.js";
import {
  checkSample,
  correctWith,
  cutLambda,
  FEWEST_FURTHER,
  intervalAround,
  pOf,
  products,
  spreadOf,
  type Corrected,
  type CorrectedMean,
  type CorrectedSample,
} from "./corrected-mean.js";
import { mean, standardDeviation } from "./moments.js";

/** How far weights may add up to something else than 1: shares of counts do so by rounding alone. */
const WEIGHTS_OFF = 1e-9;

/** A lambda is fitted to 5 queries and more, or strata that are worth as many. */
const FEWEST_FITTED = 4;

/** More than people will ever label is a slip. */
const MOST_LABELLED = 1_000_000;

/** Queries of one kind. */
export interface Stratum extends CorrectedSample {
  /** Its share of all queries: the weights of all strata add up to 1. */
  readonly weight: number;
}

/** How much the model counts in strata. */
export interface StratifiedMeanOptions {
  /**
   * `own`: in each stratum by its own queries, which fits fewer than about 10 of them too well: of 2 to 5
   * the 95 % interval holds the truth in 80 to 90 % of cases. `shared`: in all by the queries of all, with
   * degrees of freedom by Satterthwaite. Default `own`.
   */
  readonly lambda?: "own" | "shared" | undefined;
}

/**
 * A corrected mean over queries of several kinds, each drawn by chance with at least two queries: the sum of
 * the strata's estimates by weight; degrees of freedom the sum of n - 1.
 *
 * A shared lambda is the one that makes the variance least, cut to [0, 1]: the sum of w² cov/n over that of
 * w² var(F) (1/n + 1/N), cov with divisor n - 1, over the strata with N of 2 and more; 0 where one stratum
 * weighs so much that it would be fitted to fewer than 5 queries. Its degrees of freedom are
 * (sum v)² / sum(v²/df), v the parts of the variance (Satterthwaite,
 * {@link https://doi.org/10.2307/3002019}), or v = w²/n if that is less.
 *
 * Source: Neyman: On the two different aspects of the representative method (1934),
 * {@link https://doi.org/10.2307/2342192}, over PPI++ as in {@link correctedMean}.
 *
 * @param level share of the interval. Default 0.95.
 * @throws InputError `ARGUMENT` for no strata, a stratum of fewer than two queries, weights that do not add
 * up to 1, and as {@link correctedMean}.
 */
export function stratifiedMean(
  strata: readonly Stratum[],
  level = 0.95,
  options: StratifiedMeanOptions = {},
): CorrectedMean {
  const { lambda: kind = "own" } = checkKnownOptions(options, ["lambda"]);
  checkChoice("lambda", kind, ["own", "shared"]);
  checkShare("level", level);
  checkLists("stratifiedMean", strata);
  checkStrata("stratifiedMean", strata);
  const shared = kind === "shared" ? sharedLambda(strata) : undefined;
  const parts = strata.map((stratum) => ({
    stratum,
    ...correctWith(stratum, hasFurther(stratum) ? shared : 0),
  }));
  const people = strata.map((stratum) => ({
    stratum,
    ...correctWith({ ...stratum, modelOnly: [] }),
  }));
  const [estimate, standardError] = sumStrata(parts);
  const [peopleMean, peopleError] = sumStrata(people);
  const queries = strata.reduce((sum, { human }) => sum + human.length, 0);
  const degreesOf = (all: typeof parts): number =>
    kind === "own" ? queries - strata.length : effectiveDegrees(all);
  const degrees = degreesOf(parts);
  const all = strata.reduce((sum, { modelOnly }) => sum + modelOnly.length, queries);
  return {
    estimate,
    standardError,
    interval: intervalAround(estimate, standardError, degrees, level),
    degrees,
    p: pOf(estimate, standardError, degrees),
    lambda: exactSum(parts.map(({ stratum, lambda }) => stratum.weight * lambda)),
    correlation: NaN,
    worth: worthOf(queries, all, peopleError / standardError),
    human: { mean: peopleMean, interval: intervalAround(peopleMean, peopleError, degreesOf(people), level) },
    raw: exactSum(strata.map(({ weight, model, modelOnly }) => weight * mean([...model, ...modelOnly]))),
  };
}

/**
 * As many degrees of freedom as the sum of variances has, by Satterthwaite: few where one part has most of
 * it. No more than with variances that are all the same: that of two queries is easily taken for none.
 */
function effectiveDegrees(parts: readonly (Corrected & { readonly stratum: Stratum })[]): number {
  const found = parts.flatMap(({ stratum: { weight, human, modelOnly }, peopleVariance, modelVariance }) => [
    [weight ** 2 * peopleVariance, human.length - 1] as const,
    [weight ** 2 * modelVariance, modelOnly.length - 1] as const,
  ]);
  const alike = parts.map(({ stratum: { weight, human } }) => {
    const n = human.length;
    return [weight ** 2 / n, n - 1] as const;
  });
  const most = satterthwaite(alike) as number;
  return Math.min(satterthwaite(found) ?? most, most);
}

/** (sum v)² / sum of v²/df; undefined where nothing varies. */
function satterthwaite(parts: readonly (readonly [variance: number, degrees: number])[]): number | undefined {
  const varying = parts.filter(([variance]) => variance > 0);
  const whole = exactSum(varying.map(([variance]) => variance));
  if (!(whole > 0)) return undefined;
  return 1 / exactSum(varying.map(([variance, degrees]) => (variance / whole) ** 2 / degrees));
}

function hasFurther({ modelOnly }: Stratum): boolean {
  return modelOnly.length >= FEWEST_FURTHER;
}

function sharedLambda(strata: readonly Stratum[]): number {
  const parts = strata.filter(hasFurther).map(({ human, model, modelOnly, weight }) => {
    const [n, further] = [human.length, modelOnly.length];
    return {
      covariance: (weight ** 2 * products(human, model)) / (n - 1) / n,
      spread: weight ** 2 * spreadOf(model, modelOnly) * (1 / n + 1 / further),
      degrees: n - 1,
    };
  });
  // Where one stratum of few queries has most of the weight, it would be fitted to them alone.
  const fitted = satterthwaite(parts.map(({ spread, degrees }) => [spread, degrees])) ?? 0;
  if (fitted < FEWEST_FITTED) return 0;
  return cutLambda(
    exactSum(parts.map(({ covariance }) => covariance)),
    exactSum(parts.map(({ spread }) => spread)),
  );
}

/** No fewer than the people's queries, and no more than there are. */
function worthOf(queries: number, all: number, gain: number): number {
  return Number.isFinite(gain) ? Math.min(all, Math.max(queries, queries * gain ** 2)) : queries;
}

function sumStrata(
  parts: readonly (Corrected & { readonly stratum: Stratum })[],
): [estimate: number, standardError: number] {
  return [
    exactSum(parts.map(({ stratum, estimate }) => stratum.weight * estimate)),
    Math.sqrt(exactSum(parts.map(({ stratum, variance }) => stratum.weight ** 2 * variance))),
  ];
}

/** How many of the next queries to draw from each stratum. */
export interface Allocation {
  /** By stratum; they add up to 1, or are all 0 where nothing varies. */
  readonly shares: readonly number[];
  /** Whole numbers, at least 2 each, that add up to the budget and make the variance least. */
  readonly counts: readonly number[];
}

/**
 * Neyman's allocation: each stratum by its weight and by how much Y - lambda F varies in it; evenly where
 * nothing varies.
 *
 * Source: as of {@link stratifiedMean}.
 *
 * @param strata of a sample that was labelled before.
 * @param budget queries that people will label: at least 2 a stratum, at most a million.
 * @throws InputError `ARGUMENT` for strata as {@link stratifiedMean}, and for a budget that is too small.
 */
export function neymanAllocation(strata: readonly Stratum[], budget: number): Allocation {
  checkStrata("neymanAllocation", strata);
  wholeNumber("neymanAllocation: budget", budget, 2 * strata.length, MOST_LABELLED);
  const spreads = strata.map((stratum) => {
    const { lambda } = correctWith(stratum);
    const { human, model, weight } = stratum;
    return weight * standardDeviation(human.map((y, at) => y - lambda * (model[at] as number)));
  });
  const whole = exactSum(spreads);
  const counts = strata.map(() => 2);
  // One at a time to where it helps most, which is best of all, since each next one helps less. Of equal
  // gains the smaller count comes first: else the first stratum would get all where nothing varies.
  for (let left = budget - 2 * strata.length; left > 0; left--) {
    const gains = counts.map((count, at) => (spreads[at] as number) ** 2 / (count * (count + 1)));
    const most = gains.reduce((a, b) => Math.max(a, b));
    const least = counts.reduce((a, b, at) => (gains[at] === most ? Math.min(a, b) : a), Infinity);
    const best = counts.findIndex((count, at) => gains[at] === most && count === least);
    counts[best] = least + 1;
  }
  return { shares: spreads.map((spread) => (whole === 0 ? 0 : spread / whole)), counts };
}

function checkStrata(caller: string, strata: readonly Stratum[]): void {
  if (strata.length === 0) throw new InputError("ARGUMENT", `${caller}: there must be a stratum, got none`);
  strata.forEach((stratum, at) => {
    const where = `${caller}: stratum ${at + 1}`;
    checkSample(where, stratum);
    if (stratum.human.length < 2)
      throw new InputError(
        "ARGUMENT",
        `${where}: people must have labelled at least 2 of its queries, got ${stratum.human.length}`,
      );
    if (!(stratum.weight >= 0 && stratum.weight <= 1))
      throw new InputError(
        "ARGUMENT",
        `${where}: weight must be a number from 0 to 1, got ${quote(stratum.weight)}`,
      );
  });
  const whole = exactSum(strata.map(({ weight }) => weight));
  if (Math.abs(whole - 1) > WEIGHTS_OFF)
    throw new InputError(
      "ARGUMENT",
      `${caller}: the weights of the strata must add up to 1, got ${quote(whole)}`,
    );
}
