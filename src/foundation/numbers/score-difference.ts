/** Further decimals are what subtraction adds: 0.9 - 0.8 and 0.2 - 0.1 are the same. */
const UNITS = 1e12;

/**
 * How far a score is from another one, at 12 decimals: what counts as improved, as worse, or as within a
 * tolerance.
 */
export function scoreDifference(after: number, before: number): number {
  return Math.round((after - before) * UNITS) / UNITS;
}
