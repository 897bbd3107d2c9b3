/** Whole numbers of units, as large as they come, to doubles: rounded once, to nearest, ties to even. */

/** A unit is 2^-1074, the smallest double: every double is a whole number of them. */
export const UNIT_EXPONENT = -1074;
/** More bits than a double holds; one further bit remembers that something was cut off. */
const KEPT_BITS = 64;
/** Below so many units doubles lie one unit apart. */
const DENSE = 2n ** 53n;

/** The double nearest to `units` units. */
export function roundUnits(units: bigint): number {
  return scaleUnits(units, UNIT_EXPONENT);
}

/**
 * The double nearest to `units` units divided by `count`.
 *
 * @param count at least 1.
 */
export function roundQuotient(units: bigint, count: bigint): number {
  const magnitude = units < 0n ? -units : units;
  const whole = magnitude / count;
  if (whole < DENSE) {
    const twice = 2n * (magnitude % count);
    const isUp = twice > count || (twice === count && (whole & 1n) === 1n);
    return scaleUnits((units < 0n ? -1n : 1n) * (isUp ? whole + 1n : whole), UNIT_EXPONENT);
  }
  // Two more bits than a double holds at least; the last one remembers that something was cut off.
  const sticky = (4n * magnitude) % count === 0n ? 0n : 1n;
  const result = scaleUnits(((4n * magnitude) / count) | sticky, UNIT_EXPONENT - 2);
  return units < 0n ? -result : result;
}

/** `value * 2^exponent`, which is a whole number of units or has more bits than a double, rounded once. */
function scaleUnits(value: bigint, exponent: number): number {
  const magnitude = value < 0n ? -value : value;
  const cut = Math.max(0, magnitude.toString(2).length - KEPT_BITS);
  const kept = magnitude >> BigInt(cut);
  const sticky = kept << BigInt(cut) === magnitude ? 0n : 1n;
  const rounded = timesPowerOfTwo(Number(kept | sticky), cut + exponent);
  return value < 0n ? -rounded : rounded;
}

/**
 * `value * 2^exponent` in steps that stay in range; exact, because the result is a whole number of units or
 * normal.
 */
function timesPowerOfTwo(value: number, exponent: number): number {
  let result = value;
  let left = exponent;
  for (; left < -1000; left += 1000) result *= 2 ** -1000;
  for (; left > 1000; left -= 1000) result *= 2 ** 1000;
  return result * 2 ** left;
}
