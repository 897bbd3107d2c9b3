import { wholeNumber } from "./whole-number.js";

/** @throws InputError `ARGUMENT` for a limit that is no whole number from 1. */
export function checkLimit(limit: number): number {
  return wholeNumber("limit", limit);
}
