import type { ComparisonSettings, MetricDifference, PairedTestName } from "../records/index.js";
import {
  matchedRankBiserial,
  pairedTTest,
  randomizationTests,
  signTest,
  wilcoxonSignedRank,
} from "../stats/index.js";

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

/** A p value, and whether it is over all sign flips or in closed form. */
export interface Tested extends Pick<MetricDifference, "p" | "is_exact"> {
  /** The sign of what the test looks at, where that is not the mean. */
  readonly way?: number | undefined;
}

const oneByOne =
  (
    test: (pair: PairedDifferences) => {
      readonly p: number;
      readonly isExact?: boolean;
      readonly way?: number;
    },
  ) =>
  (pairs: readonly PairedDifferences[]): Tested[] =>
    pairs.map((pair) => {
      const { p, isExact = true, way } = test(pair);
      return { p: Number.isNaN(p) ? null : p, is_exact: isExact, way };
    });

/** The tests by name, two-sided, each for many metrics at once. */
export const pairedTests: Readonly<
  Record<PairedTestName, (pairs: readonly PairedDifferences[], settings: ComparisonSettings) => Tested[]>
> = {
  randomization: (pairs, settings) =>
    randomizationTests(
      pairs.map(({ byQuery }) => byQuery),
      settings,
    ).map(({ p, isExact }) => ({ p, is_exact: isExact })),
  t: oneByOne(({ differences }) => pairedTTest(differences)),
  wilcoxon: oneByOne(({ differences }) => ({
    ...wilcoxonSignedRank(differences),
    way: matchedRankBiserial(differences),
  })),
  sign: oneByOne(({ differences }) => {
    const { p, above, below } = signTest(differences);
    return { p, way: above - below };
  }),
};
