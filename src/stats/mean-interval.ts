import { checkLists } from "./check-pairs.js";
import { checkKnownOptions } from "../foundation/checks/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { checkShare } from "./check-settings.js";
import { intervalMethods } from "./intervals/catalog.js";
import type { Interval } from "./intervals/interval.js";
import { type ResamplingOptions, samplesOf } from "./intervals/samples.js";

/** How intervals of means are made. */
export interface MeanIntervalOptions extends ResamplingOptions {
  /** Share of the interval. Default 0.95. */
  readonly confidence?: number | undefined;
  /** By the name that it has in {@link intervalMethods}. Default `bca`. */
  readonly method?: keyof typeof intervalMethods | undefined;
}

const OPTIONS: readonly (keyof MeanIntervalOptions)[] = ["confidence", "method", "resamples", "seed"];
/** Share of intervals where none is given. */
export const CONFIDENCE = 0.95;

/** {@link meanIntervals} of one column. */
export function meanInterval(
  differences: ArrayLike<number>,
  options: MeanIntervalOptions = {},
): Interval | null {
  return meanIntervals([differences], options)[0] ?? null;
}

/**
 * Where the mean difference lies. Null for fewer than two pairs.
 *
 * @param columns differences of one metric each; those of one length see the same resamples, so that an
 * interval depends on the column's own differences and the seed alone.
 */
export function meanIntervals(
  columns: readonly ArrayLike<number>[],
  options: MeanIntervalOptions = {},
): (Interval | null)[] {
  const { confidence = CONFIDENCE, method = "bca" } = checkKnownOptions(options, OPTIONS);
  checkShare("confidence", confidence);
  checkLists("meanIntervals", columns);
  if (!Object.hasOwn(intervalMethods, method))
    throw new InputError(
      "ARGUMENT",
      `method must be ${Object.keys(intervalMethods).join(" or ")}, got ${quote(method)}`,
    );
  return samplesOf(columns, options).map(
    (sample) => sample && intervalMethods[method].interval(sample, confidence),
  );
}
