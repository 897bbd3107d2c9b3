import { exactMean, exactSum } from "../foundation/numbers/index.js";
import { differenceIntervals, type DifferenceIntervalOptions } from "./difference-interval.js";
import type { Interval } from "./intervals/interval.js";
import { mean } from "./moments.js";

/** What groups, whose values belong together, add to a mean. */
export interface GroupShares {
  /** By group; their mean is that of the values, and their variance over their number is its variance. */
  readonly shares: Float64Array;
  /** How many groups of one size would say as much. */
  readonly effective: number;
}

/**
 * The jackknife's pseudo-values of a mean whose groups are left out in turn, about that mean: Cochran's
 * variance of a ratio (1977, Sampling Techniques, 9A), but that a large group, which draws the mean to
 * itself, is not taken for one that agrees with it. Bell, McCaffrey (2002), Bias reduction in standard
 * errors.
 *
 * @param groups places in the values; each value in one group.
 */
export function groupShares(values: Float64Array, groups: readonly (readonly number[])[]): GroupShares {
  const all = mean(values);
  const [count, total] = [groups.length, values.length];
  const moves = groups.map((group) => {
    const residual = exactSum(group.map((at) => (values[at] as number) - all));
    const others = count - (count * group.length) / total;
    return others === 0 ? 0 : (count / total) * ((count - 1) / others) * residual;
  });
  const middle = exactMean(moves);
  return {
    shares: Float64Array.from(moves, (move) => all + (move - middle)),
    effective: effectiveGroups(groups),
  };
}

/** Where means lie by the shares of groups in them. */
export function intervalsByGroup(
  shared: readonly GroupShares[],
  options: DifferenceIntervalOptions,
): (Interval | null)[] {
  return differenceIntervals(
    shared.map(({ shares }) => shares),
    // With less than one nothing is known.
    { ...options, degrees: shared.map(({ effective }) => Math.max(1, effective - 1)) },
  ).map(({ interval }) => interval);
}

/**
 * How many groups of one size say as much: the square of the sum of their sizes over the sum of the squares.
 * Kish (1965), Survey Sampling, 11.7.
 */
export function effectiveGroups(groups: readonly (readonly unknown[])[]): number {
  const total = groups.reduce((sum, { length }) => sum + length, 0);
  return total ** 2 / groups.reduce((sum, { length }) => sum + length ** 2, 0);
}
