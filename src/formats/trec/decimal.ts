import { isDecimal } from "../../foundation/numbers/index.js";

const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;

/** Powers of ten that doubles hold exactly, and so divide by exactly. */
export const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
/** So many digits make an integer that a double holds exactly. */
export const EXACT_DIGITS = 15;
/**
 * So many digits are added up as an integer of 32 bits, in half the time of a double; dense models print
 * twice as many.
 */
export const INTEGER_DIGITS = 9;

/**
 * The double nearest to a decimal number written in ASCII; NaN when it is not one.
 */
export function decimalOf(bytes: Uint8Array, start: number, end: number): number {
  const quick = withoutString(bytes, start, end);
  if (quick === quick) return quick;
  const text = new TextDecoder("latin1").decode(bytes.subarray(start, end));
  return isDecimal(text) ? Number(text) : NaN;
}

/**
 * The number where it has at most 18 digits, a point and a sign, and its rounding can be told; NaN for all
 * others.
 */
function withoutString(bytes: Uint8Array, start: number, end: number): number {
  const isNegative = bytes[start] === MINUS;
  let head = 0;
  let tail = 0;
  let digits = 0;
  let hasDigits = false;
  let pointAt = -1;
  for (let i = isNegative ? start + 1 : start; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte === POINT && pointAt === -1) {
      pointAt = i;
      continue;
    }
    if (byte < ZERO || byte > NINE) return NaN;
    hasDigits = true;
    if (head === 0 && byte === ZERO) continue;
    if (digits < INTEGER_DIGITS) head = (Math.imul(head, 10) + byte - ZERO) | 0;
    else if (digits < 2 * INTEGER_DIGITS) tail = (Math.imul(tail, 10) + byte - ZERO) | 0;
    else return NaN;
    digits++;
  }
  const decimals = pointAt === -1 ? 0 : end - pointAt - 1;
  if (!hasDigits || decimals >= POWERS_OF_TEN.length) return NaN;
  const more = Math.max(0, digits - INTEGER_DIGITS);
  const value =
    digits <= EXACT_DIGITS
      ? (head * (POWERS_OF_TEN[more] as number) + tail) / (POWERS_OF_TEN[decimals] as number)
      : longQuotient(head, tail, more, decimals);
  return isNegative ? -value : value;
}

/** 2^27 + 1 cuts a double into two halves whose products are exact (Veltkamp). */
const SPLITTER = 134217729;
/** More than the relative error of what follows, which works with twice the digits of a double. */
const ERROR = 2 ** -90;

/**
 * (head * 10^more + tail) / 10^decimals, correctly rounded; NaN where the quotient lies too near to the
 * middle between two doubles to tell. Dekker: A Floating-Point Technique for Extending the Available
 * Precision, https://doi.org/10.1007/BF01397083.
 */
function longQuotient(head: number, tail: number, more: number, decimals: number): number {
  const factor = POWERS_OF_TEN[more] as number;
  const divisor = POWERS_OF_TEN[decimals] as number;
  const product = head * factor;
  const high = product + tail;
  const low = tail - (high - product) + productError(head, factor, product);
  const quotient = high / divisor;
  const back = quotient * divisor;
  const rest = (high - back - productError(quotient, divisor, back) + low) / divisor;
  const rounded = quotient + rest;
  const slack = Math.abs(quotient) * ERROR;
  return rounded === quotient + (rest + slack) && rounded === quotient + (rest - slack) ? rounded : NaN;
}

/** What `a * b` lost when it was rounded to `product`. */
function productError(a: number, b: number, product: number): number {
  const aUpper = SPLITTER * a - (SPLITTER * a - a);
  const bUpper = SPLITTER * b - (SPLITTER * b - b);
  const aLower = a - aUpper;
  const bLower = b - bUpper;
  return aLower * bLower - (product - aUpper * bUpper - aLower * bUpper - aUpper * bLower);
}
