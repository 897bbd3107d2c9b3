const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Whether a text is a decimal number. Neither `0x10`, `Infinity` nor an empty text is. */
export function isDecimal(text: string): boolean {
  return DECIMAL.test(text);
}
