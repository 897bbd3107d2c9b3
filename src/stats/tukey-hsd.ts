import { checkChoice, checkShare } from "./check-settings.js";
import { checkKnownOptions } from "../foundation/checks/index.js";
import type { ScoresByRun } from "./scores-by-run.js";
import { studentizedRangeQuantile } from "./studentized-range-quantile.js";
import { tukeyTests, type TukeyTestedPair } from "./tukey-tests.js";

/** How Tukey's test looks at the scores. */
export interface TukeyOptions {
  /**
   * Whether differences between queries are taken out (`two-way`, the default) or left in as noise
   * (`one-way`, as SciPy and ranx do).
   */
  readonly layout?: "two-way" | "one-way" | undefined;
  /** Of the intervals, above 0 and below 1; 0.95 when absent. */
  readonly confidence?: number | undefined;
}

/** Two runs of Tukey's test. */
export interface TukeyPair extends TukeyTestedPair {
  /**
   * Lower and upper end of the interval of the difference; all intervals hold together with the confidence
   * asked for.
   */
  readonly low: number;
  readonly high: number;
}

/** The outcome of Tukey's test. */
export interface Tukey {
  readonly layout: "two-way" | "one-way";
  readonly confidence: number;
  readonly queries: number;
  /** Of freedom of the noise. */
  readonly degrees: number;
  /** Every pair of runs, in the order of the runs; none when there are no degrees of freedom. */
  readonly pairs: readonly TukeyPair[];
}

const DEFAULT_CONFIDENCE = 0.95;

/**
 * Which of several runs over the same queries differ, all pairs being looked at together?
 *
 * Formula: q = |difference of means| / sqrt(mean square of the noise / n), against the studentized range of k
 * means with (n - 1)(k - 1) degrees of freedom (two-way) or k (n - 1) (one-way). Edges: runs alike: p = 1; no
 * noise: null for runs that differ. A p below 1e-12 is known to be that small and no more. Fewer than two
 * runs or queries: no pairs. Agrees with `scipy.stats.tukey_hsd` for one-way, which knows nothing of queries
 * and so finds less. Paper: Tukey, 1953; for search systems: Carterette,
 * https://doi.org/10.1145/2094072.2094076.
 *
 * `tukeyHsd([[1, 2, 4], [2, 3, 6]]).pairs[0].difference // => -4 / 3`
 *
 * @throws InputError `ARGUMENT` when the runs have different numbers of scores, a score is not finite, or the
 * confidence is not possible.
 */
export function tukeyHsd(runs: ScoresByRun, options: TukeyOptions = {}): Tukey {
  const { layout = "two-way", confidence = DEFAULT_CONFIDENCE } = checkKnownOptions(options, [
    "layout",
    "confidence",
  ]);
  checkChoice("layout", layout, ["two-way", "one-way"]);
  checkShare("confidence", confidence);
  const { error, pairs, ...rest } = tukeyTests(runs, layout);
  const reach =
    pairs.length === 0 || error === 0
      ? 0
      : error * studentizedRangeQuantile(1 - confidence, runs.length, rest.degrees);
  return {
    layout,
    confidence,
    ...rest,
    pairs: pairs.map((pair) => ({ ...pair, low: pair.difference - reach, high: pair.difference + reach })),
  };
}
