/**
 * The nearest-rank percentile: the smallest value that at least `percent` % of the values do not exceed.
 * Always one of the values, never an interpolation.
 *
 * @param sorted ascending, not empty.
 * @param percent above 0, at most 100.
 */
export function nearestRankPercentile(sorted: ArrayLike<number>, percent: number): number {
  const rank = Math.ceil((percent * sorted.length) / 100);
  return sorted[Math.max(1, rank) - 1] as number;
}
