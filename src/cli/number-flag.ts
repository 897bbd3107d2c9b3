import { InputError } from "../index.js";
import { plainLine } from "./terminal.js";

/**
 * Reads the value of a flag that is a number.
 *
 * @param least included.
 */
export function numberOption(flag: string, least = -Infinity): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === "" || !Number.isFinite(value) || value < least)
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
 * @param least included.
 */
export function wholeNumber(flag: string, least = 1): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value) || value < least)
      throw new InputError(
        "ARGUMENT",
        `--${flag} must be a whole number${least === -Infinity ? "" : ` from ${least}`}, got ` +
          `\`${plainLine(text)}\``,
      );
    return value;
  };
}
