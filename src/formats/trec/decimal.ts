const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * The double nearest to a decimal number written in ASCII; NaN when it is not one. Neither `0x10`, `inf` nor an empty string is.
 */
export function decimalOf(bytes: Uint8Array, start: number, end: number): number {
  let text = "";
  for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i] as number);
  return DECIMAL.test(text) ? Number(text) : NaN;
}

/** Powers of ten that doubles hold exactly, and so divide by exactly. */
export const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
/** So many digits make an integer that a double holds exactly. */
export const EXACT_DIGITS = 15;
