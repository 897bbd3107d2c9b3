import { checkKnownOptions } from "../foundation/checks/index.js";
import { checkDegrees, checkShare } from "./check-settings.js";
import { bca } from "./intervals/bca.js";
import type { Interval } from "./intervals/interval.js";
import { type ResamplingOptions, samplesOf } from "./intervals/samples.js";
import { roundDifferences, studentT } from "./intervals/student-t.js";
import { widerOf } from "./intervals/wider.js";
import { CONFIDENCE } from "./mean-interval.js";

/** Where a mean difference lies, and the two intervals that this is made of. */
export interface DifferenceInterval {
  /** At each end the wider one; null for fewer than two pairs, and where all differences are equal. */
  readonly interval: Interval | null;
  readonly bca: Interval | null;
  readonly t: Interval | null;
}

/** How the intervals of differences are computed. */
export interface DifferenceIntervalOptions extends ResamplingOptions {
  /** Share of the interval. Default 0.95. */
  readonly confidence?: number | undefined;
  /** The largest value that is possible, for each column; Infinity where there is no bound. */
  readonly most?: readonly number[] | undefined;
  /** The smallest one; minus the largest unless given, as of differences. */
  readonly least?: readonly number[] | undefined;
  /** Degrees of freedom of Student's t, for each column; one less than its differences unless given. */
  readonly degrees?: readonly number[] | undefined;
}

const OPTIONS: readonly (keyof DifferenceIntervalOptions)[] = [
  "most",
  "least",
  "degrees",
  "confidence",
  "resamples",
  "seed",
];

/**
 * Where mean differences lie: at each end the wider one of the BCa bootstrap and Student's t.
 *
 * Of differences that are all equal nothing can be said about others; there is no interval.
 *
 * @param columns differences of one metric each; or scores, for an interval of their mean.
 */
export function differenceIntervals(
  columns: readonly ArrayLike<number>[],
  options: DifferenceIntervalOptions = {},
): DifferenceInterval[] {
  const { most = [], confidence = CONFIDENCE } = checkKnownOptions(options, OPTIONS);
  const { least = most.map((value) => -value), degrees = [] } = options;
  checkShare("confidence", confidence);
  checkDegrees("differenceIntervals: degrees", ...degrees);
  return samplesOf(columns, options).map((drawn, at) => {
    if (drawn === null) return { interval: null, bca: null, t: null };
    const sample = { ...drawn, degrees: degrees[at] };
    const [first, ...others] = roundDifferences(sample.differences);
    const both = [bca.interval(sample, confidence), studentT.interval(sample, confidence)] as const;
    const { low, high } = widerOf(...both);
    // Student's t knows no bounds, scores do.
    const within = { low: Math.max(least[at] ?? -Infinity, low), high: Math.min(most[at] ?? Infinity, high) };
    const isConstant = others.every((difference) => difference === first);
    return { interval: isConstant ? null : within, bca: both[0], t: both[1] };
  });
}
