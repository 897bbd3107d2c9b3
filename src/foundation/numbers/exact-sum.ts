import { InputError, quote } from "../errors/index.js";
import { roundQuotient, roundUnits } from "./round-units.js";

/** Exponents of IEEE 754 doubles, as stored: 0 to 2046. */
const EXPONENTS = 2047;
/** A mantissa of 53 bits is split here, so that 2^26 additions of either half stay exact in a double. */
const LOW_BITS = 26;
const LOW_UNIT = 2 ** LOW_BITS;
const FOLD_AFTER = 2 ** 26;

const float = new Float64Array(1);
const words = new Uint32Array(float.buffer);
/** Which word of a double holds the sign: 1 on little-endian machines. */
const HIGH = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0;

/**
 * Bins for a sum, all empty. Those of the last sum are used again: most sums have few terms, and 32 KB of
 * zeros would cost more than they.
 */
let spare: { readonly low: Float64Array; readonly high: Float64Array } | null = null;

/**
 * The sum of doubles, correctly rounded (to nearest, ties to even), whatever their order and size.
 *
 * Mantissas are added as integers in one bin per exponent, then joined with BigInt and rounded once. A
 * running sum of doubles depends on the order of its terms in the last places, and so on the number of
 * workers that made it.
 *
 * @throws InputError `ARGUMENT` when a value is not finite.
 */
export function exactSum(values: Iterable<number>): number {
  return roundUnits(unitsOf(values));
}

/**
 * The mean of doubles, rounded once whatever their order and size; NaN of nothing. Of three times 0.1 it is
 * 0.1: their rounded sum divided by 3 is 0.10000000000000002.
 *
 * @throws InputError `ARGUMENT` when a value is not finite.
 */
export function exactMean(values: ArrayLike<number> & Iterable<number>): number {
  return values.length === 0 ? NaN : roundQuotient(unitsOf(values), BigInt(values.length));
}

/** The sum of doubles in units of 2^-1074. */
function unitsOf(values: Iterable<number>): bigint {
  const { low, high } = spare ?? { low: new Float64Array(EXPONENTS), high: new Float64Array(EXPONENTS) };
  // Until they are empty again, also where a value is no number or a generator of values adds up others.
  spare = null;
  let whole = 0n;
  let pending = 0;
  // Bins that may hold something: most sums use few of them.
  let first = EXPONENTS;
  let last = 0;
  for (const value of values) {
    if (!Number.isFinite(value))
      throw new InputError("ARGUMENT", `every value must be a finite number, got ${quote(value)}`);
    float[0] = value;
    const upper = words[HIGH] as number;
    const exponent = (upper >>> 20) & 0x7ff;
    const sign = upper >>> 31 === 1 ? -1 : 1;
    // An exponent of 0 means a subnormal number: no implicit leading bit, and the scale of exponent 1.
    const mantissa =
      ((upper & 0xfffff) + (exponent === 0 ? 0 : 0x100000)) * 2 ** 32 + (words[1 - HIGH] as number);
    const bin = exponent === 0 ? 1 : exponent;
    if (bin < first) first = bin;
    if (bin > last) last = bin;
    const top = Math.floor(mantissa / LOW_UNIT);
    (high[bin] as number) += sign * top;
    (low[bin] as number) += sign * (mantissa - top * LOW_UNIT);
    if (++pending === FOLD_AFTER) {
      whole += drain(low, high, first, last);
      pending = 0;
    }
  }
  const units = whole + drain(low, high, first, last);
  spare = { low, high };
  return units;
}

/** What the bins from `first` to `last` hold, in units of 2^-1074 (the smallest double); empties them. */
function drain(low: Float64Array, high: Float64Array, first: number, last: number): bigint {
  let total = 0n;
  for (let bin = first; bin <= last; bin++) {
    const upper = high[bin] as number;
    const lower = low[bin] as number;
    if (upper === 0 && lower === 0) continue;
    total += ((BigInt(upper) << BigInt(LOW_BITS)) + BigInt(lower)) << BigInt(bin - 1);
    high[bin] = 0;
    low[bin] = 0;
  }
  return total;
}
