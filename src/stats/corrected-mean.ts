import { checkShare } from "./check-settings.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { exactSum, sameEverywhere } from "../foundation/numbers/index.js";
import { checkLists, checkPairs } from "./check-pairs.js";
import { mean, standardDeviation } from "./moments.js";
import type { Interval } from "./intervals/interval.js";
import { tInterval } from "./intervals/student-t.js";
import { studentQuantile, studentTwoSided } from "./student-t.js";
import { worth } from "./worth.js";

/** Scores of queries, or their differences between two systems, by people's labels and by a model's. */
export interface CorrectedSample {
  /** By people's labels: of the queries that they labelled, drawn by chance. */
  readonly human: readonly number[];
  /** By the model's labels: of the same queries in the same order. */
  readonly model: readonly number[];
  /** By the model's labels: of all further queries. */
  readonly modelOnly: readonly number[];
}

/** A mean over all queries, estimated from both kinds of labels. */
export interface CorrectedMean {
  readonly estimate: number;
  /** NaN for one query. */
  readonly standardError: number;
  /** By Student's t; null for one query. */
  readonly interval: Interval | null;
  /** n - 1; over strata the sum of them, or with a shared lambda by Satterthwaite. */
  readonly degrees: number;
  /** That the mean is 0, two-sided; NaN where there is no standard error, or it is 0. */
  readonly p: number;
  /** How much the model's labels count, from 0 to 1. */
  readonly lambda: number;
  /** Of both scores of a query; NaN where one of them is constant. */
  readonly correlation: number;
  /** How many queries labelled by people alone would do as well. */
  readonly worth: number;
  /** By people's labels alone: what it would be without the model. */
  readonly human: { readonly mean: number; readonly interval: Interval | null };
  /** By the model's labels alone, over all queries. */
  readonly raw: number;
}

/**
 * A mean by the labels of a model, corrected by those of people on a few queries: prediction-powered
 * inference (PPI++).
 *
 *     estimate = mean(Y) + lambda (mean(F over N) - mean(F over n))
 *     lambda   = cov_n(Y, F) / ((1 + n/N) var_{n+N}(F)), cut to [0, 1]
 *     variance = var_n(Y - lambda F)/n + lambda² var_N(F)/N;   interval: Student's t, n - 1
 *
 * Y by people's labels, F by the model's, n queries with both, N further ones. cov_n has divisor n, the
 * variances n + N - 1, n - 1 and N - 1. lambda is 0, and everything that of people alone, where N < 2, F is
 * constant, or the covariance is not above 0: no judge makes the estimate worse than its people by more than
 * chance. It holds for queries drawn by chance, and for no others.
 *
 * Source: Angelopoulos, Duchi, Zrnic: PPI++: Efficient Prediction-Powered Inference (2023),
 * {@link https://arxiv.org/abs/2311.01453}; for lambda = 1 Angelopoulos, Bates, Fannjiang, Jordan, Zrnic:
 * Prediction-powered inference (2023), {@link https://doi.org/10.1126/science.adi6000}.
 *
 * `correctedMean({ human: [0, 2], model: [0, 2], modelOnly: [1, 3] }).estimate // => 1.3`
 *
 * @param level share of the interval. Default 0.95.
 * @returns null without a query that people labelled.
 * @throws InputError `ARGUMENT` for lists of two lengths, for what is no finite number, and for a level that
 * is none.
 */
export function correctedMean(sample: CorrectedSample, level = 0.95): CorrectedMean | null {
  checkSample("correctedMean", sample);
  checkShare("level", level);
  const { human, model, modelOnly } = sample;
  const n = human.length;
  if (n === 0) return null;
  const { estimate, variance, lambda } = correctWith(sample);
  const degrees = n - 1;
  const standardError = Math.sqrt(variance);
  const rho = correlation(human, model);
  return {
    estimate,
    standardError,
    interval: intervalAround(estimate, standardError, degrees, level),
    degrees,
    p: pOf(estimate, standardError, degrees),
    lambda,
    correlation: rho,
    worth: lambda === 0 ? n : worth(rho, n, modelOnly.length),
    human: { mean: mean(human), interval: tInterval(human, level) },
    raw: mean([...model, ...modelOnly]),
  };
}

/** The estimate of one sample, and of how far it is off. */
export interface Corrected {
  readonly estimate: number;
  /** NaN for one query; the sum of what the queries of people and the further ones leave open. */
  readonly variance: number;
  readonly peopleVariance: number;
  readonly modelVariance: number;
  readonly lambda: number;
}

/**
 * The parts that strata are put together of.
 *
 * @param lambda how much the model counts, if that is not to be taken from the sample.
 */
export function correctWith(sample: CorrectedSample, lambda = lambdaOf(sample)): Corrected {
  const { human, model, modelOnly } = sample;
  const [n, further] = [human.length, modelOnly.length];
  const residuals = human.map((y, at) => y - lambda * (model[at] as number));
  // The model's part is a difference of means, so that a large offset of its scores is gone before it counts.
  const first = model[0] as number;
  const shift =
    lambda === 0
      ? 0
      : mean(modelOnly.map((value) => value - first)) - mean(model.map((value) => value - first));
  const peopleVariance = standardDeviation(residuals) ** 2 / n;
  const modelVariance = lambda === 0 ? 0 : lambda ** 2 * (standardDeviation(modelOnly) ** 2 / further);
  return {
    estimate: mean(human) + lambda * shift,
    variance: peopleVariance + modelVariance,
    peopleVariance,
    modelVariance,
    lambda,
  };
}

function lambdaOf({ human, model, modelOnly }: CorrectedSample): number {
  const [n, further] = [human.length, modelOnly.length];
  if (further < FEWEST_FURTHER) return 0;
  return cutLambda(products(human, model) / n, (1 + n / further) * spreadOf(model, modelOnly));
}

/** Fewer further queries say nothing of how the model's scores vary. */
export const FEWEST_FURTHER = 2;

/** Cut to [0, 1]. */
export function cutLambda(covariance: number, spread: number): number {
  return spread > 0 && covariance > 0 ? Math.min(1, covariance / spread) : 0;
}

/** The variance of the model's scores over all queries. */
export function spreadOf(model: readonly number[], modelOnly: readonly number[]): number {
  return standardDeviation([...model, ...modelOnly]) ** 2;
}

/** The sum of products of deviations. */
export function products(x: readonly number[], y: readonly number[]): number {
  const [ofX, ofY] = [deviations(x), deviations(y)];
  return exactSum(ofX.map((value, at) => value * (ofY[at] as number)));
}

/** From the mean; shifted first, so that a large offset costs no digits. */
function deviations(values: readonly number[]): number[] {
  const first = values[0] as number;
  const shifted = values.map((value) => value - first);
  const middle = mean(shifted);
  return shifted.map((value) => value - middle);
}

/** Pearson's correlation; NaN for fewer than two, and where one of the lists is constant. */
function correlation(x: readonly number[], y: readonly number[]): number {
  const [deviationX, deviationY] = [standardDeviation(x), standardDeviation(y)];
  if (!(deviationX > 0 && deviationY > 0)) return NaN;
  const rho = products(x, y) / (deviationX * deviationY * (x.length - 1));
  return Math.max(-1, Math.min(1, rho));
}

/** By Student's t; null without a standard error. */
export function intervalAround(
  estimate: number,
  standardError: number,
  degrees: number,
  level: number,
): Interval | null {
  if (degrees < 1 || Number.isNaN(standardError)) return null;
  const reach = -sameEverywhere(studentQuantile((1 - level) / 2, degrees)) * standardError;
  return { low: estimate - reach, high: estimate + reach };
}

/** That the mean is 0, two-sided; never 0. */
export function pOf(estimate: number, standardError: number, degrees: number): number {
  return standardError > 0
    ? Math.max(studentTwoSided(estimate / standardError, degrees), Number.MIN_VALUE)
    : NaN;
}

/** @throws InputError `ARGUMENT` for lists that do not belong together, or hold no numbers. */
export function checkSample(caller: string, { human, model, modelOnly }: CorrectedSample): void {
  checkPairs(caller, human, model);
  checkLists(caller, modelOnly);
  for (const list of [human, model, modelOnly]) {
    const wrong = list.findIndex((value) => !Number.isFinite(value));
    if (wrong >= 0)
      throw new InputError(
        "ARGUMENT",
        `${caller}: every score must be a finite number, got ${quote(list[wrong])} at position ` +
          String(wrong),
      );
  }
}
