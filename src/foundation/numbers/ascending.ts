/** The order of numbers, infinite ones among them: their difference would be NaN, which sorts nothing. */
export function ascending(a: number, b: number): number {
  return a === b ? 0 : a - b;
}
