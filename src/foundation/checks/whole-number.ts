import { InputError, quote } from "../errors/index.js";

/**
 * A setting that must be a whole number.
 *
 * @param least included.
 * @param most included.
 * @throws InputError `ARGUMENT`
 */
export function wholeNumber(name: string, value: number, least = 1, most = Number.MAX_SAFE_INTEGER): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`;
  throw new InputError("ARGUMENT", `${name} must be a whole number ${range}, got ` + quote(value));
}
