/** Further decimals are what subtraction adds: 0.9 - 0.8 and 0.2 - 0.1 are the same. */
const UNITS = 1e12;

/**
 * How far a score is from another one, at 12 decimals: what counts as improved, as worse, or as within a
 * tolerance. Halves are rounded away from zero, so that the difference of runs that are exchanged has the
 * other sign and nothing else: `Math.round` takes them up, and ±2^-13 (RBP at rank 13) would no longer tie.
 */
export function scoreDifference(after: number, before: number): number {
  const units = (after - before) * UNITS;
  return (units < 0 ? -Math.round(-units) : Math.round(units)) / UNITS;
}
