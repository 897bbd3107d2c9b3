/** Beyond twice so many medians a value is an outlier. */
const MEDIANS = 8;

/**
 * How far a scale reaches that shows some values, from 0: to the largest, unless it is so far beyond the
 * others that it would flatten them; then to a multiple of their median, and what lies beyond is cut.
 *
 * @param values distances from 0; those of 0 say nothing.
 */
export function chooseReach(values: readonly number[]): number {
  const known = values.map(Math.abs).filter((value) => value > 0 && Number.isFinite(value));
  known.sort((x, y) => x - y);
  const largest = known.at(-1) ?? 0;
  const usual = MEDIANS * (known[Math.floor((known.length - 1) / 2)] ?? 0);
  return largest > 2 * usual ? usual : largest;
}
