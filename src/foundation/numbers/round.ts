/**
 * `value` rounded to 4 decimals, half away from zero, never -0.
 *
 * `Math.round(value * 1e4) / 1e4` would round 0.00005 - 1 ulp up, because the product is rounded first;
 * `toFixed` is defined on the exact value of the double.
 */
export function roundTo4(value: number): number {
  return Number(value.toFixed(4)) + 0;
}
