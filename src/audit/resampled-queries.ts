import { seededWords } from "../foundation/numbers/index.js";
import { mean, studentQuantile } from "../stats/index.js";
import { quantile } from "../stats/internal.js";

/** With fewer an interval has hardly a width. */
export const FEWEST_RESAMPLES = 100;

/** How queries are drawn again. */
export interface ResampleOptions {
  readonly seed: number;
  readonly resamples: number;
}

/**
 * Draws as many queries as there are, with replacement, again and again: pairs of one query are alike, so
 * that to draw pairs would make every interval too short.
 *
 * @param queries how many there are.
 * @param look is called once for each resample with the places of its queries, which are only lent.
 */
export function eachResample(
  queries: number,
  { seed, resamples }: ResampleOptions,
  look: (places: Uint32Array) => void,
): void {
  const fill = seededWords(seed);
  const places = new Uint32Array(queries);
  for (let resample = 0; resample < resamples; resample++) {
    fill(places);
    for (let i = 0; i < queries; i++) places[i] = Math.floor(((places[i] as number) / 2 ** 32) * queries);
    look(places);
  }
}

/**
 * The percentile interval of a statistic over its resamples; those in which it is not defined are left out.
 *
 * Source: Efron, Tibshirani: An Introduction to the Bootstrap (1993), chapter 13.
 */
export function percentileInterval(
  values: readonly (number | null)[],
  confidence: number,
): { readonly low: number; readonly high: number } | null {
  const rising = Float64Array.from(values.filter((value) => value !== null)).sort();
  if (rising.length === 0) return null;
  const tail = (1 - confidence) / 2;
  return { low: quantile(rising, tail), high: quantile(rising, 1 - tail) };
}

/**
 * Student's t interval of a statistic, by what it is without each query: what resamples of few queries leave
 * out. Null for fewer than two, and where one of these is not defined.
 *
 * Source: Efron, Tibshirani (1993), chapter 11.
 */
export function jackknifeInterval(
  value: number,
  without: readonly (number | null)[],
  confidence: number,
): { readonly low: number; readonly high: number } | null {
  const known = without.filter((each) => each !== null);
  // Where nothing is left without a query, all rests on that one.
  if (known.length < without.length || known.length < 2) return null;
  const middle = mean(known);
  const squares = known.reduce((sum, each) => sum + (each - middle) ** 2, 0);
  const error = Math.sqrt((squares * (known.length - 1)) / known.length);
  const reach = studentQuantile((1 + confidence) / 2, known.length - 1) * error;
  return { low: value - reach, high: value + reach };
}
