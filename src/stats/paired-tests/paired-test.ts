/** One metric's differences between two runs. */
export interface PairedDifferences {
  /**
   * Of the queries that both have a score for, at 12 decimals: 0.9 - 0.8 and 0.2 - 0.1 are the same, and have
   * no deviation.
   */
  readonly differences: Float64Array;
  /** The same as they are, but for what is rounding: sums of rounded ones would not tie. */
  readonly unrounded: Float64Array;
  /** `unrounded` for all queries, 0 where either has none: sign flips leave it where it is. */
  readonly byQuery: Float64Array;
}

/** What a test of one metric's differences found. */
export interface PairedTestResult {
  /** Two-sided; NaN where there is no test. */
  readonly p: number;
  /** Whether p is over all sign flips or in closed form. */
  readonly isExact: boolean;
  /** The sign of what the test looks at, where that is not the mean. */
  readonly way?: number | undefined;
}

/** A test of paired differences that goes by a name, two-sided. */
export interface PairedTest {
  /** As help and reports write it. */
  readonly label: string;
  /** The results for many metrics at once, in their order; what is drawn at random is drawn once for all. */
  readonly test: (
    pairs: readonly PairedDifferences[],
    settings: { readonly seed: number; readonly permutations: number },
  ) => PairedTestResult[];
  /** Whether p is never below 2^(1 - n) with n differences other than 0, which is that of all signs alike. */
  readonly isOfSigns: boolean;
}

/**
 * The fewest differences other than 0 with which a test can have a p value below alpha: for tests of signs
 * the first n with 2^(1 - n) < alpha.
 */
export function fewestDifferences({ isOfSigns }: PairedTest, alpha: number): number {
  return isOfSigns ? Math.floor(1 - Math.log2(alpha)) + 1 : 2;
}
