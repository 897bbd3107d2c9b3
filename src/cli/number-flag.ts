import { InputError } from "../index.js";
import { plainLine } from "./terminal.js";

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Reads the value of a flag that is a number.
 *
 * @param least included.
 */
export function numberOption(flag: string, least = -Infinity): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!DECIMAL.test(text) || !Number.isFinite(value) || value < least)
      throw new InputError(
        "ARGUMENT",
        `--${flag} must be a number${least === -Infinity ? "" : ` from ${least}`}, got ` +
          `\`${plainLine(text)}\``,
      );
    return value;
  };
}

/**
 * Reads the value of a flag that is a whole number.
 *
 * @param least included, as `most` is.
 */
export function wholeNumber(flag: string, least = 1, most = Infinity): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value) || value < least || value > most)
      throw new InputError(
        "ARGUMENT",
        `--${flag} must be a whole number${least === -Infinity ? "" : ` from ${least}`}` +
          `${most === Infinity ? "" : ` to ${most}`}, got ` +
          `\`${plainLine(text)}\``,
      );
    return value;
  };
}
