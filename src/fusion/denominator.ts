/** The least that anything is divided by, as in ranx: a list of equal scores would give 0 / 0. */
const LEAST_DENOMINATOR = 1e-9;

/**
 * `value`, but at least 1e-9. NaN when the value is beyond what a double holds: dividing by Infinity would
 * make quiet zeros, while NaN is reported with the run and the query.
 */
export function denominator(value: number): number {
  return value === Infinity ? NaN : Math.max(value, LEAST_DENOMINATOR);
}
