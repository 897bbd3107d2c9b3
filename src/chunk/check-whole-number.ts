import { InputError, shown } from "../errors.js";

/**
 * Refuses what is no whole number in a range, both ends included.
 *
 * @throws InputError `ARGUMENT`
 */
export function checkWholeNumber(what: string, value: number, least: number, most = Number.MAX_SAFE_INTEGER): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`;
  throw new InputError("ARGUMENT", `${what} must be a whole number ${range}, got ${shown(String(value))}`);
}
